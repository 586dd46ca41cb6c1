/* What the operations of a kind do beside calling it: what they check, note, tell and record. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ComputeCloudError, ContractError, MayExistError, NotFoundError, PermissionError } from "../../client";
import type { Context, Naming, Proof } from "../../provider/lifecycle/definition";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { PLACEHOLDER } from "../../provider/lifecycle/fields/unread";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { differences } from "../../provider/lifecycle/plan/diff";
import { PartlyMadeError, UnprovenError } from "../../provider/lifecycle/state/partlyMade";
import { registry } from "../../provider/resources/account/registry";
import { template } from "../../provider/resources/serverless/template";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { contextOf, withMessages } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { errorOf } from "../harness/until";

const VOLUME = { name: "models", size: 100, dataCenter: "EU-RO-1" };
const SEED = "0123456789abcdef";

const place = placeForAll();
const folder = folderForEach();
afterEach(async () => {
  await place.service.clearFaults();
  await place.service.setState({ networkVolumes: [], templates: [] });
});

let messages: string[];
let context: Context;
beforeEach(() => {
  const telling = withMessages(contextOf(place.emulator, {}, folder.path), ["info", "warn"]);
  [context, messages] = [telling.context, telling.said];
});
const connect = async () => context;

/** The kind, with some of its operations done otherwise. */
const volumesWith = (changes: Partial<typeof networkVolume> = {}) =>
  new Lifecycle({ ...networkVolume, ...changes }, connect);
const byHand = (body: object = VOLUME) => place.service.create("/v2/network-volumes", body);
/** A volume of the program, as the engine's state holds it. */
async function createVolume(changes: Partial<typeof networkVolume> = {}, more: object = {}) {
  const volumes = volumesWith(changes);
  const { inputs } = await volumes.check({}, { ...VOLUME, ...more });
  return { volumes, inputs, ...(await volumes.create(inputs)) };
}
const sent = async () =>
  (await place.service.log()).filter(({ method }) => method !== "GET").map((call) => call.operation);

describe("a check", () => {
  test("asks the catalog about names that the state does not hold", async () => {
    const nowhere = { ...VOLUME, dataCenter: "EU-XX-9" };
    const { failures } = await volumesWith().check({}, nowhere);
    expect(failures).toEqual([{ property: "dataCenter", reason: expect.stringContaining("EU-XX-9") }]);
    expect(await volumesWith().check(nowhere, { ...nowhere, size: 200 })).toMatchObject({ failures: [] });
    expect((await volumesWith().check(VOLUME, nowhere)).failures).toHaveLength(1);
  });

  test("asks the kind about what is right so far, with the state", async () => {
    const failures = [{ property: "size", reason: "is odd" }];
    const oldStates: Properties[] = [];
    const checked = volumesWith({
      check: (_: Context, __: Properties, old: Properties) => {
        oldStates.push(old);
        return failures;
      },
    });
    const inputs = expect.objectContaining(VOLUME);
    for (const old of [{}, VOLUME]) expect(await checked.check(old, VOLUME)).toEqual({ inputs, failures });
    expect((await checked.check({}, { ...VOLUME, dataCenter: "EU-XX-9" })).failures).toHaveLength(1);
    expect(oldStates).toEqual([{}, VOLUME]);
  });

  test("refuses what an import could not read, unless the state holds it like that", async () => {
    const registries = new Lifecycle(registry, connect);
    const args = { name: "images", username: PLACEHOLDER, password: "secret" };
    expect((await registries.check({}, args)).failures).toEqual([
      { property: "username", reason: "is a placeholder: `pulumi import` could not read the value. Declare it" },
    ]);
    expect((await registries.check(args, args)).failures).toEqual([]);
  });

  test("wants a name where the stack generates none", async () => {
    const { name, ...unnamed } = VOLUME;
    const args = { ...unnamed, __seed: SEED, __logicalName: "models" };
    const failuresOf = async (old: object, inputs: object, mode: "disable" | "enforce" = "disable") =>
      (await volumesWith().check({ ...old }, { ...inputs }, mode === "disable" ? { mode } : { mode, name: "a" }))
        .failures;
    expect(await failuresOf({}, args)).toEqual([
      { property: "name", reason: "is required, because this stack's `pulumi:autonaming` generates no names" },
    ]);
    expect(await failuresOf({}, args, "enforce")).toEqual([]);
    expect(await failuresOf({}, { ...args, name })).toEqual([]);
    expect(await failuresOf({}, unnamed)).toEqual([]);
    expect(await failuresOf(unnamed, args)).toEqual([]);
    expect(await failuresOf({}, { ...args, adoptId: await byHand() })).toEqual([]);
  });

  test("of an import keeps what it takes from being deleted at another place", async () => {
    const { id, state } = await createVolume();
    await volumesWith().check({}, VOLUME);
    await volumesWith().delete(id, { ...state, __seed: SEED });
    expect((await place.service.state()).networkVolumes).toEqual([]);

    const other = await createVolume();
    await volumesWith().check({}, VOLUME, undefined, other.id);
    await volumesWith().delete(other.id, other.state);
    expect(messages.at(-1)).toBe(
      `NetworkVolume "${other.id}" is not deleted: another resource of this program has it now.`,
    );
    expect((await place.service.state()).networkVolumes).toHaveLength(1);
  });
});

