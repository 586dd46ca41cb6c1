/* Whose the key is, and whose the resources are: without an engine, one kind's operations as both hosts ask for them. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { type ClientOptions, ContractError, WrongAddressError } from "../../client";
import type { Emulator } from "../../emulator";
import {
  AccountNotAllowedError,
  EmptyRefreshError,
  markOf,
  OtherAccountError,
  RunAccount,
  type StackAccounts,
  UnknownAccountError,
} from "../../provider/engine/account";
import type { EngineContext } from "../../provider/engine/hostedOperations";
import { HostedOperations } from "../../provider/engine/hostedOperations";
import { kinds } from "../../provider/engine/kinds";
import type { Properties } from "../../provider/lifecycle/fields/values";
import type { Settings } from "../../provider/lifecycle/run";
import { Ledger } from "../../provider/memory/ledger";
import { emulatorForAll } from "../harness/account";
import { contextOf, logForEach } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { impatient } from "../harness/place";
import { errorOf, until } from "../harness/until";

const ROTATED = "another-key-of-the-same-account";
const RESTRICTED = "a-key-that-may-not-ask";
const THEIRS = { id: "user_theirs", email: "ops@theirs.example.com" };
const VOLUME = { name: "models", size: 10, dataCenter: "EU-RO-1" };

const areas = {
  volumes: "read-write",
  catalog: "read-only",
  templates: "read-write",
  serverless: "read-write",
  graphql: "read-write",
} as const;
const keys = [{ key: ROTATED }, { key: RESTRICTED, kind: "restricted" as const, areas }];
const { emulator: mine, service } = emulatorForAll({ settings: { keys } });
const { emulator: theirs, service: elsewhere } = emulatorForAll({ settings: { keys, account: THEIRS } });
const folder = folderForEach();
const { said, log } = logForEach();

beforeEach(async () => {
  for (const each of [service, elsewhere]) {
    await each.clearFaults();
    await each.setState({ networkVolumes: [] });
    await each.forgetCalls();
  }
});

/** One run of the provider. */
function run(
  emulator: Emulator,
  { apiKey = emulator.apiKey, ...settings }: Partial<Settings> = {},
  stack?: StackAccounts,
  options: Partial<ClientOptions> = {},
) {
  const context = contextOf({ ...emulator, apiKey }, options);
  const allSettings = { ...context.settings, ...settings };
  const account = new RunAccount(context.client, allSettings, log, context.signal, stack);
  const engineContext: EngineContext = { ...context, settings: allSettings, log, account };
  const connect = async () => engineContext;
  return {
    connect,
    volumes: new HostedOperations(kinds.networkVolume(connect), connect),
    sshKeys: new HostedOperations(kinds.sshKeys(connect), connect),
    fleets: new HostedOperations(kinds.serverlessFleet(connect), connect),
  };
}

async function createVolume(name = VOLUME.name): Promise<{ id: string; state: Properties }> {
  const { volumes } = run(mine);
  const { inputs } = await volumes.check({}, { ...VOLUME, name });
  const { id, state } = await volumes.create(inputs);
  await timePasses();
  await service.forgetCalls();
  return { id, state };
}

/** What is there is now so old that it counts as gone where it is not found. */
async function timePasses(): Promise<void> {
  await service.advance(100_000);
  // Its clock has to be past the other's.
  await elsewhere.advance(1_000_000);
}

const unmarked = ({ __account: _, ...state }: Properties): Properties => state;

// finds mutant account-in-the-state
test("a state names the account, which a run asks for once", async () => {
  const { volumes } = run(mine);
  const states = await Promise.all(
    ["a", "b"].map(async (name) => {
      const { inputs } = await volumes.check({}, { ...VOLUME, name });
      return (await volumes.create(inputs)).state;
    }),
  );
  expect(states.map(({ __account }) => __account)).toEqual([markOf("user_emulated"), markOf("user_emulated")]);
  expect(await service.count("getAccount")).toBe(1);
  expect(markOf("user_emulated")).toMatch(/^[0-9a-f]{8}$/);
});

