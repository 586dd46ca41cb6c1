/* An endpoint that verifies itself, and one that gets workers for a job: what is left when something fails on the way. */
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type ClientOptions, type Clock, ConnectionError } from "../../client";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { InterruptedError } from "../../provider/lifecycle/make/wait";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { serverlessContainer } from "../../provider/resources/serverless/serverlessContainer";
import { smokeJob } from "../../provider/resources/serverless/smokeJob";
import { withWorkers } from "../../provider/resources/serverless/temporaryWorkers";
import { emulatorForAll } from "../harness/account";
import { contextOf, withMessages } from "../harness/context";
import { folderForAll } from "../harness/folder";
import { Place } from "../harness/place";
import { errorOf, until } from "../harness/until";

const GOOD = "emulator/echo:1";
const BAD = "emulator/fail:1";
const QUEUE = {
  name: "chat",
  type: "QUEUE",
  image: GOOD,
  scaling: { type: "REQUEST_COUNT", requestCount: 1 },
  gpu: { pools: ["AMPERE_16"], excludedTypes: ["NVIDIA RTX A4500"] },
  verify: JSON.stringify({ input: { token: "hunter2-token" }, timeout: "2m" }),
};

const { emulator, service } = emulatorForAll();
let endpoints: Lifecycle;
let jobs: Lifecycle;
let warnings: string[];
/** About endpoints that are awake. */
const notes = folderForAll();
beforeAll(async () => {
  const context = contextOf(emulator, {}, notes.path);
  const telling = withMessages(context);
  warnings = telling.said;
  endpoints = new Lifecycle(serverlessContainer, async () => context);
  jobs = new Lifecycle(smokeJob, async () => telling.context);
});
beforeEach(() => service.clearFaults());

const denySecondUpdate = () => {
  const act = { status: 403, body: { title: "Forbidden", status: 403, detail: "access denied" } };
  return service.fault({ match: { operation: "updateEndpoint", nth: 2 }, act });
};
const checked = async (args: object): Promise<Properties> => (await endpoints.check({}, { ...QUEUE, ...args })).inputs;
const record = async (id: string) => (await service.state()).endpoints.find((endpoint) => endpoint.id === id);

test("an endpoint that verifies itself is kept in the state, unfinished, when it does not serve from the start, and verified again", async () => {
  const unproven = await checked({ image: BAD, __secrets: ["verify"] });
  const failure = await errorOf(endpoints.create(unproven), PartlyMadeError);
  expect(failure.message).toMatch(/is FAILED: the worker ran it and reported an error/);
  expect(failure.message).not.toContain("hunter2");
  // A change that leaves the workers alone is no proof either.
  for (const more of [{}, { workers: { max: 5 } }]) {
    const next = await checked({ image: BAD, ...more });
    await expect(endpoints.update(failure.id, failure.properties, next)).rejects.toThrow("is FAILED");
  }
  await endpoints.update(failure.id, failure.properties, await checked({}));
  expect(await record(failure.id)).toMatchObject({ image: GOOD });
});

// finds mutants settings-not-put-back, unproven-update
test("an endpoint that verifies itself gets back all that an update changed, when its job fails", async () => {
  const { id, state } = await endpoints.create(await checked({ env: { A: "1" }, workers: { max: 2 } }));
  const before = await record(id);
  const changed = await checked({ image: BAD, env: { B: "2" }, workers: { max: 4 }, dataCenterIds: ["EU-RO-1"] });
  await expect(endpoints.update(id, state, changed)).rejects.toThrow("was restored to its settings from before this");
  expect(await record(id)).toEqual({ ...before, version: expect.any(Number), lastRequestAt: expect.any(Number) });
});

test.each(["in place", "to another"])(
  "an endpoint that verifies itself gets back what it had of a template that a run has changed %s, when its job fails",
  async (how) => {
    const settings = { image: GOOD, args: "--fast", disk: 30, ports: ["80/http"], env: { A: "1" }, serverless: true };
    const templateId = await service.create("/v2/templates", { ...settings, name: how, allowedCudaVersions: ["12.4"] });
    const copy = { image: undefined, templateId, templateRevision: 1 };
    const { id, state } = await endpoints.create(await checked(copy));
    const before = await record(id);
    const broken = { ...settings, image: BAD, args: "", disk: 40, env: { B: "2" }, allowedCudaVersions: [] };
    await service.rest("PATCH", `/v2/templates/${templateId}`, broken);
    const other = await service.create("/v2/templates", { ...broken, name: `not ${how}` });
    const next = how === "in place" ? { templateRevision: 2 } : { templateId: other };
    await expect(endpoints.update(id, state, await checked({ ...copy, ...next }))).rejects.toThrow("was restored");
    expect(await record(id)).toEqual({ ...before, version: expect.any(Number), lastRequestAt: expect.any(Number) });
  },
);

