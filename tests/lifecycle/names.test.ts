/* Names that are made up, and what an interrupted run left under one. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Existing } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { hasGeneratedForm, looksGenerated } from "../../provider/lifecycle/make/names";
import type { Holder } from "../../provider/lifecycle/run";
import { tag } from "../../provider/resources/account/tag";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { template } from "../../provider/resources/serverless/template";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { createResource } from "../harness/asEngine";
import { contextOf, withMessages } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { emulatorForAll } from "../harness/forAll";
import { leave } from "../harness/ledger";
import { impatient, Place } from "../harness/place";

const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const MODELS = { ...VOLUME, __seed: "0123456789abcdef", __logicalName: "models" };

const { emulator, service } = emulatorForAll();
const folder = folderForEach();
let warnings: string[];
let infos: string[];
let endWarnings: (() => string | undefined)[];
beforeEach(() => {
  warnings = [];
  infos = [];
  endWarnings = [];
});
afterEach(async () => {
  for (const { id } of (await service.state()).networkVolumes)
    await service.rest("DELETE", `/v2/network-volumes/${id}`);
});

/** What a process that the engine starts knows. */
const newRun = (within = context()) => new Lifecycle(networkVolume, async () => within);
const context = (): Context => {
  const silent = contextOf(emulator, {}, folder.path);
  const log: Context["log"] = {
    ...silent.log,
    info: (text) => infos.push(text),
    warn: (text) => warnings.push(text),
    atEnd: (each) => endWarnings.push(each),
  };
  return { ...silent, log };
};
const connectTo = (within: Context) => async () => within;
const runWith = (holderOf: Context["holderOf"], existing: Existing) => {
  const silent = context();
  return newRun({ ...silent, holderOf, settings: { ...silent.settings, existing } });
};
/** What a run says, its end included. */
const said = () => [...warnings, ...endWarnings.flatMap((warning) => warning() ?? [])];
const nameOf = async (run: ReturnType<typeof newRun>, old: object, args: object) =>
  (await run.check({ ...old }, { ...args })).inputs.name;
const byHand = (body: object) => service.create("/v2/network-volumes", { ...VOLUME, ...body });
const ids = async () => (await service.state()).networkVolumes.map(({ id }) => id);

