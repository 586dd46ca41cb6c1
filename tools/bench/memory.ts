import { randomUUID } from "node:crypto";
import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient } from "../../client";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What is in use once all else is collected. Bytes. */
async function heap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    await new Promise(setImmediate);
    collect();
  }
  return process.memoryUsage().heapUsed;
}

/**
 * What calls with signals that live for long leave on the heap: `npx tsx tools/bench/memory.ts`
 * makes 100,000, and as many jobs.
 */
export async function heapAfterCalls(calls: number): Promise<{ bytesACall: number; listeners: number }> {
  const server = createServer((_, response) => response.end('{"keys":[]}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [ofClient, ofCalls] = [new AbortController().signal, new AbortController().signal];
  const addresses = { baseUrl: address, serverlessUrl: address, graphqlUrl: address };
  const client = createClient({ apiKey: "key", ...addresses, signal: ofClient });
  const make = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await client.sshKeys.get({ signal: ofCalls });
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  };
  // What is made once, compiled code among it, is not a leak.
  await make(2_000);
  const before = await heap();
  await make(calls);
  const bytesACall = ((await heap()) - before) / calls;
  const listeners = [ofClient, ofCalls].flatMap((signal) => getEventListeners(signal, "abort")).length;
  await client.close();
  await new Promise((resolve) => server.close(resolve));
  return { bytesACall, listeners };
}

/**
 * What a batch leaves on the heap for each job, once all that it keeps of the last ones is there: between two places of it.
 *
 * @param journal a path
 */
export async function heapOfBatch(jobs: number, from: number, journal: string): Promise<number> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const id = request.url?.split("/").at(-1) ?? "";
      const job = id === "run" ? { id: randomUUID(), status: "IN_QUEUE" } : { id, status: "COMPLETED", output: 1 };
      response.end(JSON.stringify(job));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = { baseUrl: address, serverlessUrl: address, graphqlUrl: address };
  const unlimited = { per10s: Infinity, concurrent: Infinity };
  const client = createClient({ apiKey: "key", ...addresses, queueLimits: { run: unlimited, status: unlimited } });
  function* inputs() {
    for (let n = 0; n < jobs; n += 1) yield { n };
  }
  let results = 0;
  let before = 0;
  let after = 0;
  for await (const _ of client.queue("e").runMany(inputs(), { concurrency: 50, journal })) {
    results += 1;
    if (results === from) before = await heap();
    if (results === jobs) after = await heap();
  }
  await client.close();
  await new Promise((resolve) => server.close(resolve));
  return (after - before) / (jobs - from);
}

async function main(): Promise<void> {
  const count = 100_000;
  const { bytesACall, listeners } = await heapAfterCalls(count);
  console.log(
    `${count} calls with two signals: ${bytesACall.toFixed(1)} bytes a call kept, ${listeners} listeners left`,
  );
  const folder = mkdtempSync(join(tmpdir(), "batch-"));
  const began = performance.now();
  const bytes = await heapOfBatch(count, 12_000, join(folder, "journal"));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${count} jobs of a batch with a journal, in ${seconds} s: ${bytes.toFixed(1)} bytes a job kept`);
  rmSync(folder, { recursive: true });
}

if (require.main === module) void main();