describe("an adoption", () => {
  const announced = async (args: object) => volumesWith().check({}, { ...args });

  test("is announced with what it changes, and what is not known yet", async () => {
    const adoptId = await byHand();
    expect(await announced({ ...VOLUME, adoptId })).toMatchObject({ failures: [] });
    await announced({ ...VOLUME, size: 200, adoptId });
    await announced({ ...VOLUME, size: UNKNOWN, adoptId });
    await announced({ ...VOLUME, name: "other", size: UNKNOWN, adoptId });
    const adopted = `NetworkVolume ${adoptId} (models) is adopted`;
    expect(messages).toEqual([
      `${adopted}: nothing differs`,
      `${adopted}: changes size 100 -> 200`,
      `${adopted}: nothing differs; not known before the update: size`,
      `${adopted}: changes name "models" -> "other"; not known before the update: size`,
    ]);
  });

  test("keeps the name that the resource has, unless the program declares one", async () => {
    const adoptId = await byHand();
    const { name, ...unnamed } = VOLUME;
    expect((await announced({ ...unnamed, adoptId })).inputs).toMatchObject({ name, adoptId });
    expect((await announced({ ...VOLUME, name: "other", adoptId })).inputs).toMatchObject({ name: "other" });
    const nameless = volumesWith({ observe: ({ size, dataCenter }) => ({ size, dataCenter }) });
    expect((await nameless.check({}, { ...unnamed, adoptId })).inputs).not.toHaveProperty("name");
  });

  test("names the variables that it keeps", async () => {
    const body = { name: "chat", image: "example.com/chat:1", env: { MODEL: "tiny", LOG: "1" } };
    const adoptId = await place.service.create("/v2/templates", body);
    await new Lifecycle(template, connect).check({}, { ...body, env: { LOG: "1" }, adoptId });
    expect(messages).toEqual([expect.stringMatching(/is adopted: .*; keeps undeclared variables: MODEL$/)]);
  });

  test("of what does not exist is a mistake in adoptId, and is looked at once", async () => {
    const args = { ...VOLUME, adoptId: "nowhere" };
    const there = 'there is no NetworkVolume "nowhere" in this account. Check the id.';
    const reason = `${there} Or remove adoptId to create a new one.`;
    expect((await announced(args)).failures).toEqual([{ property: "adoptId", reason }]);
    expect(await volumesWith().check(VOLUME, args)).toEqual({ inputs: expect.objectContaining(args), failures: [] });
  });

  test("sends what differs and nothing else", async () => {
    const adoptId = await byHand();
    await place.service.forgetCalls();
    const volumes = volumesWith();
    expect(await volumes.create({ ...VOLUME, adoptId })).toMatchObject({ id: adoptId, state: VOLUME });
    expect(await sent()).toEqual([]);
    expect(await volumes.create({ ...VOLUME, size: 200, adoptId })).toMatchObject({ state: { size: 200 } });
    expect(await sent()).toEqual(["updateNetworkVolume"]);
  });

  test("of what does not differ updates nothing, not even what no argument shows", async () => {
    const update = () => Promise.reject(new Error("updated"));
    const [further] = differences(networkVolume.inputs, VOLUME, { ...VOLUME, size: 200 });
    const adoptId = await byHand();
    const volumes = volumesWith({ update, differences: () => (further === undefined ? [] : [further]) });
    expect(await volumes.create({ ...VOLUME, adoptId })).toMatchObject({ id: adoptId, state: VOLUME });
  });

  test("that is changed and not usable is recorded as it is now", async () => {
    const ready = () => Promise.reject(new Error("not usable"));
    const error = await errorOf(volumesWith({ ready }).create({ ...VOLUME, size: 200, adoptId: await byHand() }));
    expect(error).toMatchObject({ reasons: ["not usable"], properties: { size: 200, type: "HIGH_PERFORMANCE" } });
  });
});

