// @long: tens of thousands of calls.
import { randomUUID } from "node:crypto";
import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { createClient } from "../../client";
import { folderForEach } from "../harness/folder";
import { type Served, serve } from "../harness/serve";
import { sized } from "../harness/size";

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

const folder = folderForEach();
const optionsFor = ({ address: url }: Served) => ({ apiKey: "key", baseUrl: url, serverlessUrl: url, graphqlUrl: url });

test("a signal that outlives many calls keeps nothing of them", async () => {
  await using server = await serve((_, response) => response.end('{"keys":[]}'));
  const [ofClient, ofCalls] = [new AbortController().signal, new AbortController().signal];
  const client = createClient({ ...optionsFor(server), signal: ofClient });
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
  const calls = 20_000;
  await make(calls);
  const bytesACall = ((await heap()) - before) / calls;
  expect([ofClient, ofCalls].flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
  await client.close();
  expect(bytesACall).toBeLessThan(80);
});

test("a batch with a journal keeps nothing of its jobs", async () => {
  await using server = await serve((request, response) => {
    request.resume().on("end", () => {
      const id = request.url?.split("/").at(-1) ?? "";
      const job = id === "run" ? { id: randomUUID(), status: "IN_QUEUE" } : { id, status: "COMPLETED", output: 1 };
      response.end(JSON.stringify(job));
    });
  });
  const unlimited = { per10s: Infinity, concurrent: Infinity };
  const client = createClient({ ...optionsFor(server), queueLimits: { run: unlimited, status: unlimited } });
  // As many jobs as are remembered for the finer words of a 404 come first.
  const [from, jobs] = [12_000, sized(100_000, 20_000)];
  function* inputs() {
    for (let n = 0; n < jobs; n += 1) yield { n };
  }
  let results = 0;
  let before = 0;
  for await (const _ of client.queue("e").runMany(inputs(), { concurrency: 50, journal: folder.at("journal") })) {
    results += 1;
    if (results === from) before = await heap();
    if (results === jobs) expect(((await heap()) - before) / (jobs - from)).toBeLessThan(80);
  }
  expect(results).toBe(jobs);
  await client.close();
});