test("an endpoint that verifies itself is recorded as changed when it could not be put back", async () => {
  const { id, state } = await endpoints.create(await checked({}));
  await denySecondUpdate();
  const failure = await errorOf(endpoints.update(id, state, await checked({ image: BAD })), PartlyMadeError);
  expect(failure).toMatchObject({ id, properties: { image: BAD } });
  expect(String(failure)).toMatch(/is FAILED[\s\S]*could not be restored: .*access denied/);
});

test.each([
  ["load balancer", { type: "LOAD_BALANCER" }, { path: "/predict", body: { token: "hunter2-token" } }],
  ["queue with a language model", {}, { chat: "hunter2-token", expect: { text: "hunter2" } }],
])("an endpoint that verifies itself may be a %s, which a request proves", async (_, more, request) => {
  const verify = JSON.stringify({ request: { ...request, timeout: "20s" } });
  const args = { ...more, verify, __secrets: ["verify"] };
  const { id, state } = await endpoints.create(await checked(args));
  await service.forgetCalls();
  const failure = await errorOf(endpoints.update(id, state, await checked({ ...args, image: BAD })));
  expect(String(failure)).toMatch(/got 500: the server answered with an error of its own[\s\S]*was restored /);
  expect(String(failure)).not.toContain("hunter2");
  expect(await record(id)).toMatchObject({ image: GOOD });
});

test("an endpoint that verifies itself runs no job for a change that leaves its workers alone", async () => {
  const { id, state } = await endpoints.create(await checked({}));
  await service.forgetCalls();
  await endpoints.update(id, state, await checked({ workers: { max: 5 } }));
  expect(await service.calls()).not.toContain("run");
});

const createResting = async (args: object = {}) =>
  (await endpoints.create(await checked({ workers: { max: 0 }, verify: undefined, ...args }))).id;
const job = (endpointId: string) => ({ endpointId, input: '{"a":1}', workersMax: 2, timeout: "2m" });

// finds mutant candidate-awake
test.each([GOOD, BAD])("an endpoint that rests gets workers for a job alone, whose image is %s", async (image) => {
  const id = await createResting({ image });
  await jobs.create(job(id)).catch(() => {});
  expect(await service.calls()).toContain("run");
  expect(await record(id)).toMatchObject({ workers: { min: 0, max: 0 }, gpu: { excludedTypes: ["NVIDIA RTX A4500"] } });
  expect(await service.rest("GET", `/v2/serverless/${id}/workers`)).toMatchObject({ summary: { total: 0 } });
});

/** What the ledger last says of an endpoint. */
const lastEntry = (id: string) =>
  readdirSync(notes.path)
    .flatMap((file) => readFileSync(notes.at(file), "utf8").match(/.+/g) ?? [])
    .map((line) => JSON.parse(line))
    .findLast((entry) => entry.id === id);
const lastNote = (id: string) => lastEntry(id)?.is;

test("an endpoint that rests and could not be scaled back is said, and noted until it could, and the job counts", async () => {
  const id = await createResting();
  await denySecondUpdate();
  expect((await jobs.create(job(id))).state).toMatchObject({ status: "COMPLETED" });
  expect(warnings.join()).toMatch(/could not be scaled back to 0 workers.*access denied/);
  expect(lastNote(id)).toBe("awake");
  await jobs.create(job(id));
  expect(lastNote(id)).not.toBe("awake");
});

test("an endpoint whose workers were refused is at rest", async () => {
  const id = await createResting();
  const refused = { title: "Bad Request", status: 400, detail: "no workers are left" };
  await service.fault({ match: { operation: "updateEndpoint" }, act: { status: 400, body: refused } });
  await expect(jobs.create(job(id))).rejects.toThrow("no workers are left");
  expect(lastNote(id)).toBe("rested");
});

/** Another run, whose client shares the emulator's clock, and what it warns of. */
function runWith(options: Partial<ClientOptions> = {}) {
  const clock = new Place(emulator, service).sharedClock();
  const { context, said } = withMessages(contextOf(emulator, { clock, ...options }, notes.path));
  const [containers, gates] = [serverlessContainer, smokeJob].map((kind) => new Lifecycle(kind, async () => context));
  return { containers, gates, said, clock };
}
const late = () => service.fault({ match: { operation: "updateEndpoint" }, act: { lateMs: 60_000 } });