describe("a create", () => {
  const journaled = { __seed: SEED };

  test("records what it made, and its note ends with the engine", async () => {
    const { id } = await createVolume({}, journaled);
    expect(context.ledger.ids.recorded(id)).toBeDefined();
    expect(context.ledger.creates.at(SEED)).toBeDefined();
    context.ledger.creates.close();
    expect(context.ledger.creates.at(SEED)).toBeUndefined();
  });

  const fails = () => {
    throw new Error("no such tier");
  };
  // finds mutant partly-made-forgotten
  test.each([
    ["never becomes usable", { ready: fails }],
    ["makes no outputs", { computed: fails }],
  ])("records what it made in part as well: what %s", async (_, changes) => {
    const error = await errorOf(createVolume(changes, journaled), PartlyMadeError);
    const [volume] = (await place.service.state()).networkVolumes;
    expect(error).toMatchObject({ id: volume?.id, reasons: ["no such tier"], properties: VOLUME });
    expect(context.ledger.ids.recorded(String(volume?.id))).toBeDefined();
    context.ledger.creates.close();
    expect(context.ledger.creates.at(SEED)).toBeUndefined();
  });

  // finds mutant half-understood-create-forgotten
  test("records what can't be understood, but for its id, as partly made, until an update ends it", async () => {
    const odd = { kind: "NetworkVolume", id: "odd", path: "size" } as const;
    const create = () => Promise.reject(new ContractError("the volume's size is missing", odd));
    const read = async () => ({ id: "odd", ...VOLUME, type: "STANDARD" as const });
    const error = await errorOf(createVolume({ create, read }), PartlyMadeError);
    expect(error).toMatchObject({ id: "odd", properties: VOLUME, reasons: ["the volume's size is missing"] });
    const volumes = volumesWith({ create, read });
    const refreshed = (await volumes.read("odd", error.properties))?.state ?? {};
    for (const state of [error.properties, refreshed])
      expect(await volumes.diff("odd", state, VOLUME)).toMatchObject({ changes: true, replaces: [], differences: [] });
    const { changes } = await volumes.diff("odd", await volumes.update("odd", refreshed, VOLUME), VOLUME);
    expect(changes).toBe(false);
  });

  test.each([
    ["about another thing as no new resource", "Endpoint", networkVolume.adoption],
    ["of a kind that leaves nothing, with another's id, as none", "NetworkVolume", "none"],
  ] as const)("takes an answer %s", async (_, kind, adoption) => {
    const answer = new ContractError("its name is missing", { kind, id: "other", path: "name" });
    const create = () => Promise.reject(answer);
    expect(await errorOf(createVolume({ adoption, create }), ContractError)).toBe(answer);
  });

  const refusal = (status: number) => new ComputeCloudError(`refused with ${status}`, { status });
  const maybe = { candidates: [], mayComeUpUntil: new Date() };
  test.each<[string, Error, boolean]>([
    ["an answer without an id", new ContractError("the id is missing", { path: "id" }), true],
    ["an error of no call", new Error("out of order"), true],
    ["a 400", refusal(400), false],
    ["a 499", refusal(499), false],
    ["an error with a 422 as its cause", new Error("no such type", { cause: refusal(422) }), false],
    ["a 408", refusal(408), true],
    ["a 500", refusal(500), true],
    ["a 302", refusal(302), true],
    ["a 409 after a lost answer", new MayExistError("it may exist", { ...maybe, status: 409 }), true],
  ])("keeps its note unless it was refused: %s", async (_, error, stays) => {
    await expect(createVolume({ create: () => Promise.reject(error) }, journaled)).rejects.toBe(error);
    context.ledger.creates.close();
    expect(context.ledger.creates.at(SEED) !== undefined).toBe(stays);
    // Without a place there is no note.
    await expect(volumesWith({ create: () => Promise.reject(error) }).create(VOLUME)).rejects.toBe(error);
    expect([...context.ledger.creates.all().keys()]).toEqual(stays ? [SEED] : []);
  });

  test("tells the client whether the name is generated, and notes a lost answer", async () => {
    const namings: Naming[] = [];
    const create: typeof networkVolume.create = (of, inputs, naming, ...others) => {
      namings.push(naming);
      naming.onLost?.(new Date(Date.UTC(2026, 0, 1)));
      return networkVolume.create(of, inputs, naming, ...others);
    };
    await createVolume({ create }, journaled);
    expect(context.ledger.creates.at(SEED)).toMatchObject({ until: Date.UTC(2026, 0, 1) });
    const { name, ...unnamed } = VOLUME;
    const volumes = volumesWith({ create });
    const { inputs } = await volumes.check({}, { ...unnamed, __seed: "another", __logicalName: name });
    await volumes.create(inputs);
    expect(namings.map(({ uniqueName }) => uniqueName)).toEqual([false, true]);
  });

  test("reads what was answered with an id alone", async () => {
    const bare = { name: undefined, size: undefined, dataCenter: undefined, type: undefined };
    const create: typeof networkVolume.create = (...args) =>
      networkVolume.create(...args).then(({ id }) => ({ ...bare, id }));
    expect((await createVolume({ create })).state).toMatchObject({ ...VOLUME, type: expect.any(String) });
    const named: typeof networkVolume.create = async (...args) => ({ ...(await create(...args)), name: "models" });
    expect((await createVolume({ create: named })).state).not.toHaveProperty("type", expect.any(String));
  });

  test("that goes on with what a killed run left keeps the id, whatever then fails", async () => {
    context.ledger.creates.begin(SEED, { kind: "NetworkVolume", name: VOLUME.name, begun: Date.now(), before: [] });
    const id = await byHand({ ...VOLUME, size: 50 });
    await place.service.fault({ match: { operation: "updateNetworkVolume" }, act: { status: 403 } });
    await expect(createVolume({}, journaled)).rejects.toMatchObject({
      name: "PartlyMadeError",
      id,
      properties: { ...VOLUME, size: 50 },
      reasons: [expect.stringContaining("403")],
    });
  });

  test("that can't go on with it names the ways out, and the cause", async () => {
    context.ledger.creates.begin(SEED, { kind: "NetworkVolume", name: VOLUME.name, begun: Date.now(), before: [] });
    const id = await byHand({ ...VOLUME, size: 200 });
    const error = await errorOf(createVolume({}, journaled));
    expect(error).toMatchObject({
      message: expect.stringContaining("Declare these values as they are. Or delete it, then run again."),
      cause: expect.objectContaining({ message: expect.stringContaining("can't be brought to these arguments") }),
    });
    expect(messages.join()).not.toContain("is adopted");
    // So does the next run, until somebody decides.
    await expect(createVolume({}, journaled)).rejects.toThrow("Or delete it, then run again.");
    expect((await place.service.state()).networkVolumes.map((volume) => volume.id)).toEqual([id]);
    await place.client().networkVolumes.delete(id);
    expect((await createVolume({}, journaled)).state).toMatchObject(VOLUME);
  });
});

