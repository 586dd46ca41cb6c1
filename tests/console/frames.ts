/*
 * `npm run tool tests/console/frames.ts`: how smoothly the console runs with 1,000 endpoints, 10,000 jobs and 200 requests a second.
 * For each page: how many frames there were, and the longest. Ends with exit code 1 when one took more than 100 ms.
 */
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
  await using cloud = await openAccount({ settings: { workerQuota: 1_000_000 } });
  await fill(cloud);
  const { endpoints } = (await cloud.control("GET", "/state")).body;
  const busiest: string = endpoints[0].id;
  const browser = await openBrowser();
  const load = startLoad(cloud, busiest);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    for (const place of ["", "endpoints", "requests", "costs", `endpoints/${busiest}`]) {
      await page.goto(`${cloud.consoleUrl}#/${place}`);
      await page.locator("main table").first().waitFor();
      report(place.replace(busiest, "…") || "overview", await page.evaluate<number[]>(COLLECT));
    }
    console.log(`${load.sent()} requests were sent meanwhile`);
  } finally {
    load.stop();
    await browser.close();
  }
}

/** Endpoints over REST, and jobs over the queue, all to the first ten of them. */
async function fill(cloud: Account): Promise<void> {
  const ids: string[] = [];
  for (let index = 0; index < ENDPOINTS; index++) {
    const { id } = await cloud.create("/v2/serverless", {
      name: `endpoint-${index}`,
      type: "QUEUE",
      image: "emulator/echo",
      gpu: { pools: ["AMPERE_16"] },
      workers: { min: 0, max: 3, idleTimeout: 5 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    });
    ids.push(id);
  }
  for (let index = 0; index < JOBS; index += 100)
    await Promise.all(
      Array.from({ length: 100 }, () => cloud.queue("POST", `${ids[(index / 100) % 10]}/run`, { input: { index } })),
    );
}

function startLoad(cloud: Account, endpointId: string) {
  let sent = 0;
  const timer = setInterval(() => {
    for (let index = 0; index < REQUESTS_PER_SECOND / 20; index++, sent++)
      void (index === 0
        ? cloud.queue("POST", `${endpointId}/run`, { input: { sent } })
        : cloud.rest("GET", `/v2/serverless/${endpointId}`));
  }, 1000 / 20);
  return { sent: () => sent, stop: () => clearInterval(timer) };
}

function report(place: string, frames: readonly number[]): void {
  const longest = Math.max(...frames);
  const late = frames.filter((ms) => ms > LONGEST_FRAME_MS).length;
  console.log(
    `${place.padEnd(14)} ${frames.length} frames, longest ${longest.toFixed(0)} ms, ${late} over ${LONGEST_FRAME_MS} ms`,
  );
  if (late > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