describe("a name that is made up", () => {
  test("is the same in every run, and another one at every other place", async () => {
    const name = await nameOf(newRun(), {}, MODELS);
    expect(name).toMatch(/^models-[0-9a-f]{7}$/);
    expect(await nameOf(newRun(), {}, MODELS)).toBe(name);
    expect(await nameOf(newRun(), {}, { ...MODELS, __seed: "fedcba9876543210" })).not.toBe(name);
  });

  test("is kept across updates", async () => {
    const old = { ...VOLUME, name: "models-0123abc", __logicalName: "models" };
    expect(await nameOf(newRun(), old, MODELS)).toBe("models-0123abc");
  });

  test("takes the place of a declared one that was removed", async () =>
    expect(await nameOf(newRun(), { ...VOLUME, name: "data" }, MODELS)).toMatch(/^models-/));

  test("is kept when the program, or ignoreChanges, declared it for a while", async () => {
    await byHand({ name: "models-0123abc" });
    expect(await nameOf(newRun(), { ...VOLUME, name: "models-0123abc" }, MODELS)).toBe("models-0123abc");
  });

  test("is none where a transform gives a name that the class didn't see", async () => {
    const { inputs } = await newRun().check({}, { ...MODELS, name: "data" });
    expect(inputs).not.toHaveProperty("__logicalName");
    const checked = await newRun().check({ ...MODELS, name: "models-0123abc" }, { ...MODELS, name: "models-0123abc" });
    expect(checked.inputs).toHaveProperty("__logicalName");
  });

  test("is another one for a replacement, and that too is the same in every run", async () => {
    const replacement = async () => {
      const run = newRun();
      const name = await nameOf(run, {}, MODELS);
      await nameOf(run, { ...MODELS, name }, MODELS);
      return [name, await nameOf(run, {}, MODELS)];
    };
    const [before, after] = await replacement();
    expect(after).not.toBe(before);
    expect(await replacement()).toEqual([before, after]);
  });

  test("is none that is in use, as on --replace, when the engine doesn't show the old state", async () => {
    const name = await nameOf(newRun(), {}, MODELS);
    const id = await byHand({ name });
    expect(await nameOf(newRun(), {}, MODELS)).toMatch(/^models-/);
    warnings = [];
    endWarnings = [];
    expect(await nameOf(newRun(), {}, MODELS)).not.toBe(name);
    // Nor does it show what a run on another machine left.
    expect(said()).toEqual([expect.stringContaining(`adoptId: "${id}"`)]);
  });

  const ERRORS = {
    lost: /no stack of this project has it: .*`pulumi config set computecloud:existing adopt`.*orphans --delete/,
    unclear:
      /not every state of this project could be read: another stack has it, .*If it is this resource, set adoptId: "/,
  };
  const LIVE: Holder = { by: "another stack", stack: "live" };
  const UNREAD: Holder = { by: "unknown", isOwnRead: true };
  const NOTHING_READ: Holder = { by: "unknown", isOwnRead: false };
  test("that the setting adopts, and that can't be brought to the arguments, is deleted by the command of the error", async () => {
    const name = String(await nameOf(newRun(), {}, MODELS));
    const id = await byHand({ name, dataCenter: "US-KS-2" });
    const { failures } = await runWith(async () => ({ by: "no stack" }), "adopt").check({}, { ...MODELS });
    expect(failures).toEqual([
      { property: "name", reason: expect.stringMatching(`dataCenter.* Or delete it with .*orphans --delete ${id}`) },
    ]);
  });

  // finds mutant second-set-after-a-lost-state
  test.each<[string, Existing, keyof typeof ERRORS | "adopted" | "another", Holder]>([
    ["is in no state", "refuse", "lost", { by: "no stack" }],
    ["is in no state", "adopt", "adopted", { by: "no stack" }],
    ["is in no state", "duplicate", "another", { by: "no stack" }],
    ["belongs to another stack", "refuse", "another", LIVE],
    ["belongs to another stack", "adopt", "another", LIVE],
    ["is to be replaced", "adopt", "another", { by: "this stack" }],
    ["may be in a state that can't be read", "refuse", "unclear", UNREAD],
    ["may be in a state that can't be read", "adopt", "unclear", UNREAD],
    ["may be in this stack's unreadable state", "refuse", "another", NOTHING_READ],
    ["may be in this stack's unreadable state", "adopt", "unclear", NOTHING_READ],
  ])("is judged by what bears it, which %s, with `existing` set to %s: %s", async (_, existing, outcome, holder) => {
    const first = await nameOf(newRun(), {}, MODELS);
    const replacing = newRun();
    await nameOf(replacing, { ...MODELS, name: first }, MODELS);
    const next = String(await nameOf(replacing, {}, MODELS));
    const id = await byHand({ name: next });
    const run = () => runWith(async () => holder, existing);
    // Of a state that was lost, after a replacement; and of a replacement whose run was killed on another machine.
    for (const old of [undefined, first]) {
      const names = run();
      if (old !== undefined) await names.check({ ...MODELS, name: old }, { ...MODELS });
      const { inputs, failures } = await names.check({}, { ...MODELS });
      const reasons = failures.map(({ property, reason }) => `${property}: ${reason}`);
      if (outcome === "adopted") expect(inputs).toMatchObject({ name: next, adoptId: id });
      else if (outcome === "another")
        expect([inputs.name === next, inputs.adoptId, reasons]).toEqual([false, undefined, []]);
      else expect(reasons).toEqual([expect.stringMatching(ERRORS[outcome])]);
    }
    const { failures } = await run().check({}, { ...MODELS, __seed: "fedcba9876543210" });
    expect(failures).toEqual([]);
    const isReported = holder === LIVE;
    expect(infos.filter((text) => text.includes(`(${id}) belongs to the stack "live"`))).toHaveLength(
      isReported ? 2 : 0,
    );
  });

  test("that the program declares is not adopted from another stack, nor does a note, and an id warns", async () => {
    const run = (existing: Existing = "adopt") => runWith(async () => LIVE, existing);
    const id = await byHand({ name: "data" });
    const data = { ...VOLUME, name: "data", __seed: "0123456789abcdef" };
    expect((await run().check({}, { ...data })).inputs.adoptId).toBeUndefined();
    await run().check({}, { ...data, adoptId: id });
    expect(warnings).toEqual([expect.stringContaining(`"${id}" is adopted, and the stack "live" has it, too`)]);

    context().ledger.begin(data.__seed, { kind: "NetworkVolume", name: "data", begun: Date.now(), before: [] });
    expect((await run().create(data)).id).not.toBe(id);

    const templates = new Lifecycle(template, async () => ({ ...context(), holderOf: async () => LIVE }));
    const body = { name: "theirs", image: "i" };
    const theirs = await service.create("/v2/templates", body);
    const { failures } = await templates.check({}, { ...body, __seed: "0123456789abcdef" });
    expect(failures).toEqual([
      {
        property: "name",
        reason: expect.stringMatching(`${theirs} .*belongs to the stack "live". Choose another name`),
      },
    ]);
    await service.rest("DELETE", `/v2/templates/${theirs}`);
  });

  test("is not given to what is adopted or imported and had a declared one", async () => {
    const id = await byHand({ name: "data" });
    const declared = { ...VOLUME, name: "data", __seed: MODELS.__seed };
    const { name: _, ...nameless } = { ...MODELS, ...declared };
    let { inputs } = await newRun().check({}, { ...declared, adoptId: id });
    for (const args of [{ ...nameless, adoptId: id }, nameless]) {
      inputs = (await newRun().check({ ...inputs }, { ...args })).inputs;
      expect(inputs.name).toBe("data");
    }
    // A refresh takes the arguments of the state, which is as the adoption has left it.
    inputs = (await newRun().check({ ...declared, adoptId: id }, { ...nameless })).inputs;
    expect(inputs.name).toBe("data");
    ({ inputs } = await newRun().check({ ...VOLUME, name: "data" }, { ...declared }, undefined, id));
    for (const _ of ["next", "later"]) {
      inputs = (await newRun().check({ ...inputs }, { ...nameless })).inputs;
      expect(inputs.name).toBe("data");
    }
  });

  test("is another one, without a word, where the run has just deleted what bears it", async () => {
    const name = await nameOf(newRun(), {}, MODELS);
    const id = await byHand({ name });
    const run = newRun();
    await nameOf(run, {}, { ...MODELS, __seed: "fedcba9876543210" });
    await run.delete(id, {});
    expect(await nameOf(run, {}, MODELS)).toMatch(/^models-/);
    expect(said()).toEqual([]);
  });

  test("costs one list a kind and run, however many are made, and none in a run that makes nothing", async () => {
    const places = ["a", "b", "c"].map((seed) => ({ ...VOLUME, __seed: seed, __logicalName: "models" }));
    const recorded: object[] = [];
    const run = newRun();
    await service.forgetCalls();
    for (const args of places) {
      const { inputs } = await createResource(run, args);
      recorded.push(inputs);
    }
    const calls = (await service.calls()).filter((call) => call !== "listDataCenters");
    expect(calls.toSorted()).toEqual([...places.map(() => "createNetworkVolume"), "listNetworkVolumes"]);

    const next = newRun();
    await service.forgetCalls();
    for (const [index, args] of places.entries()) await next.check({ ...recorded[index] }, args);
    expect(await service.calls()).toEqual([]);
  });

  test("is not given to what was made without one", async () =>
    expect(await nameOf(newRun(), VOLUME, MODELS)).toBeUndefined());

  test("fits the service's limit however long the logical name is, and is recognized under it", async () => {
    const __logicalName = "m".repeat(300);
    const name = String(await nameOf(newRun(), {}, { ...MODELS, __logicalName }));
    expect([name.length, looksGenerated(name, __logicalName)]).toEqual([191, true]);
  });

  test.each([
    ["models-0a1b2c3", true, true],
    ["models-0a1b2c3 -fb", true, false],
    ["models-2-0a1b2c3", true, false],
    ["others-0a1b2c3", true, false],
    ["models-0a1b2c34", false, false],
    ["models-0a1b2c", false, false],
    ["models-0a1b2cg", false, false],
    ["models-0A1B2C3", false, false],
    ["models-0a1b2c3-2", false, false],
    ["models0a1b2c3", false, false],
    ["-0a1b2c3", false, false],
  ])("is recognized by its form: %j, of any resource: %s, of `models`: %s", (name, isGenerated, ofModels) => {
    expect(hasGeneratedForm(name)).toBe(isGenerated);
    expect(looksGenerated(name, "models")).toBe(ofModels);
  });
});