describe("an update", () => {
  const larger = { ...VOLUME, size: 200 };

  test("proves a change once, and what was not finished as if it were new", async () => {
    const proofs: Proof<typeof VOLUME>[] = [];
    const ready: typeof networkVolume.ready = async (_, live, __, ___, proof) => {
      proofs.push(proof);
      return live;
    };
    const update: typeof networkVolume.update = (of, at) => of.client.networkVolumes.get(at);
    const { volumes, id, state } = await createVolume({ ready, update });
    await volumes.update(id, state, { ...larger, __secrets: ["size"] });
    await volumes.update(id, { ...state, size: 200 }, larger);
    expect(proofs.map(({ changed }) => changed && [...changed])).toEqual([undefined, ["size"], undefined]);
    expect(proofs[1]?.isSecret("size")).toBe(true);
    expect(proofs[1]?.isSecret("name")).toBe(false);
  });

  test("that is undone says why, with its cause", async () => {
    const { id, state } = await createVolume();
    const cause = new Error("it does not serve");
    const failing = volumesWith({
      ready: () => Promise.reject(new UnprovenError(cause)),
      update: async (_, id, { name, size, dataCenter }) => ({ id, name, size, dataCenter, type: "STANDARD" as const }),
    });
    await expect(failing.update(id, state, larger)).rejects.toMatchObject({
      message: `it does not serve\nNetworkVolume "${id}" was restored to its settings from before this run.`,
      cause,
    });
  });

  test("without a difference sends nothing, unless it has to wait", async () => {
    const { volumes, id, state } = await createVolume();
    await place.service.forgetCalls();
    expect(await volumes.update(id, state, VOLUME)).toMatchObject(VOLUME);
    expect(await sent()).toEqual([]);
    const waited: (readonly string[])[] = [];
    const waiting = volumesWith({
      update: async (of, at, _, { changed }) => {
        waited.push([...changed]);
        return of.client.networkVolumes.get(at);
      },
      ready: async (_, live) => live,
    });
    await waiting.update(id, state, VOLUME);
    expect(waited).toEqual([[]]);
  });

  test("keeps drift beside it, and what was declared before", async () => {
    const dataCenter = "US-KS-2";
    const { id } = await createVolume({}, { dataCenter });
    const volumes = volumesWith();
    const state = { ...VOLUME, dataCenter, type: "STANDARD", __declared: { dataCenter: VOLUME.dataCenter } };
    const updated = await volumes.update(id, state, larger);
    expect(updated).toMatchObject({ ...larger, dataCenter, __declared: { dataCenter: VOLUME.dataCenter } });
    expect(await volumes.diff(id, updated, larger)).toMatchObject({ changes: false });
  });

  test("of a kind that can't update is a read, and says what to do where nothing is left", async () => {
    const { id, state } = await createVolume();
    const { update: _, ...fixed } = networkVolume;
    const volumes = new Lifecycle(fixed, connect);
    expect(await volumes.update(id, state, larger)).toMatchObject(larger);
    await place.service.removed(`/v2/network-volumes/${id}`);
    const message = `NetworkVolume "${id}" was deleted outside this program. Run \`pulumi refresh\`, then \`pulumi up\` to create it again.`;
    for (const each of [volumes, volumesWith()])
      await expect(each.update(id, state, larger)).rejects.toMatchObject({ message, cause: { status: 404 } });
    expect((await place.service.state()).networkVolumes).toEqual([]);
  });

  // finds mutant failed-delete-is-done
  test.each([
    ["a 404 about something else is an error", new NotFoundError("no such data center", { status: 404 }), false],
    ["a refusal is an error, though it is gone", new PermissionError("not yours", { status: 403 }), true],
  ])("%s", async (_, error, isGone) => {
    const { id, state } = await createVolume();
    if (isGone) await place.service.rest("DELETE", `/v2/network-volumes/${id}`);
    const refused = () => Promise.reject(error);
    await expect(volumesWith({ update: refused }).update(id, state, larger)).rejects.toBe(error);
    await expect(volumesWith({ delete: refused }).delete(id, state)).rejects.toBe(error);
    // Of what is new, a read says otherwise that it is not shown yet.
    if (isGone) await expect(volumesWith({ read: refused }).read(id, state)).rejects.toBe(error);
  });
});