// finds mutant green-with-a-wrong-key
test("the check of a new resource, which a preview makes, asks once and finds a wrong key", async () => {
  const wrong = run(mine, { apiKey: "wrong-key", catalogChecks: false });
  expect((await wrong.volumes.check({}, VOLUME)).failures).toEqual([
    { property: "computecloud:apiKey", reason: expect.stringContaining("401") },
  ]);
  await service.forgetCalls();
  const { volumes } = run(mine, { catalogChecks: false });
  expect((await volumes.check({}, { ...VOLUME, size: 0 })).failures).toMatchObject([{ property: "size" }]);
  for (const name of ["a", "b"]) expect((await volumes.check({}, { ...VOLUME, name })).failures).toEqual([]);
  expect(await service.calls()).toEqual(["getAccount"]);
});

test("whose key it is, is asked beside what the checks ask", async () => {
  const { connect } = run(mine);
  const operations = kinds.networkVolume(connect);
  operations.check = async (_, inputs) => {
    await until(async () => (await service.calls()).includes("getAccount"));
    return { inputs, failures: [] };
  };
  expect((await new HostedOperations(operations, connect).check({}, VOLUME)).failures).toEqual([]);
});

test("the little patience of a new resource's check does not end the same question of a change beside it", async () => {
  const act = { status: 503, headers: { "retry-after": "60" } };
  await service.fault({ match: { operation: "getAccount", times: 1 }, act });
  const { account } = await run(mine, {}, undefined, { clock: impatient() }).connect();
  const refusal = account.refusal();
  expect((await account.owner())?.mark).toBe(markOf("user_emulated"));
  expect(await refusal).toBeUndefined();
});

test("a comparison without a difference asks nothing, whoever's key it is", async () => {
  const { id, state } = await createVolume();
  expect(await run(theirs).volumes.diff(id, state, unmarked(state))).toMatchObject({ changes: false });
  expect(await elsewhere.calls()).toEqual([]);
});

