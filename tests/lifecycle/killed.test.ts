/* What a killed run has left of its creates: what the next run takes over, waits for or leaves alone, and when notes end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { type ClientOptions, MayExistError } from "../../client";
import { ownMark, startOf } from "../../common/isRunning";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { InterruptedError } from "../../provider/lifecycle/make/wait";
import { Ledger } from "../../provider/memory/ledger";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, logForEach } from "../harness/context";
import { folderForEach, leave } from "../harness/folder";
import { impatient, Place } from "../harness/place";
import { errorOf, until } from "../harness/until";

const SEED = "0123456789abcdef";
const OTHER_SEED = "fedcba9876543210";
const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const MODELS = { ...VOLUME, __seed: SEED, __logicalName: "models" };
const NAMED = { ...VOLUME, name: "data", __seed: SEED };
const BEGUN = { kind: "NetworkVolume", name: "data", begun: 1, before: [] };

const { emulator, service } = emulatorForAll();
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
test.each([
  ["a generated name", MODELS],
  ["a declared one", NAMED],
])("what a run made right before its end under %s is taken over, unless a run has deleted it", async (_, args) => {
  const ended = async () => {
    const context = newContext();
    const { id, state } = await createResource(newRun(context), { ...args });
    context.ledger.creates.close();
    return { id, state };
  };
  const first = await ended();
  await newRun().delete(first.id, first.state);
  const { id } = await ended();
  expect(id).not.toBe(first.id);
  expect(await createUnanswered(args)).toBe(id);
});

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

// finds mutant ended-second-run
test("what a run that has ended since created at the same place is an error before any call, and the next run's to adopt", async () => {
  const run = newRun();
  await run.check({}, { ...NAMED });
  leave(folder.path, [
    { is: "creating", place: SEED, ...BEGUN, begun: Date.now() },
    { is: "settled", place: SEED, id: "made" },
  ]);
  const id = await byHand("data");
  await expect(run.create(NAMED)).rejects.toThrow('is creating NetworkVolume "data" now, or has just created it');
  expect((await newRun().create(NAMED)).id).toBe(id);
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

  test("stays after an answer of GraphQL that does not say whether it was done", async () => {
    const body = { errors: [{ message: "failed", extensions: { code: "INTERNAL_SERVER_ERROR" } }] };
    await service.fault({ match: { operation: "saveEndpoint" }, act: { status: 200, body } });
    const clock = impatient();
    const context = newContext({ clock });
    const endpoints = new Lifecycle(serverlessEndpoint, async () => context);
    await expect(endpoints.create({ ...ENDPOINT, name: "chat", __seed: SEED })).rejects.toThrow(MayExistError);
    expect(ledger().creates.all().size).toBe(1);
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
