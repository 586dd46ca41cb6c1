/*
 * What a run that was killed has left, of its creates and of endpoints that it had let start workers, each in its own account:
 * what the next run takes over, waits for, reports or leaves alone, and when notes end.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { findOrphans } from "../../cli/drift/drift";
import type { ClientOptions, Clock } from "../../client";
import { ownMark, startOf } from "../../common/isRunning";
import { RIGHTS } from "../../emulator/settings";
import { markOf } from "../../provider/engine/account";
import { reportLeftovers } from "../../provider/engine/leftovers";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { describeLeftover, leftoversOf } from "../../provider/lifecycle/make/leftovers";
import { InterruptedError } from "../../provider/lifecycle/make/wait";
import type { Holder } from "../../provider/lifecycle/run";
import { Ledger } from "../../provider/memory/ledger";
import { ledgerFolder } from "../../provider/memory/notes";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { withWorkers } from "../../provider/resources/serverless/temporaryWorkers";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import type { EmulatorAddresses } from "../../tools/run/environment";
import { emulatorForAll } from "../harness/account";
import { commandOn, scriptedEngine } from "../harness/commandLine";
import { contextOf, createResource, logForEach, withMessages } from "../harness/context";
import { ENDED, folderForEach, leave } from "../harness/folder";
import { impatient, Place, placeForAll } from "../harness/place";
import { endpoint, template } from "../harness/requests";
import { errorOf, until } from "../harness/until";

const SEED = "0123456789abcdef";
const OTHER_SEED = "fedcba9876543210";
const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const MODELS = { ...VOLUME, __seed: SEED, __logicalName: "models" };
const NAMED = { ...VOLUME, name: "data", __seed: SEED };
const BEGUN = { kind: "NetworkVolume", name: "data", begun: 1, before: [] };

const place = placeForAll();
const { emulator, service } = place;
const folder = folderForEach();
const { said, log } = logForEach();
afterEach(async () => {
  await service.clearFaults();
  await service.setState({ networkVolumes: [] });
});

const newContext = (options: Partial<ClientOptions> = {}): Context => ({
  ...contextOf(emulator, options, folder.path),
  log,
});
/** What a process that the engine starts knows. */
const newRun = (context = newContext()) => new Lifecycle(networkVolume, async () => context);
/** Sends the create and never gets to answer the engine. */
const createUnanswered = async (args: object) => (await createResource(newRun(), { ...args })).id;
const byHand = (name: string) => service.create("/v2/network-volumes", { ...VOLUME, name });
const ids = async () => (await service.state()).networkVolumes.map(({ id }) => id);
/** A note as a killed run leaves it. */
const noted = (name: string, kind = "NetworkVolume", aheadMs = 0) =>
  newContext().ledger.creates.begin(SEED, { kind, name, begun: Date.now(), there: Date.now() + aheadMs, before: [] });

// finds mutants notes-unread, no-note
test.each<[string, Properties, (run: ReturnType<typeof newRun>) => Promise<unknown>, Properties]>([
  ["under its generated name", MODELS, async () => undefined, {}],
  ["under a declared name, beside an older one of that name", NAMED, () => byHand("data"), {}],
  [
    "as the replacement that it was, also when the resource that it was to replace is gone",
    MODELS,
    async (run) => {
      const { inputs } = await run.check({}, { ...MODELS });
      await run.check(inputs, { ...MODELS });
      return inputs.name;
    },
    {},
  ],
  ["with what the program declares by now", MODELS, async () => undefined, { size: 200 }],
])("a killed run's create is taken over %s", async (_, args, prepare, change) => {
  const killed = newRun();
  const other = await prepare(killed);
  const { id, inputs } = await createResource(killed, { ...args });
  const before = (await service.state()).networkVolumes;
  expect([id, inputs.name]).not.toContain(other);
  said.warnings = [];
  expect(await createUnanswered({ ...args, ...change })).toBe(id);
  expect(said.warnings).toEqual([
    expect.stringMatching(`^NetworkVolume ${id} \\(${inputs.name}.*was created by an interrupted run`),
  ]);
  const after = before.map((each) => (each.id === id ? { ...each, ...change } : each));
  expect((await service.state()).networkVolumes).toEqual(after.map((each) => expect.objectContaining(each)));
});