describe("another account's key", () => {
  // finds mutant other-accounts-key
  test.each<[string, (volumes: HostedOperations, id: string, state: Properties) => Promise<unknown>]>([
    ["refresh", (volumes, id, state) => volumes.read(id, state)],
    ["preview of a change", (volumes, id, state) => volumes.diff(id, state, { ...unmarked(state), size: 20 })],
    ["update", (volumes, id, state) => volumes.update(id, state, { ...unmarked(state), size: 20 })],
    ["delete", (volumes, id, state) => volumes.delete(id, state)],
  ])("is refused in a %s, before any other call, with both accounts named", async (_, operation) => {
    const { id, state } = await createVolume();
    const { message } = await errorOf(operation(run(theirs).volumes, id, state), OtherAccountError);
    expect(message).toContain(
      `NetworkVolume "${id}" is in the account ${markOf("user_emulated")}, but the key belongs to ` +
        `${markOf(THEIRS.id)} (${THEIRS.id}, ${THEIRS.email})`,
    );
    expect(await elsewhere.calls()).toEqual(["getAccount"]);
    expect(said).toMatchObject({ infos: [], warnings: [] });
  });

  test("creates nothing in a stack that is another account's", async () => {
    const { id, state } = await createVolume();
    const { volumes } = run(theirs);
    await volumes.diff(id, state, unmarked(state));
    await expect(volumes.create({ ...VOLUME, name: "new" })).rejects.toThrow(OtherAccountError);
    expect(await elsewhere.calls()).toEqual(["getAccount"]);
  });

  // finds mutants created-elsewhere-before, accounts-untold
  test("of a second Provider creates nothing, unless the stack has resources in that account or allowedAccounts lists it", async () => {
    const { id, state } = await createVolume();
    const process = (number: number, accounts: readonly string[] = []): StackAccounts => ({
      run: new Ledger({ run: "127.0.0.1:4711", folder: folder.path, process: number }),
      accounts: async () => accounts,
    });
    const first = run(mine, {}, process(global.process.pid));
    await first.volumes.diff(id, state, unmarked(state));
    await expect(run(theirs, {}, process(1)).volumes.create(VOLUME)).rejects.toThrow(
      `the stack's other resources are in ${markOf("user_emulated")}. Nothing was created.`,
    );
    expect(await elsewhere.calls()).toEqual(["getAccount"]);
    await run(mine, {}, process(1)).volumes.create({ ...VOLUME, name: "same account" });
    await run(theirs, {}, process(1, [markOf(THEIRS.id)])).volumes.create(VOLUME);
    await run(theirs, { allowedAccounts: [markOf(THEIRS.id)] }, process(1)).volumes.create(VOLUME);
    expect((await elsewhere.state()).networkVolumes).toHaveLength(2);
    // Nothing can be told, so the state is read.
    const mute = {
      run: new Ledger({ run: "127.0.0.1:4711", folder: "/dev/null/nowhere" }),
      accounts: async () => ["a"],
    };
    await expect(run(theirs, {}, mute).volumes.create(VOLUME)).rejects.toThrow("other resources are in a.");

    // That one was sooner than the first comparison of a recorded resource: in the preview, or else in the update.
    for (const [port, step] of [
      ["4712", "check"],
      ["4713", "create"],
    ] as const) {
      const late = new Ledger({ run: `127.0.0.1:${port}`, folder: folder.path, process: 1 });
      const { volumes } = run(theirs, {}, { run: late, accounts: async () => [] });
      await (step === "check" ? volumes.check({}, { ...VOLUME, name: "n" }) : volumes.create({ ...VOLUME, name: "n" }));
      // The state has what it created, too.
      const created = Date.now();
      const accounts = async (before: number) => (created < before ? [markOf(THEIRS.id)] : []);
      const next = { run: new Ledger({ run: `127.0.0.1:${port}`, folder: folder.path }), accounts };
      await expect(run(mine, {}, next).volumes.diff(id, state, unmarked(state))).rejects.toThrow(
        `another provider of this run creates resources in ${markOf(THEIRS.id)}`,
      );
    }
  });

  test("fails the preview of a new resource as soon as a recorded one is compared", async () => {
    const { id, state } = await createVolume();
    const { volumes } = run(theirs);
    await volumes.check({}, { ...VOLUME, name: "new" });
    await expect(volumes.diff(id, state, unmarked(state))).rejects.toThrow(OtherAccountError);
  });
});

test("another key of the same account is nothing", async () => {
  const { id, state } = await createVolume();
  const { volumes } = run(mine, { apiKey: ROTATED });
  expect((await volumes.read(id, state))?.state).toEqual(state);
  await volumes.delete(id, await volumes.update(id, state, { ...unmarked(state), size: 20 }));
  expect(await service.isEmpty()).toBe(true);
  expect(said).toMatchObject({ infos: [], warnings: [] });
});

test("a key that may not ask whose it is works all the same, and that is said once", async () => {
  const { id, state } = await createVolume();
  const { volumes } = run(mine, { apiKey: RESTRICTED });
  expect((await volumes.read(id, state))?.state).toEqual(state);
  expect((await volumes.read(id, unmarked(state)))?.state).toEqual(unmarked(state));
  await volumes.delete(id, state);
  expect(await service.isEmpty()).toBe(true);
  const infos = [expect.stringMatching(/^The key's account can't be determined/)];
  expect(said).toMatchObject({ infos, warnings: [] });
});