describe("a create that was cut off by a kill", () => {
  /** Sends the create and never gets to answer the engine. */
  const createUnanswered = async (args: object) => (await createResource(newRun(), { ...args })).id;

  test("was noted before the service heard of it", async () => {
    let noted: string | undefined;
    const create = (...call: Parameters<typeof networkVolume.create>) => {
      noted = context().ledger.createAt(MODELS.__seed)?.name;
      return networkVolume.create(...call);
    };
    const run = new Lifecycle({ ...networkVolume, create }, connectTo(context()));
    const { inputs } = await createResource(run, MODELS);
    expect(noted).toBe(inputs.name);
  });

  // finds mutants notes-unread, no-note
  test("is found by the next run, which says so and creates nothing", async () => {
    const id = await createUnanswered(MODELS);
    expect(await createUnanswered(MODELS)).toBe(id);
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`^NetworkVolume ${id} \\(models-.*was created by an interrupted run`)),
    ]);
    expect(await ids()).toEqual([id]);
  });

  test("is found under a declared name too, beside older ones of that name", async () => {
    const older = await byHand({ name: "data" });
    const args = { ...VOLUME, name: "data", __seed: "0123456789abcdef" };
    const id = await createUnanswered(args);
    expect(id).not.toBe(older);
    expect(await createUnanswered(args)).toBe(id);
    expect(await ids()).toHaveLength(2);
  });

  test("is found as the replacement that it was, also when what it was to replace is gone", async () => {
    const run = newRun();
    const first = await nameOf(run, {}, MODELS);
    await run.check({ ...MODELS, name: first }, { ...MODELS });
    const { inputs, id } = await createResource(run, { ...MODELS });
    expect(inputs.name).not.toBe(first);
    expect(await createUnanswered(MODELS)).toBe(id);
    expect(await ids()).toEqual([id]);
  });

  test("is told of by later runs, too, where the program has another name for it by now", async () => {
    const id = await createUnanswered({ ...VOLUME, name: "data", __seed: MODELS.__seed });
    expect(await createUnanswered({ ...VOLUME, name: "other", __seed: MODELS.__seed })).not.toBe(id);
    expect([...context().ledger.creates().values()].map(({ name }) => name).sort()).toEqual(["data", "other"]);
  });

  test.each([
    ["keeps what the state has", { ...MODELS, name: "models-0a1b2c3" }, MODELS, true],
    ["takes another one over", {}, { ...MODELS, adoptId: "other" }, true],
    ["makes it", {}, MODELS, false],
  ])("is told of by a run whose program %s: %#", async (_, old, args, isReported) => {
    const begun = { kind: "NetworkVolume", name: "models-fffffff", begun: 1, before: [] };
    leave(folder.path, [{ is: "creating", place: MODELS.__seed, ...begun }]);
    const within = context();
    await newRun(within).check({ ...old }, { ...args });
    expect([...within.ledger.killedCreates().keys()]).toEqual(isReported ? [MODELS.__seed] : []);
  });

  test("is waited for as long as it may come up: none is made beside it", async () => {
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
    ["until the time that its error told", (begun) => new Date(begun + 60_000), 60_000],
  ])("is made again when nothing came of it %s", async (_, lost, waitMs) => {
    await using place = await Place.start();
    const clock = impatient();
    const real = contextOf(place.emulator, { clock }, folder.path);
    const { context: silent, said: statuses } = withMessages(real, ["status"]);
    const run = newRun(silent);
    const { inputs } = await run.check({}, MODELS);
    const begun = clock.now();
    silent.ledger.begin(MODELS.__seed, { kind: "NetworkVolume", name: String(inputs.name), begun, before: [] });
    const until = lost(begun);
    if (until !== undefined) silent.ledger.answerLost(MODELS.__seed, until);
    await run.create(inputs);
    expect((await place.state()).networkVolumes).toHaveLength(1);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(waitMs - 1_000);
    expect(clock.now()).toBeLessThan(begun + waitMs + 5_000);
    expect(statuses[0]).toContain(
      `waiting ${Math.round(waitMs / 1000)} s: the create of an interrupted run may still succeed`,
    );
  });

  test("is brought to what the program says by now", async () => {
    const id = await createUnanswered(MODELS);
    expect(await createUnanswered({ ...MODELS, size: 200 })).toBe(id);
    expect((await service.state()).networkVolumes).toEqual([expect.objectContaining({ id, size: 200 })]);
  });

  test("is named with the ways out where it can't be, by every run until then", async () => {
    const id = await createUnanswered(MODELS);
    const moved = { ...MODELS, dataCenter: "US-KS-2" };
    await expect(createUnanswered(moved)).rejects.toThrow(`set adoptId: "${id}"`);
    await expect(createUnanswered(moved)).rejects.toThrow('dataCenter "EU-RO-1" -> "US-KS-2"');
    expect(await ids()).toEqual([id]);
  });

  test("is not looked for once the engine has recorded it", async () => {
    const run = newRun();
    const { id, state } = await createResource(run, MODELS);
    await newRun().check(state, MODELS);
    expect(await createUnanswered(MODELS)).not.toBe(id);
    expect(await ids()).toHaveLength(2);
  });

  test("is not looked for after a run that ended in good order, nor after a refusal", async () => {
    const within = context();
    const run = newRun(within);
    const { inputs, id } = await createResource(run, MODELS);
    within.ledger.close();
    const next = newRun();
    expect((await next.create(inputs)).id).not.toBe(id);

    await service.fault({ match: { operation: "createNetworkVolume" }, act: { status: 403 } });
    await expect(createUnanswered({ ...MODELS, __seed: "refused" })).rejects.toThrow("403");
    await service.forgetCalls();
    await createUnanswered({ ...MODELS, __seed: "refused" });
    expect((await service.calls()).filter((call) => call === "listNetworkVolumes")).toHaveLength(1);
  });
});