// finds mutant cut-short-is-saved
test.each<[string, Holder, boolean]>([
  ["is taken over where no stack has it", { by: "no stack" }, true],
  ["is left to a stack that has it", { by: "this stack", place: SEED }, false],
  ["is left where that is not known", { by: "unknown", isOwnRead: true }, false],
])(
  "what a run made under a declared name right before its end %s, unless a run has deleted it",
  async (_, holder, taken) => {
    const held = (): Context => ({ ...newContext(), holderOf: async () => holder });
    const ended = async () => {
      const context = held();
      const { id, state } = await createResource(newRun(context), { ...NAMED });
      context.ledger.creates.close();
      return { id, state };
    };
    const first = await ended();
    await newRun().delete(first.id, first.state);
    const { id } = await ended();
    expect(id).not.toBe(first.id);
    expect((await createResource(newRun(held()), { ...NAMED })).id === id).toBe(taken);
  },
);

test("a create that the engine has recorded is not taken over", async () => {
  const { id, state } = await createResource(newRun(), MODELS);
  await newRun().check(state, { ...MODELS });
  expect(await createUnanswered(MODELS)).not.toBe(id);
});

test("a create of another kind is not taken over", async () => {
  noted("data", "GlobalVolume");
  const id = await byHand("data");
  expect(await createUnanswered(NAMED)).not.toBe(id);
});

describe("a create that a kill cut off", () => {
  test("is noted before the call", async () => {
    let noted: string | undefined;
    const create = (...call: Parameters<typeof networkVolume.create>) => {
      noted = newContext().ledger.creates.at(SEED)?.name;
      return networkVolume.create(...call);
    };
    const run = new Lifecycle({ ...networkVolume, create }, async () => newContext());
    const { inputs } = await createResource(run, MODELS);
    expect(noted).toBe(inputs.name);
  });

  test("is noted beside the next one where the program has changed its name", async () => {
    const id = await createUnanswered(NAMED);
    expect(await createUnanswered({ ...NAMED, name: "other" })).not.toBe(id);
    expect([...newContext().ledger.creates.all().values()].map(({ name }) => name).sort()).toEqual(["data", "other"]);
  });

  test.each([
    ["keeps the recorded one", { ...MODELS, name: "models-0a1b2c3" }, MODELS, true],
    ["adopts another one", {}, { ...MODELS, adoptId: "other" }, true],
    ["creates it again", {}, MODELS, false],
  ])("is reported or not by a run whose program %s", async (_, old, args, isReported) => {
    leave(folder.path, [{ is: "creating", place: SEED, ...BEGUN }]);
    const context = newContext();
    await newRun(context).check({ ...old }, { ...args });
    expect([...context.ledger.creates.killed().keys()]).toEqual(isReported ? [SEED] : []);
  });

  test("is waited for as long as it may appear, and not created twice", async () => {
    await using place = await Place.start();
    const clock = place.sharedClock();
    const running = () => newRun(contextOf(place.emulator, { clock }, folder.path));
    await place.service.fault({ match: { operation: "createNetworkVolume" }, act: { staleMs: 45_000 } });
    const { inputs } = await running().check({}, MODELS);
    const { id } = await running().create(inputs);
    expect((await running().create(inputs)).id).toBe(id);
    expect((await place.state()).networkVolumes).toHaveLength(1);
  });

  test.each<[string, (begun: number) => Date | undefined, number]>([
    ["from when it was begun", () => undefined, 90_000],
    ["until the time that its error named", (begun) => new Date(begun + 60_000), 60_000],
  ])("is created again if nothing has appeared, counted %s", async (_, lost, waitMs) => {
    await using place = await Place.start();
    const clock = impatient();
    const context = { ...contextOf(place.emulator, { clock }, folder.path), log };
    const run = newRun(context);
    const { inputs } = await run.check({}, MODELS);
    const begun = clock.now();
    context.ledger.creates.begin(SEED, { ...BEGUN, name: String(inputs.name), begun });
    const lostUntil = lost(begun);
    if (lostUntil !== undefined) context.ledger.creates.answerLost(SEED, lostUntil);
    await run.create(inputs);
    expect((await place.state()).networkVolumes).toHaveLength(1);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(waitMs - 1_000);
    expect(clock.now()).toBeLessThan(begun + waitMs + 5_000);
    expect(said.statuses[0]).toContain(
      `waiting ${Math.round(waitMs / 1000)} s: the create of an interrupted run may still succeed`,
    );
  });

  test("is not chosen among several of its name, nor when one of them is left: adoptId takes it, or another name leaves it", async () => {
    noted("data");
    const [one, other] = [await byHand("data"), await byHand("data")];
    await expect(newRun().create(NAMED)).rejects.toThrow(
      `it is not certain that ${one} or ${other} is what it made. If one of them is this resource, set adoptId, such as ` +
        `adoptId: "${one}"; if not, choose another name.`,
    );
    await service.rest("DELETE", `/v2/network-volumes/${one}`);
    await expect(newRun().create(NAMED)).rejects.toThrow(`it is not certain that ${other} is what it made`);
    expect((await newRun().create({ ...NAMED, adoptId: other })).id).toBe(other);
    expect(await ids()).toEqual([other]);
    expect(await createUnanswered({ ...NAMED, name: "another" })).not.toBe(other);
  });

  test("is not recognized by its age if the service's clock was hours ahead", async () => {
    noted("data", "NetworkVolume", 108_000_000);
    const id = await byHand("data");
    await expect(newRun().create(NAMED)).rejects.toThrow(
      `it is not certain that ${id} is what it made (the service's clock and this machine's are 30 h apart, so`,
    );
    expect(await ids()).toHaveLength(1);
  });

  test("is no longer waited for once the engine is told to stop", async () => {
    noted("data");
    const engine = new AbortController();
    const created = errorOf(newRun({ ...newContext(), signal: engine.signal }).create(NAMED), InterruptedError);
    await until(() => said.statuses.join().includes("NetworkVolume data: "));
    engine.abort();
    await created;
    expect(await ids()).toEqual([]);
  });
});

