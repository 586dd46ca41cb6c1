// What programs do with the service's JavaScript client, as its own examples show it.
import assert from "node:assert/strict";
import runpodSdk from "runpod-sdk";
import { runCases } from "./cases.mjs";

const { RUNPOD_API_KEY, ECHO, STREAM, SLOW, FAIL } = process.env;
const open = (id, key = RUNPOD_API_KEY) => runpodSdk(key).endpoint(id);
const input = { prompt: "a photo of a horse the size of a Boeing 787" };

await runCases({
  async runSync() {
    const { output, succeeded } = await open(ECHO).runSync({ input });
    assert.deepEqual([output, succeeded], [input, true]);
  },
  async runAndStatus() {
    const { id } = await open(ECHO).run({ input });
    const done = await open(ECHO).statusSync(id, 10_000);
    assert.deepEqual([done.status, done.output], ["COMPLETED", input]);
    assert.equal((await open(ECHO).status(id)).completed, true);
  },
  async policy() {
    const { id } = await open(ECHO).run({ input, policy: { executionTimeout: 5000 } });
    assert.equal((await open(ECHO).statusSync(id, 10_000)).succeeded, true);
  },
  async stream() {
    const { id } = await open(STREAM).run({ input });
    const yielded = [];
    for await (const result of open(STREAM).stream(id)) yielded.push(result.output);
    assert.deepEqual(yielded, [0, 1, 2]);
  },
  async failedJob() {
    const { status, succeeded } = await open(FAIL).runSync({ input });
    assert.deepEqual([status, succeeded], ["FAILED", false]);
  },
  async cancel() {
    const { id } = await open(SLOW).run({ input });
    await open(SLOW).cancel(id);
    assert.equal((await open(SLOW).status(id)).status, "CANCELLED");
  },
  async purgeQueue() {
    await open(SLOW).run({ input });
    await open(SLOW).run({ input });
    assert.equal((await open(SLOW).purgeQueue()).status, "completed");
  },
  async health() {
    assert.deepEqual(Object.keys(await open(ECHO).health()).toSorted(), ["jobs", "workers"]);
  },
  async wrongKey() {
    await assert.rejects(open(ECHO, "wrong").health(), /401/);
  },
});