test("a tag that a killed run made is named by its key and value", async () => {
  const create = async () => {
    const run = new Lifecycle(tag, connectTo(context()));
    return (await createResource(run, { key: "team", value: "research", __seed: "0123456789abcdef" })).id;
  };
  expect(await create()).toBe(await create());
  expect(warnings).toEqual([expect.stringMatching(/^Tag \w+ \(team.*research\) was created by an interrupted run/)]);
});

test("a unique name is free once the run has deleted what had it", async () => {
  const body = { name: "freed", image: "i" };
  const id = await service.create("/v2/templates", body);
  const run = new Lifecycle(template, connectTo(context()));
  expect((await run.check({}, { ...body, __seed: "0123456789abcdef" })).failures).toHaveLength(1);
  await run.delete(id, {});
  expect((await run.check({}, { ...body, __seed: "0123456789abcdef" })).failures).toEqual([]);
});

test("a unique name that is in use is answered with the id to adopt, or with what replaces one of this stack", async () => {
  const id = await service.create("/v2/templates", { name: "taken", image: "i" });
  const args = { name: "taken", image: "i", __seed: "0123456789abcdef" };
  const by = (holder: Holder) =>
    new Lifecycle(template, async () => ({ ...contextOf(emulator), holderOf: async () => holder }));
  const refused = async (holder: Holder, check: string, create: string) => {
    const { inputs, failures } = await by(holder).check({}, args);
    expect(failures).toEqual([{ property: "name", reason: expect.stringContaining(check) }]);
    await expect(by(holder).create(inputs)).rejects.toThrow(create);
  };
  const wayOut = `adoptId: "${id}" to adopt it, unless another stack has it, or choose another name`;
  await refused({ by: "no stack" }, wayOut, `Template "taken" exists already. Set adoptId: "${id}"`);
  await refused(
    { by: "this stack" },
    "is in this stack. Set adoptId:",
    "To replace it, set the option deleteBeforeReplace",
  );
  const first = { ...args, __deleteBeforeReplace: true };
  expect((await by({ by: "this stack", place: args.__seed }).check({}, first)).failures).toEqual([]);
  expect((await by({ by: "this stack", place: "another" }).check({}, first)).failures).toHaveLength(1);
});

test("an endpoint that a killed run made from a template is brought to what the template says by now", async () => {
  const templateId = await service.create("/v2/templates", { name: "of-one", image: "repo/chat:1", serverless: true });
  const args = { templateId, gpuIds: "ADA_24", __seed: "0123456789abcdef", __logicalName: "chat" };
  const running = () => new Lifecycle(serverlessEndpoint, connectTo(context()));
  const killed = running();
  const { inputs, id } = await createResource(killed, args);
  await service.rest("PATCH", `/v2/templates/${templateId}`, { image: "repo/chat:2" });
  const { id: taken, state } = await running().create(inputs);
  expect(taken).toBe(id);
  expect(await service.rest("GET", `/v2/serverless/${id}`)).toMatchObject({ image: "repo/chat:2" });
  expect(state).not.toHaveProperty("templateDrift");
  expect(warnings).toEqual([expect.stringContaining("was created by an interrupted run")]);
});