test("an endpoint that a killed run created from a template is brought to what the template says by now", async () => {
  const templateId = await service.create("/v2/templates", { name: "of-one", image: "repo/chat:1", serverless: true });
  const args = { templateId, gpuIds: "ADA_24", __seed: SEED, __logicalName: "chat" };
  const running = () => new Lifecycle(serverlessEndpoint, async () => newContext());
  const killed = running();
  const { inputs, id } = await createResource(killed, args);
  await service.rest("PATCH", `/v2/templates/${templateId}`, { image: "repo/chat:2" });
  const { id: taken, state } = await running().create(inputs);
  expect(taken).toBe(id);
  expect(await service.rest("GET", `/v2/serverless/${id}`)).toMatchObject({ image: "repo/chat:2" });
  expect(state).not.toHaveProperty("templateDrift");
  expect(said.warnings).toEqual([expect.stringContaining("was created by an interrupted run")]);
});

test("what another run is creating at the same place is an error before any call, and none once that run has ended", async () => {
  const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  await once(other, "spawn");
  // This run listed the notes before the other one wrote its own.
  const run = newRun();
  await run.check({}, { ...NAMED });
  const mark = { ...ownMark(), process: other.pid, started: startOf(Number(other.pid)) };
  leave(folder.path, [{ is: "creating", place: SEED, ...BEGUN, begun: Date.now() - 3_600_000 }], mark);
  await service.forgetCalls();
  await expect(run.create(NAMED)).rejects.toThrow(`process ${other.pid}) is creating NetworkVolume "data"`);
  expect(await service.calls()).toEqual([]);
  const created = run.create(NAMED);
  other.kill();
  await created;
  expect(await ids()).toHaveLength(1);
});

