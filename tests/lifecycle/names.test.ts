/* Names: those that are generated, proposed by the stack, or unique in the account. */
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Existing } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { hasGeneratedForm, looksGenerated } from "../../provider/lifecycle/make/names";
import type { Holder } from "../../provider/lifecycle/run";
import { template } from "../../provider/resources/serverless/template";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, logForEach } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { errorOf } from "../harness/until";

const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const SEED = "0123456789abcdef";
const OTHER_SEED = "fedcba9876543210";
const MODELS = { ...VOLUME, __seed: SEED, __logicalName: "models" };

const { emulator, service } = emulatorForAll();
const folder = folderForEach();
const { said, log } = logForEach();
afterEach(async () => {
  await service.clearFaults();
  await service.settings({ readLagMs: 0, listLagMs: 0 });
  await service.setState({ networkVolumes: [], templates: [] });
});

/** What a process that the engine starts knows. */
const newRun = (within = context()) => new Lifecycle(networkVolume, async () => within);
const context = (): Context => ({ ...contextOf(emulator, {}, folder.path), log });
const templates = () => new Lifecycle(template, async () => context());
const templateByHand = (name: string) => service.create("/v2/templates", { name, image: "i" });
/** A note as a killed run leaves it. */
const noted = (name: string, kind = "NetworkVolume") =>
  context().ledger.creates.begin(SEED, { kind, name, begun: Date.now(), before: [] });
const runWith = (holderOf: Context["holderOf"], existing: Existing) => {
  const silent = context();
  return newRun({ ...silent, holderOf, settings: { ...silent.settings, existing } });
};
/** What a run reports, its end included. */
const warnings = () => [...said.warnings, ...said.atEnd.flatMap((warning) => warning() ?? [])];
const nameOf = async (run: ReturnType<typeof newRun>, old: object, args: object) =>
  (await run.check({ ...old }, { ...args })).inputs.name;
const byHand = (body: object) => service.create("/v2/network-volumes", { ...VOLUME, ...body });

