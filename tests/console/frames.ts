/*
 * `npm run tool tests/console/frames.ts`: how smoothly the console runs with 1,000 endpoints, 10,000 jobs and 200 requests a second.
 * For each page: how many frames there were, and the longest. Ends with exit code 1 when one took more than 100 ms.
 */

import { openEndpoint } from "../contract/emulator/jobPlane";
import { type Account, openAccount } from "../harness/account";
import { openBrowser } from "./browser";

const ENDPOINTS = 1000;
const JOBS = 10_000;
const REQUESTS_PER_SECOND = 200;
const WATCHED_MS = 10_000;
const LONGEST_FRAME_MS = 100;

/** Resolves to the times between frames, ms. */
const COLLECT = `new Promise((resolve) => {
  const frames = [];
  const began = performance.now();
  let before = began;
  requestAnimationFrame(function next(now) {
    frames.push(now - before);
    before = now;
    if (now - began < ${WATCHED_MS}) requestAnimationFrame(next);
    else resolve(frames);
  });
})`;

async function main(): Promise<void> {
  await using cloud = await openAccount({ settings: { workerQuota: 1_000_000 } }, "running");
  const [busiest = "", ...others] = await fill(cloud);
  const browser = await openBrowser();
  let sent = 0;
  const load = setInterval(() => {
    void cloud.queue("POST", `${busiest}/run`, { input: { sent } });
    for (const id of others.slice(1, REQUESTS_PER_SECOND / 20)) void cloud.rest("GET", `/v2/serverless/${id}`);
    sent += REQUESTS_PER_SECOND / 20;
  }, 1000 / 20);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    for (const place of ["", "endpoints", "requests", "costs", `endpoints/${busiest}`]) {
      await page.goto(`${cloud.consoleUrl}#/${place}`);
      await page.locator("main table").first().waitFor();
      const frames = await page.evaluate<number[]>(COLLECT);
      const longest = Math.max(...frames);
      console.log(`${(place || "overview").padEnd(24)} ${frames.length} frames, longest ${longest.toFixed(0)} ms`);
      if (longest > LONGEST_FRAME_MS) process.exitCode = 1;
    }
    console.log(`${sent} requests were sent meanwhile`);
  } finally {
    clearInterval(load);
    await browser.close();
  }
}

/** Endpoints, and jobs of the first ten of them; returns the endpoints' ids. */
async function fill(cloud: Account): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < ENDPOINTS; index++)
    ids.push(
      (await openEndpoint(cloud, { name: `endpoint-${index}`, workers: { min: 0, max: 3, idleTimeout: 5 } })).id,
    );
  for (let index = 0; index < JOBS; index++) await cloud.queue("POST", `${ids[index % 10]}/run`, { input: { index } });
  return ids;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