describe("the note of a create", () => {
  const ledger = () => new Ledger({ folder: folder.path });
  afterEach(() => {
    jest.useRealTimers();
  });

  test("is not written without a place, nor by an answer that was lost after its end", async () => {
    await newRun().create({ ...VOLUME, name: "data" });
    ledger().creates.answerLost(SEED, new Date());
    expect(ledger().creates.all().size).toBe(0);
  });

  const ENDPOINT = { gpuIds: "ADA_24", templateId: "unknown", workersMax: 1, flashBootType: "OFF" };
  test.each<[string, Partial<ClientOptions>, number]>([
    ["over GraphQL", {}, 1],
    ["over GraphQL, of several in one document", {}, 3],
    ["over REST", { endpointsThrough: "rest" }, 1],
  ])("is not left by a refusal %s", async (_, options, count) => {
    const context = newContext(options);
    const endpoints = new Lifecycle(serverlessEndpoint, async () => context);
    const seeds = Array.from({ length: count }, (_, index) => `${SEED}${index}`);
    const ended = await Promise.allSettled(
      seeds.map((__seed) => endpoints.create({ ...ENDPOINT, name: `chat-${__seed}`, __seed })),
    );
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(ledger().creates.all().size).toBe(0);
  });

  test("ends some time after the engine got the answer, unless the place is created again by then", () => {
    jest.useFakeTimers();
    const run = ledger();
    run.creates.begin(SEED, BEGUN);
    run.creates.answered(SEED, "made");
    run.creates.begin(OTHER_SEED, BEGUN);
    run.creates.answered(OTHER_SEED, "made");
    run.creates.begin(OTHER_SEED, BEGUN);
    expect(run.creates.at(SEED)).toBeDefined();
    jest.advanceTimersByTime(3_600_000);
    expect([run.creates.at(SEED), run.creates.at(OTHER_SEED)]).toEqual([undefined, expect.objectContaining(BEGUN)]);
    // A second answer starts the time anew.
    run.creates.answered(OTHER_SEED, "made");
    jest.advanceTimersByTime(1);
    run.creates.answered(OTHER_SEED, "made");
    expect(jest.getTimerCount()).toBe(1);
    run.creates.close();
    expect([run.creates.at(OTHER_SEED), jest.getTimerCount()]).toEqual([undefined, 0]);
  });

  test("ends once the state holds a resource of its name that was not there before", () => {
    const run = ledger();
    run.creates.begin(SEED, BEGUN);
    run.creates.recorded(SEED, "other");
    expect(run.creates.at(SEED)).toBeDefined();
    run.creates.recorded(SEED, "data");
    expect(run.creates.at(SEED)).toBeUndefined();
    run.creates.begin(SEED, { ...BEGUN, before: ["old"] });
    run.creates.recorded(SEED, "data");
    expect(run.creates.at(SEED)).toBeDefined();
  });
});

/** What the end of a run says of what killed ones have left. */
async function reported(account: EmulatorAddresses, ledger: string): Promise<string[]> {
  await reportLeftovers({ ...contextOf(account, {}, ledger), log });
  return said.atEnd.splice(0).flatMap((warning) => warning() ?? []);
}

const LONG_AGO = Date.UTC(2026, 0, 1);
const MARK = { ...ownMark(), at: LONG_AGO };
const DAY_MS = 86_400_000;
const POD = 'Pod "web-0a1b2c3"';
const BY_DEV = ', begun 2026-01-01T00:00:00.000Z by the stack "dev"';