describe("every operation", () => {
  test("that gets an id knows that the state holds it", async () => {
    const id = await byHand();
    const knows = async (operation: (volumes: Lifecycle) => Promise<unknown>) => {
      context = { ...context, ledger: contextOf(place.emulator).ledger };
      await operation(volumesWith());
      return context.ledger.ids.recorded(id) !== undefined;
    };
    expect(await knows((volumes) => volumes.list())).toBe(false);
    expect(await knows((volumes) => volumes.check(VOLUME, { ...VOLUME, adoptId: id }))).toBe(true);
    const args = { ...VOLUME, __seed: SEED };
    const moved = { ...args, dataCenter: "US-KS-2" };
    expect(await knows((volumes) => volumes.diff(id, VOLUME, args))).toBe(true);
    expect(context.ledger.ids.isHeld(id)).toBe(false);
    const compares = (next: Properties) => async (volumes: Lifecycle) => {
      context.ledger.ids.declares(SEED);
      await volumes.diff(id, VOLUME, next);
    };
    expect(await knows(compares(args))).toBe(true);
    expect(context.ledger.ids.isHeld(id)).toBe(true);
    expect(await knows(compares(moved))).toBe(true);
    expect(context.ledger.ids.isHeld(id)).toBe(false);
    expect(await knows((volumes) => volumes.read(id, VOLUME))).toBe(true);
    expect(await knows((volumes) => volumes.delete(id, VOLUME))).toBe(true);
  });

  test("a list and a read by id show what is there", async () => {
    const id = await byHand();
    expect(await volumesWith().list()).toMatchObject([{ id, name: VOLUME.name }]);
    expect(await volumesWith().readById(id)).toMatchObject({ inputs: VOLUME, state: VOLUME });
    expect(await volumesWith().readById("nowhere")).toBeUndefined();
    const { list: _, ...unlisted } = networkVolume;
    expect(await new Lifecycle(unlisted, connect).list()).toEqual([]);
  });
});