// finds mutants failed-change-is-none, no-note-of-the-candidate
test("an endpoint whose workers may have been raised is scaled back, although the answer was lost and no job ran", async () => {
  const id = await createResting();
  await service.fault({ match: { operation: "updateEndpoint" }, act: { drop: "after" } });
  await expect(runWith({ retryBudgetMs: 1 }).gates?.create(job(id))).rejects.toThrow(ConnectionError);
  expect(await record(id)).toMatchObject({ workers: { max: 0 } });
  expect(lastNote(id)).toBe("rested");
});

test("an endpoint that a late change may undo is said, and noted or recorded as changed, when a run ends too early", async () => {
  const { clock } = runWith();
  const sleep: Clock["sleep"] = (ms, signal) => {
    if (ms > 30_000) throw new InterruptedError();
    return clock.sleep(ms, signal);
  };
  const { containers, gates, said } = runWith({ clock: { ...clock, sleep } });
  const resting = await createResting();
  const { id, state } = await endpoints.create(await checked({}));
  await late();
  await gates?.create(job(resting));
  expect(said.join()).toMatch(/could not be scaled back to 0 workers.*may still be undone until 2/);
  expect(lastEntry(resting)).toMatchObject({ is: "awake", until: expect.any(Number) });
  await late();
  const updating = Promise.resolve(containers?.update(id, state, await checked({ image: BAD })));
  const failure = await errorOf(updating, PartlyMadeError);
  expect(String(failure)).toMatch(/could not be restored: .*may still be undone until 2/);
  expect(failure.properties).toMatchObject({ image: BAD });
});

test("an endpoint stays scaled back, or restored, when a gateway delivers the change before it late", async () => {
  const { containers, gates } = runWith();
  const resting = await createResting();
  const { id, state } = await endpoints.create(await checked({}));
  await late();
  await gates?.create(job(resting));
  await late();
  const updating = containers?.update(id, state, await checked({ image: BAD }));
  await expect(updating).rejects.toThrow("was restored to its settings");
  await service.advance(120_000);
  expect(await record(resting)).toMatchObject({ workers: { max: 0 } });
  expect(await record(id)).toMatchObject({ image: GOOD });
});

/** An endpoint without workers, and the run that declares a schedule for it. */
async function atRest() {
  const id = await createResting();
  const { context, said } = withMessages(contextOf(emulator, {}, notes.path));
  context.ledger.workers.schedules(id);
  return { context, said, id, most: async () => Object((await record(id))?.workers).max };
}

// finds mutant workers-taken-from-a-proof
test.each<[string, number | undefined]>([
  ["a schedule", undefined],
  ["a candidate", 1],
])("two proofs at once share the workers of %s, which go after the last one", async (_, workersMax) => {
  const { context, id, most } = await atRest();
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun = [false, false];
  const [first, second] = ends.map(({ promise }, index) =>
    withWorkers(context, id, workersMax, () => {
      begun[index] = true;
      return promise;
    }),
  );
  await until(() => !begun.includes(false));
  expect(await most()).toBe(1);
  ends[0]?.resolve();
  await first;
  expect(await most()).toBe(1);
  ends[1]?.resolve();
  await second;
  expect(await most()).toBe(0);
  expect(lastNote(id)).toBe("rested");
});

// finds mutant live-endpoint-scaled-to-none
test("a proof that needs more workers raises them for all, one that fails leaves them to the others, and what has workers keeps them", async () => {
  const { context, said, id, most } = await atRest();
  const [long, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = withWorkers(context, id, 1, () => long.promise);
  await until(async () => (await most()) === 1);
  const second = withWorkers(context, id, 2, () => failing.promise);
  await until(async () => (await most()) === 2);
  failing.reject(new RangeError("no"));
  await expect(second).rejects.toThrow(RangeError);
  expect(await most()).toBe(2);
  long.resolve();
  await first;
  expect(await most()).toBe(0);
  await service.rest("PATCH", `/v2/serverless/${id}`, { workers: { min: 0, max: 3 } });
  for (const workersMax of [undefined, 1, 5]) {
    await withWorkers(context, id, workersMax, async () => expect(await most()).toBe(3));
    expect(await most()).toBe(3);
  }
  expect(said).toEqual(Array(2).fill(expect.stringMatching(/has a maximum of 3 workers, which it keeps/)));
});