describe("a generated name", () => {
  test("is the same in every run, and another one at every other place", async () => {
    const name = await nameOf(newRun(), {}, MODELS);
    expect(name).toMatch(/^models-[0-9a-f]{7}$/);
    expect(await nameOf(newRun(), {}, MODELS)).toBe(name);
    expect(await nameOf(newRun(), {}, { ...MODELS, __seed: OTHER_SEED })).not.toBe(name);
  });

  test.each<[string, object, unknown]>([
    ["stays across updates", { name: "models-0123abc", __logicalName: "models" }, "models-0123abc"],
    ["takes the place of a declared one that was removed", { name: "data" }, expect.stringMatching(/^models-/)],
    ["stays when the program, or ignoreChanges, declared it for a while", { name: "models-0123abc" }, "models-0123abc"],
    ["is not given to what was created without one", {}, undefined],
  ])("%s", async (_, old, name) => {
    await byHand({ name: "models-0123abc" });
    expect(await nameOf(newRun(), { ...VOLUME, ...old }, MODELS)).toEqual(name);
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
    Object.assign(said, { warnings: [], atEnd: [] });
    const run = newRun();
    for (const _ of ["first", "again"]) expect(await nameOf(run, {}, MODELS)).not.toBe(name);
    // Nor does it show what a run on another machine left, which is reported once.
    expect(warnings()).toEqual([expect.stringContaining(`adoptId: "${id}"`)]);
  });

  // finds mutant made-lately-is-made-again
  test("is in use by what a run has just made, though neither lists nor reads show that, until a run deletes it", async () => {
    await service.settings({ readLagMs: 60_000, listLagMs: 60_000 });
    const before = context();
    const { id, state } = await createResource(newRun(before), MODELS);
    before.ledger.creates.settle(SEED, id);
    const again = () => runWith(async () => ({ by: "no stack" }), "refuse").check({}, { ...MODELS });
    expect((await again()).failures).toEqual([{ property: "name", reason: expect.stringContaining(id) }]);
    await newRun().delete(id, state);
    expect((await again()).failures).toEqual([]);
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
    const { failures } = await run().check({}, { ...MODELS, __seed: OTHER_SEED });
    expect(failures).toEqual([]);
    const isReported = holder === LIVE;
    expect(said.infos.filter((text) => text.includes(`(${id}) belongs to the stack "live"`))).toHaveLength(
      isReported ? 2 : 0,
    );
  });

  test("that the program declares is not adopted from another stack, nor does a note, and an id warns", async () => {
    const run = (existing: Existing = "adopt") => runWith(async () => LIVE, existing);
    const id = await byHand({ name: "data" });
    const data = { ...VOLUME, name: "data", __seed: SEED };
    expect((await run().check({}, { ...data })).inputs.adoptId).toBeUndefined();
    await run().check({}, { ...data, adoptId: id });
    expect(said.warnings).toEqual([expect.stringContaining(`"${id}" is adopted, and the stack "live" has it, too`)]);

    context().ledger.creates.begin(data.__seed, { kind: "NetworkVolume", name: "data", begun: Date.now(), before: [] });
    expect((await run().create(data)).id).not.toBe(id);
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
    await nameOf(run, {}, { ...MODELS, __seed: OTHER_SEED });
    await run.delete(id, {});
    expect(await nameOf(run, {}, MODELS)).toMatch(/^models-/);
    expect(warnings()).toEqual([]);
  });

  test("costs one list a kind and run, however many are created, and none in a run that creates nothing", async () => {
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

  test("is generated after a list that failed, too", async () => {
    const run = newRun();
    await service.fault({ match: { operation: "listNetworkVolumes", times: 1 }, act: { status: 403 } });
    await expect(nameOf(run, {}, MODELS)).rejects.toThrow("403");
    expect(await nameOf(run, {}, MODELS)).toMatch(/^models-/);
  });

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

describe("with the stack's autonaming", () => {
  const enforced = { mode: "enforce", name: "exactly" } as const;
  test("a name that it enforces is the name, whatever a killed run had begun, but for what is adopted", async () => {
    noted("models-0000000");
    expect((await newRun().check({}, MODELS, enforced)).inputs.name).toBe("exactly");
    expect((await newRun().check({}, { ...MODELS, adoptId: "abc" }, enforced)).inputs.name).toBeUndefined();
  });

  test("a name that it proposes is cut to the service's limit, and a killed run's goes before it", async () => {
    const proposed = { mode: "propose", name: "m".repeat(300) } as const;
    expect((await newRun().check({}, MODELS, proposed)).inputs.name).toBe("m".repeat(191));
    noted("models-0000000");
    expect((await newRun().check({}, MODELS, proposed)).inputs.name).toBe("models-0000000");
  });
});

describe("a name that is unique in the account", () => {
  const CHAT = { name: "chat", image: "i", __seed: SEED };
  const reasons = async (run: Lifecycle, old: object, args: object) =>
    (await run.check({ ...old }, { ...args })).failures.map(({ reason }) => reason);

  test("is refused at a second place of the program, and not at its own", async () => {
    const run = templates();
    expect(await reasons(run, {}, CHAT)).toEqual([]);
    expect(await reasons(run, {}, CHAT)).toEqual([]);
    expect(await reasons(run, {}, { ...CHAT, __seed: OTHER_SEED })).toEqual([
      expect.stringContaining('another Template of this program has the name "chat"'),
    ]);
  });

  test("is the resource's own if the state, or a killed run's note, has it there", async () => {
    await templateByHand("chat");
    expect(await reasons(templates(), {}, CHAT)).toHaveLength(1);
    expect(await reasons(templates(), CHAT, CHAT)).toEqual([]);
    // On a replacement the engine asks a second time, after the diff, without the old state.
    const replacing = templates();
    await reasons(replacing, CHAT, CHAT);
    await replacing.diff("chat", CHAT, CHAT);
    expect(await reasons(replacing, {}, CHAT)).toEqual([]);
    noted("chat", "Template");
    expect(await reasons(templates(), {}, CHAT)).toEqual([]);
  });

  test("is available to what adopts its owner", async () => {
    const adoptId = await templateByHand("chat");
    expect(await reasons(templates(), {}, { ...CHAT, adoptId })).toEqual([]);
  });

  test("is free once the run has deleted its owner", async () => {
    const id = await templateByHand("chat");
    const run = templates();
    expect(await reasons(run, {}, CHAT)).toHaveLength(1);
    await run.delete(id, {});
    expect(await reasons(run, {}, CHAT)).toEqual([]);
  });

  test("is checked for such kinds alone", async () => {
    await byHand({ name: "data" });
    const args = { ...VOLUME, name: "data", __seed: SEED };
    const run = newRun();
    expect(await reasons(run, {}, args)).toEqual([]);
    expect(await reasons(run, {}, { ...args, __seed: OTHER_SEED })).toEqual([]);
  });

  test.each([
    ["of another kind", 403, templates, CHAT],
    ["that no list explains", 409, templates, { ...CHAT, name: "free" }],
    ["over a name that others may share", 409, newRun, { ...VOLUME, name: "data", __seed: SEED }],
  ])("a refusal %s is reported as it is", async (_, status, run, args) => {
    await templateByHand("chat");
    await byHand({ name: "data" });
    await service.fault({ match: { method: "POST" }, act: { status } });
    await expect(run().create(args)).rejects.toMatchObject({ status });
  });

  test.each([400, 409])("a %i over a name in use names its owner, and keeps the refusal as cause", async (status) => {
    await templateByHand("other");
    const id = await templateByHand("chat");
    await service.fault({ match: { operation: "createTemplate" }, act: { status } });
    await expect(templates().create(CHAT)).rejects.toMatchObject({
      message: expect.stringContaining(`adoptId: "${id}"`),
      cause: expect.objectContaining({ status }),
    });
  });
});

test("a unique name that is in use is answered with the id to adopt, or with what replaces one of this stack", async () => {
  const id = await templateByHand("taken");
  const args = { name: "taken", image: "i", __seed: SEED };
  const by = (holder: Holder) =>
    new Lifecycle(template, async () => ({ ...contextOf(emulator), holderOf: async () => holder }));
  const refused = async (holder: Holder, check: string) => {
    const { inputs, failures } = await by(holder).check({}, args);
    expect(failures).toEqual([{ property: "name", reason: expect.stringContaining(check) }]);
    return errorOf(by(holder).create(inputs));
  };
  const wayOut = `adoptId: "${id}" to adopt it, unless another stack has it, or choose another name`;
  const { message } = await refused({ by: "no stack" }, wayOut);
  expect(message).toContain(`Template "taken" exists already. Set adoptId: "${id}"`);
  const ofThis = await refused({ by: "this stack" }, "is in this stack. Set adoptId:");
  expect(ofThis.message).toContain("To replace it, set the option deleteBeforeReplace");
  await refused({ by: "another stack", stack: "live" }, 'belongs to the stack "live". Choose another name');
  const first = { ...args, __deleteBeforeReplace: true };
  expect((await by({ by: "this stack", place: args.__seed }).check({}, first)).failures).toEqual([]);
  expect((await by({ by: "this stack", place: "another" }).check({}, first)).failures).toHaveLength(1);
});