test.each([
  ["nothing so far", [], [], 0, `${BY_DEV}: may still appear until 2026-01-01T00:01:30.000Z`],
  ["nothing in time", [], [], 90_000, undefined],
  ["one thing beside an older one", ["old", "new"], [], 90_000, 'Pod "web-0a1b2c3" (new), begun 2026-01-01'],
  ["one of several", ["a", "b"], [], 0, "perhaps a or b"],
  ["one thing beside what appeared days later", ["new", "later"], [], 90_000, 'Pod "web-0a1b2c3" (new)'],
  ["what appeared days later alone", ["later"], [], 90_000, undefined],
  ["what a state holds", ["a"], [["a"]], 0, undefined],
  ["what a state holds at its place", ["a", "b"], [["a", "seed"]], 0, undefined],
  ["what a state holds at another place", ["a"], [["a", "another"]], 90_000, undefined],
  ["one beside a namesake that a state holds", ["a", "b"], [["b", "another"]], 90_000, "perhaps a"],
  ["what can't be listed", undefined, [], 90_000, `${POD}${BY_DEV}: could not be looked for`],
])("of a create: %s", (_, ids, recorded, laterMs, expected) => {
  const begun = { kind: "Pod", name: "web-0a1b2c3", begun: LONG_AGO, before: ["old"], stack: "dev", ...MARK };
  const createdAt = (id: string) => new Date(LONG_AGO + (id === "later" ? 2 * DAY_MS : 1_000)).toISOString();
  const listed = () => ids?.map((id: string) => ({ id, name: begun.name, createdAt: createdAt(id) }));
  const places = new Map(recorded.map(([id, __seed]: string[]) => [id, { __seed }]));
  const isRecorded = (id: string) => places.get(id);
  const remains = (more: object) =>
    leftoversOf(new Map([["seed", { ...begun, ...more }]]), undefined, listed, isRecorded, LONG_AGO + laterMs);
  const lines = remains({}).map(describeLeftover);
  for (const doubt of [{ unclear: true }, { there: LONG_AGO + DAY_MS }])
    expect(remains(doubt).some(({ isCertain }) => isCertain)).toBe(false);
  if (expected === undefined) expect(lines.filter((line) => line !== undefined)).toEqual([]);
  else expect(lines).toEqual([expect.stringContaining(expected)]);
});

// finds mutant certain-while-made-elsewhere
test("of a create elsewhere: nothing is certain as long as its run may go on", () => {
  const begun = { kind: "Pod", name: "web", begun: LONG_AGO, before: [], ...MARK, host: "another-runner" };
  const certain = (laterMs: number) =>
    leftoversOf(
      new Map([["seed", begun]]),
      undefined,
      () => [{ id: "new", name: "web" }],
      () => undefined,
      LONG_AGO + laterMs,
    ).map(({ isCertain }) => isCertain);
  expect(certain(1_800_000)).toEqual([false]);
  expect(certain(3_700_000)).toEqual([true]);
});

test("an endpoint with temporary workers is scaled back by its next update, which is none to what follows it", async () => {
  const { id: templateId } = await place.client().templates.create({ ...template("t"), serverless: true });
  const first = new Lifecycle(serverlessEndpoint, async () => contextOf(emulator));
  const { inputs } = await first.check({}, { name: "resting", templateId, gpuIds: "ADA_24", workersMax: 0 });
  const { id, state } = await first.create(inputs);
  await service.rest("PATCH", `/v2/serverless/${id}`, { workers: { min: 0, max: 2, idleTimeout: 10 } });

  const awake = folder.at("awake");
  const running = contextOf(emulator, {}, awake);
  running.ledger.workers.changed(id, 2);
  // By a run that goes on.
  const other = contextOf(emulator, {}, awake);
  expect((await new Lifecycle(serverlessEndpoint, async () => other).diff(id, state, inputs)).changes).toBe(false);
  expect(other.ledger.workers.leftoverIds()).toEqual([]);
  running.ledger.workers.restored(id);

  leave(awake, [{ is: "awake", id, workersMax: 2 }]);
  const { context, said: messages } = withMessages(contextOf(emulator, {}, awake), ["info"]);
  const run = new Lifecycle(serverlessEndpoint, async () => context);
  expect(context.ledger.workers.leftoverIds()).toEqual([id]);
  expect(await run.diff(id, state, { ...inputs, workersMax: 2 })).toMatchObject({ changes: true });
  expect(messages).toEqual([]);
  expect(await run.diff(id, state, inputs)).toMatchObject({ changes: true, replaces: [] });
  expect(messages).toEqual([
    `ServerlessEndpoint "${id}" may start up to 2 workers, because a run was killed during its job: this update scales it to 0.`,
  ]);
  expect(context.ledger.workers.leftoverIds()).toEqual([]);
  expect(await run.update(id, state, inputs)).toEqual(state);
  expect((await place.state()).endpoints?.find((each) => each.id === id)).toMatchObject({ workers: { max: 0 } });
  expect((await run.diff(id, state, inputs)).changes).toBe(false);

  leave(awake, [{ is: "awake", id, workersMax: 2 }]);
  const last = contextOf(emulator, {}, awake);
  expect(last.ledger.workers.leftoverIds()).toEqual([id]);
  await new Lifecycle(serverlessEndpoint, async () => last).delete(id, state);
  expect(contextOf(emulator, {}, awake).ledger.workers.leftoverIds()).toEqual([]);
});

