/* A resource under a new name that adopts its own id: the engine deletes it under the old name, and it has to stay. */
import { beforeEach, expect, test } from "@jest/globals";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { Ledger } from "../../provider/memory/ledger";
import { sshKeys } from "../../provider/resources/account/sshKeys";
import { FleetLifecycle } from "../../provider/resources/fleet/fleetLifecycle";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { emulatorForAll } from "../harness/account";
import { contextOf, createResource, logForEach } from "../harness/context";
import { folderForEach } from "../harness/folder";

const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const OLD = { ...VOLUME, __seed: "old place", __logicalName: "data" };

const { emulator, service } = emulatorForAll();
const folder = folderForEach();
const { said, log } = logForEach();
let old: { id: string; state: Properties };
let renamed: Properties;
beforeEach(async () => {
  old = await createResource(newRun(), OLD);
  renamed = { ...VOLUME, __seed: "new place", __logicalName: "models", adoptId: old.id };
});

/** What a process that the engine starts knows. */
function newRun() {
  const context = { ...contextOf(emulator), log };
  return new Lifecycle(networkVolume, async () => context);
}

/** By a run before. */
const adopted = async () => createResource(newRun(), renamed);

const isThere = async (id: string) => (await service.state()).networkVolumes.some((each) => each.id === id);

// finds mutant deleted-under-its-old-name
test("stays, and the run says so", async () => {
  const run = newRun();
  await createResource(run, renamed);
  await run.delete(old.id, old.state);
  expect(await isThere(old.id)).toBe(true);
  expect(said.infos).toContainEqual(
    `NetworkVolume "${old.id}" is not deleted: another resource of this program has it now.`,
  );
});

test("stays as well where the run that adopted it ended before it could forget the old name", async () => {
  const { inputs } = await createResource(newRun(), renamed);
  const run = newRun();
  await run.check(inputs, renamed);
  await run.delete(old.id, old.state);
  expect(await isThere(old.id)).toBe(true);
});

test("stays where a replacement of what was adopted adopts it again", async () => {
  const { inputs, id, state } = await adopted();
  const run = newRun();
  await run.check(inputs, renamed);
  await run.check({}, renamed);
  await run.delete(id, state);
  expect(await isThere(id)).toBe(true);
});

test("goes where the engine replaces what an alias renamed in the same run, although the comparison didn't ask for it", async () => {
  const { adoptId: _, ...moved } = renamed;
  const run = newRun();
  await run.check(old.state, moved);
  await run.diff(old.id, old.state, { ...old.state, ...moved });
  await run.check({}, moved);
  await run.delete(old.id, old.state);
  expect(await isThere(old.id)).toBe(false);
});

test("goes with the program's last word for it", async () => {
  const { inputs, id, state } = await adopted();
  const run = newRun();
  await run.check(inputs, renamed);
  await run.delete(id, state);
  expect(await isThere(id)).toBe(false);
});

test("that two resources of a program have is told, and stays when one of them goes", async () => {
  const { inputs, id, state } = await adopted();
  const run = newRun();
  await run.check(old.state, OLD);
  await run.diff(old.id, old.state, OLD);
  await run.check(inputs, { ...inputs, adoptId: undefined });
  for (const _ of ["first", "again"]) await run.diff(id, state, { ...inputs, adoptId: undefined });
  expect(said.warnings).toEqual([
    expect.stringContaining(`NetworkVolume "${id}" belongs to two resources of this program`),
  ]);
  const last = newRun();
  await last.check(inputs, { ...inputs, adoptId: undefined });
  await last.diff(id, state, { ...inputs, adoptId: undefined });
  await last.delete(old.id, old.state);
  expect(await isThere(id)).toBe(true);
});

test("goes, without a word of two resources, where a refresh has compared it under the name that an alias renames in that run", async () => {
  const { adoptId: _, ...moved } = renamed;
  const run = newRun();
  await run.diff(old.id, old.state, OLD);
  await run.check(old.state, moved);
  await run.diff(old.id, old.state, { ...old.state, ...moved });
  expect(said.warnings).toEqual([]);
});

test("a member that becomes another goes, where a refresh has compared its fleet under a name that an alias renames", async () => {
  const run = () => {
    const context = contextOf(emulator);
    return new FleetLifecycle(async () => context);
  };
  const fleet = (place: string, type: string) => ({
    __seed: place,
    __logicalName: "models",
    endpoints: { chat: { image: "example.com/a:1", gpuIds: "ADA_24", type, scalerType: "REQUEST_COUNT" } },
  });
  const first = run();
  const created = await first.create((await first.check({}, fleet("old place", "QB"))).inputs);
  const next = run();
  const seen = await next.read(created.id, created.state);
  await next.diff(created.id, seen.state, { ...seen.inputs, __seed: "old place" });
  const { inputs } = await next.check(seen.inputs, fleet("new place", "LB"));
  await next.diff(created.id, seen.state, inputs);
  const state = await next.update(created.id, seen.state, inputs);
  const { endpoints } = await service.state();
  expect(endpoints.map(({ id }) => id)).toEqual(Object.values(Object(state.ids)));
});

// finds mutant moved-keys-leave
test("stays in a later run than the one that moved the account's only list of keys to the other host, and failed", async () => {
  const list = (number: number, port: number) => {
    const ledger = new Ledger({ folder: folder.path, run: `127.0.0.1:${port}`, process: number });
    const context = { ...contextOf(emulator), ledger };
    return new Lifecycle(sshKeys, async () => context);
  };
  const [one, other] = [process.pid, process.ppid];
  const keys = ["ssh-ed25519 dGVhbQ== team"];
  const before = await list(one, 4711).create({ keys, __seed: "old place" });
  const run = list(one, 4712);
  const { inputs } = await run.check({}, { keys, __seed: "new place", adoptId: "account" });
  const { adoptId: _, ...plain } = inputs;
  const { state } = await run.create(plain);
  const later = list(one, 4713);
  await later.check(plain, plain);
  await later.diff("account", state, plain);
  await list(other, 4713).delete(before.id, before.state);
  expect((await service.state()).sshKeys).toMatchObject([{ key: keys[0] }]);
  await list(one, 4714).delete("account", state);
  expect((await service.state()).sshKeys).toEqual([]);
});