describe.each([
  ["a page", { status: 404, headers: { "content-type": "text/html" }, body: "<h1>Not Found</h1>" }, WrongAddressError],
  ["a redirect", { status: 302 }, WrongAddressError],
  ["somebody's JSON", { status: 200, body: { status: "ok", data: null } }, ContractError],
  ["the service's 404", { status: 404 }, UnknownAccountError],
])("%s as the account's answer", (_, act, refusal) => {
  const patient = (emulator: Emulator) => run(emulator, {}, undefined, { clock: impatient() }).volumes;

  // finds mutant a-health-page-is-an-account
  test("that stays makes, changes and drops nothing", async () => {
    const { id, state } = await createVolume();
    await elsewhere.fault({ match: { operation: "getAccount", times: 99 }, act });
    const volumes = patient(theirs);
    await volumes.diff(id, state, unmarked(state));
    await expect(volumes.create({ ...VOLUME, name: "new" })).rejects.toThrow(refusal);
    await expect(volumes.read(id, state)).rejects.toThrow(refusal);
    await expect(volumes.delete(id, state)).rejects.toThrow(refusal);
    expect(new Set(await elsewhere.calls())).toEqual(new Set(["getAccount"]));
  });

  test("that passes is no answer: the next one counts", async () => {
    const { id, state } = await createVolume();
    await elsewhere.fault({ match: { operation: "getAccount", times: 1 }, act });
    const volumes = patient(theirs);
    await volumes.diff(id, state, unmarked(state));
    await expect(volumes.create({ ...VOLUME, name: "new" })).rejects.toThrow();
    await expect(volumes.create({ ...VOLUME, name: "new" })).rejects.toThrow(OtherAccountError);
    expect(await elsewhere.isEmpty()).toBe(true);
  });
});

test("a state of an earlier version takes the account in with the next read or update, and asks nothing before", async () => {
  const { id, state } = await createVolume();
  const { volumes } = run(mine);
  expect(await volumes.diff(id, unmarked(state), { ...unmarked(state), size: 20 })).toMatchObject({ changes: true });
  expect(await service.calls()).toEqual([]);
  expect((await volumes.read(id, unmarked(state)))?.state).toEqual(state);
  expect(await volumes.update(id, unmarked(state), { ...unmarked(state), size: 20 })).toMatchObject({
    ...state,
    size: 20,
  });
});