test("the note of an endpoint that is gone ends; that of one that may still start workers stays, and is reported", async () => {
  const left = folder.at("left");
  const { id } = await place.client().serverless.create(endpoint("left"));
  leave(
    left,
    [id, "gone"].map((each) => ({ is: "awake", id: each, workersMax: 1 })),
  );
  expect(await reported(emulator, left)).toEqual([expect.stringMatching(new RegExp(`workers enabled on: ${id}\\.`))]);
  expect(contextOf(emulator, {}, left).ledger.workers.leftoverIds()).toEqual([id]);
});

describe("temporary workers of a killed run, whose first request arrives a minute late,", () => {
  const UPDATE = { operation: "updateEndpoint" };
  const HANGS = new Promise<never>(() => {});
  const atRest = { gpuIds: "ADA_24", workersMax: 0 };
  const most = async (id: string) => (await place.client().serverless.get(id)).workers?.max;
  let templateId: string;
  beforeAll(async () => {
    ({ id: templateId } = await place.client().templates.create({ ...template("late"), serverless: true }));
  });

  /** Its process ends in its first wait of that length, so that only its notes and its requests are left. */
  async function killInWaitOf(ms: number, id: string) {
    const { promise: isKilled, resolve: kill } = Promise.withResolvers<void>();
    const clock = place.sharedClock();
    const sleep: Clock["sleep"] = (waitMs) => {
      if (waitMs < ms) return clock.sleep(waitMs);
      kill();
      return HANGS;
    };
    const context = contextOf(emulator, { clock: { ...clock, sleep } });
    const killed = { ...context, ledger: new Ledger({ folder: folder.path, process: ENDED }) };
    void withWorkers(killed, id, 1, async () => {});
    await isKilled;
  }

  // finds mutant late-change-of-a-killed-run
  test.each([
    ["before the second is sent, are scaled back for good by an update", 0, "update"],
    ["in the wait for it, are scaled back for good by an update", 30_000, "update"],
    ["before the second is sent, are scaled back for good by a job", 0, "job"],
    ["in the wait for it, are scaled back for good by a job", 30_000, "job"],
  ])("%s", async (name, waitMs, next) => {
    const resting = new Lifecycle(serverlessEndpoint, async () => contextOf(emulator));
    const { id, inputs, state } = await createResource(resting, { ...atRest, name, templateId });
    await place.fault(UPDATE, { lateMs: 60_000 });
    await killInWaitOf(waitMs, id);
    const running = () => contextOf(emulator, { clock: place.sharedClock() }, folder.path);
    const { context, said } = withMessages(running(), ["status"]);
    if (next === "job") await withWorkers(context, id, 1, async () => {});
    else await new Lifecycle(serverlessEndpoint, async () => context).update(id, state, inputs);
    expect(said.join()).toMatch(/waiting \d+ s: a change by an interrupted run may still arrive/);
    await service.advance(120_000);
    expect(await most(id)).toBe(0);
    expect(running().ledger.workers.leftoverIds()).toEqual([]);
  });

  test("are waited for no longer than that, and not at all where every request was answered", async () => {
    const { id } = await place.client().serverless.create(endpoint("answered"));
    await place.client().serverless.update(id, { workers: { min: 0, max: 0, idleTimeout: 5 } });
    const killed = { ...contextOf(emulator), ledger: new Ledger({ folder: folder.path, process: ENDED }) };
    const { promise: isRunning, resolve: run } = Promise.withResolvers<void>();
    void withWorkers(killed, id, 1, () => {
      run();
      return HANGS;
    });
    await isRunning;
    const clock = impatient();
    const { ledger, ...others } = contextOf(emulator, { clock }, folder.path);
    await withWorkers({ ...others, ledger }, id, 1, async () => {});
    expect(clock.waits).toEqual([]);
    leave(folder.path, [{ is: "awake", id, workersMax: 1, until: Date.now() + 3_600_000 }]);
    await withWorkers({ ...others, ledger: new Ledger({ folder: folder.path }) }, id, 1, async () => {});
    expect(clock.waits).toEqual([90_000]);
    expect(await most(id)).toBe(0);
  });
});

