// What programs do with the service's JavaScript client, as its own examples show it; only the address is changed.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const { SDK, KEY, BASE_URL, ECHO, STREAM, SLOW, FAIL } = process.env;
const { default: runpodSdk } = await import(pathToFileURL(SDK).href);
const open = (id, key = KEY) => runpodSdk(key, { baseUrl: BASE_URL }).endpoint(id);
const input = { prompt: "a photo of a horse the size of a Boeing 787" };

const cases = {
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
};

for (const [name, run] of Object.entries(cases)) {
  const error = await run().then(
    () => null,
    (caught) => String(caught?.stack ?? JSON.stringify(caught)),
  );
  console.log(JSON.stringify({ case: name, error }));
}