describe("what is gone", () => {
  test("is believed of a resource in the key's account, also where it is the only one", async () => {
    const { id, state } = await createVolume();
    await service.setState({ networkVolumes: [] });
    expect(await run(mine).volumes.read(id, state)).toBeUndefined();
    expect(said.warnings).toEqual([`NetworkVolume "${id}" was not found and is removed from the state.`]);
  });

  // finds mutant empty-account-believed
  test("is an error where nothing tells the account and nothing else is there, unless it is asked for", async () => {
    const states = [await createVolume("a"), await createVolume("b")];
    const readAll = (settings: Partial<Settings> = {}) => {
      const { volumes, sshKeys } = run(theirs, settings);
      // That every account has one says nothing.
      const always = sshKeys.read("account", { keys: [] });
      return Promise.allSettled([always, ...states.map(({ id, state }) => volumes.read(id, unmarked(state)))]);
    };
    const [, ...gone] = await readAll();
    for (const each of gone) {
      expect(each).toMatchObject({ reason: expect.any(EmptyRefreshError) });
      expect(each).toMatchObject({
        reason: { message: expect.stringContaining("COMPUTECLOUD_ALLOW_EMPTY_REFRESH=true") },
      });
    }
    const [, ...allowed] = await readAll({ allowEmptyRefresh: true });
    expect(allowed).toEqual([
      { status: "fulfilled", value: undefined },
      { status: "fulfilled", value: undefined },
    ]);
  });

  test("is believed beside what is there, in a refresh and in a destroy", async () => {
    const [gone, there] = [await createVolume("a"), await createVolume("b")];
    await service.removed(`/v2/network-volumes/${gone.id}`);
    const { volumes } = run(mine, { apiKey: RESTRICTED });
    const reads = [gone, there].map(({ id, state }) => volumes.read(id, unmarked(state)));
    expect(await Promise.all(reads)).toEqual([undefined, expect.objectContaining({ state: unmarked(there.state) })]);
    const next = run(mine, { apiKey: RESTRICTED });
    await Promise.all([gone, there].map(({ id, state }) => next.volumes.delete(id, state)));
    expect(await service.isEmpty()).toBe(true);
    const doubt = "If it belongs to an account other than the key's, it still exists.";
    expect(said.warnings.filter((text) => text.includes("was not found"))).toEqual(
      Array(2).fill(`NetworkVolume "${gone.id}" was not found and is removed from the state. ${doubt}`),
    );
  });

  test("is an error of a resource that was made in another account than the one beside it", async () => {
    const [gone, there] = [await createVolume("a"), await createVolume("b")];
    await service.removed(`/v2/network-volumes/${gone.id}`);
    const { volumes } = run(mine, { apiKey: RESTRICTED });
    const reads = [volumes.read(gone.id, gone.state), volumes.read(there.id, unmarked(there.state))];
    await expect(reads[0]).rejects.toThrow(
      `nor was any other resource of this stack in the account ${markOf("user_emulated")}`,
    );
    expect(await reads[1]).toBeDefined();
    const again = run(mine, { apiKey: RESTRICTED }).volumes;
    expect(await Promise.all([again.read(gone.id, gone.state), again.read(there.id, there.state)])).toEqual([
      undefined,
      expect.objectContaining({ state: there.state }),
    ]);
  });

  describe("to another account's key that may not tell whose it is", () => {
    test.each(["read", "delete"] as const)("is an error: %s", async (operation) => {
      const states = [await createVolume("a"), await createVolume("b")];
      const { volumes } = run(theirs, { apiKey: RESTRICTED });
      const each = await Promise.allSettled(states.map(({ id, state }) => volumes[operation](id, state)));
      expect(each).toEqual(Array(2).fill({ status: "rejected", reason: expect.any(EmptyRefreshError) }));
      expect(said.warnings.join()).not.toContain("was not found");
      expect((await service.state()).networkVolumes).toHaveLength(2);
    });

    test("is an error of a whole fleet, whose members stay in the state", async () => {
      const { fleets } = run(mine);
      const { inputs } = await fleets.check(
        {},
        { __logicalName: "models", endpoints: { a: { image: "example.com/a:1", gpuIds: "ADA_24" } } },
      );
      const { id, state } = await fleets.create(inputs);
      await timePasses();
      const blind = () => run(theirs, { apiKey: RESTRICTED }).fleets;
      await expect(blind().read(id, state)).rejects.toThrow(EmptyRefreshError);
      await expect(blind().delete(id, state)).rejects.toThrow("nor was any other resource of this stack");
      expect((await service.state()).endpoints).toHaveLength(1);
      await run(mine).fleets.delete(id, state);
      // Their own account's key may believe it.
      expect((await run(mine).fleets.read(id, state))?.inputs.endpoints).toEqual({});
    });
  });
});

describe("allowedAccounts", () => {
  test.each([["user_emulated"], [markOf("user_emulated")]])("takes %s", async (account) => {
    const { volumes } = run(mine, { allowedAccounts: ["user_other", account] });
    expect(await volumes.create(VOLUME)).toMatchObject({ state: VOLUME });
  });

  test("refuses any other account in the preview already", async () => {
    const { volumes } = run(theirs, { allowedAccounts: ["user_emulated"] });
    await expect(volumes.check({}, VOLUME)).rejects.toThrow(AccountNotAllowedError);
    await expect(volumes.check({}, VOLUME)).rejects.toThrow(/user_theirs, .* does not list: user_emulated/);
    await expect(volumes.delete("abc", VOLUME)).rejects.toThrow(AccountNotAllowedError);
    expect(new Set(await elsewhere.calls())).toEqual(new Set(["getAccount"]));
  });

  test("refuses a key that may not ask", async () => {
    const { volumes } = run(mine, { apiKey: RESTRICTED, allowedAccounts: ["user_emulated"] });
    await expect(volumes.create(VOLUME)).rejects.toThrow(
      /Give the key read access to the account.*remove allowedAccounts/,
    );
    expect(await service.isEmpty()).toBe(true);
  });
});

test("a partly made resource names the account as well", async () => {
  const { id } = await createVolume();
  await service.fault({ match: { operation: "updateNetworkVolume" }, act: { status: 403 } });
  const partly = run(mine).volumes.create({ ...VOLUME, size: 20, adoptId: id });
  await expect(partly).rejects.toMatchObject({ id, properties: { __account: markOf("user_emulated") } });
});