/* Stacks of one program may be in several accounts. What a killed run noted holds in the account that it worked in. */
describe("in another account", () => {
  const NOTE = { ...BEGUN, account: markOf("user_emulated") };
  /** It may do everything but tell its account. */
  const areas = Object.fromEntries(
    RIGHTS.flatMap((right) => (right === "account" ? [] : [[right, "read-write"] as const])),
  );
  const BLIND = { key: "may-not-tell", kind: "restricted", areas } as const;

  const { emulator: theirs, service: elsewhere } = emulatorForAll({
    settings: { account: { id: "user_theirs", email: null }, keys: [BLIND] },
  });
  const blind = () => ({ ...theirs, apiKey: BLIND.key });

  /** Somebody else's, in the other account, with the name of what the killed run was about to make. */
  let foreign: string;
  beforeEach(async () => {
    foreign = await elsewhere.create("/v2/network-volumes", { ...VOLUME, name: "data" });
    leave(folder.path, [{ is: "creating", place: SEED, ...NOTE }]);
  });
  afterEach(() => elsewhere.setState({ networkVolumes: [] }));

  /** A create at the place of the killed one, by a run that has asked whose its key is. */
  async function createVolume(account: EmulatorAddresses): Promise<string> {
    const context = contextOf(account, {}, folder.path);
    await context.account.mark();
    return (await createResource(newRun(context), NAMED)).id;
  }

  // finds mutant note-of-another-account-taken
  test("a create takes nothing over, and the note of the first one stays", async () => {
    expect(await createVolume(theirs)).not.toBe(foreign);
    const accounts = [...newContext().ledger.creates.all().values()].map(({ account }) => account);
    expect(accounts.sort()).toEqual(["user_emulated", "user_theirs"].map(markOf).sort());
  });

  // finds mutant note-believed-without-an-account
  test("a create with a key that may not tell its account takes nothing over without a word", () =>
    expect(createVolume(blind())).rejects.toThrow(`not certain that ${foreign} is what it made`));

  // finds mutant not-looked-for-is-gone
  test.each<[string, () => EmulatorAddresses]>([
    ["is another one", () => theirs],
    ["can't be told", blind],
  ])("orphans are not said to be none where the key's account %s, and none is deleted", async (_, account) => {
    const program = realpathSync(folder.path);
    const ledger = ledgerFolder(program);
    leave(ledger, [{ is: "creating", place: SEED, ...NOTE }]);
    const env = { ...(await scriptedEngine(program, "echo '[]'")), PULUMI_HOME: process.env.PULUMI_HOME };
    const { exitCode, stdout } = await commandOn(account(), ["orphans", "--cwd", program, "--delete", "--yes"], {
      env,
    });
    expect(stdout).toContain(`could not be looked for in its account ${NOTE.account}\nDeleted 0.\n`);
    expect(exitCode).toBe(1);
    const { left } = await findOrphans(contextOf(emulator), new Ledger({ folder: ledger }), async () => []);
    expect(left).toMatchObject([{ seed: SEED, ids: [] }]);
  });

  test("an endpoint that a job left awake, and a create, are missed in their own account alone", async () => {
    const awake = folder.at("awake");
    leave(awake, [
      { is: "awake", id: "left", workersMax: 1, account: NOTE.account },
      { is: "creating", place: SEED, ...NOTE },
    ]);
    expect(await reported(theirs, awake)).toEqual([]);
    expect(await reported(blind(), awake)).toEqual([
      expect.stringContaining("workers enabled on: left."),
      expect.stringContaining("could not be looked for"),
    ]);
    // Deleted there.
    expect(await reported(emulator, awake)).toEqual([]);
    expect(await reported(blind(), awake)).toEqual([]);
  });
});
