/* A resource under a new name that adopts its own id: the engine deletes it under the old name, and it has to stay. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { CreateJournal } from "../../provider/lifecycle/createJournal";
import type { Context } from "../../provider/lifecycle/definition";
import { Holders } from "../../provider/lifecycle/holders";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import type { Properties } from "../../provider/lifecycle/values";
import { FleetLifecycle } from "../../provider/resources/serverless/fleet/fleetLifecycle";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { type Emulator, startEmulator } from "../emulator";
import { contextOf } from "../harness/context";
import { Control } from "../harness/control";

const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const OLD = { ...VOLUME, __seed: "old place", __logicalName: "data" };

let emulator: Emulator;
let service: Control;
let old: { id: string; state: Properties };
let renamed: Properties;
beforeAll(async () => {
  emulator = await startEmulator();
  service = new Control(emulator);
});
beforeEach(async () => {
  const { run } = newRun();
  old = await run.create((await run.check({}, OLD)).inputs);
  renamed = { ...VOLUME, __seed: "new place", __logicalName: "models", adoptId: old.id };
});
afterAll(() => emulator.stop());

/** What a process that the engine starts knows. */
function newRun() {
  const infos: string[] = [];
  const warnings: string[] = [];
  const context = contextOf(emulator);
  const log: Context["log"] = { ...context.log, info: (text) => infos.push(text), warn: (text) => warnings.push(text) };
  const told = { ...context, log };
  return {
    run: new Lifecycle(networkVolume, async () => told, new CreateJournal("/dev/null/nowhere")),
    infos,
    warnings,
  };
}

/** By a run before. */
async function adopted() {
  const { run } = newRun();
  const { inputs } = await run.check({}, renamed);
  return { inputs, ...(await run.create(inputs)) };
}

const isThere = async (id: string) => (await service.state()).networkVolumes.some((each) => each.id === id);

test("stays, and the run says so", async () => {
  const { run, infos } = newRun();
  await run.create((await run.check({}, renamed)).inputs);
  await run.delete(old.id, old.state);
  expect(await isThere(old.id)).toBe(true);
  expect(infos).toContainEqual(
    `NetworkVolume "${old.id}" is not deleted: another resource of this program has it now.`,
  );
});

test("stays as well where the run that adopted it ended before it could forget the old name", async () => {
  const { run: failed } = newRun();
  const { inputs } = await failed.check({}, renamed);
  await failed.create(inputs);
  const { run } = newRun();
  await run.check(inputs, renamed);
  await run.delete(old.id, old.state);
  expect(await isThere(old.id)).toBe(true);
});

test("stays where a replacement of what was adopted adopts it again", async () => {
  const { inputs, id, state } = await adopted();
  const { run } = newRun();
  await run.check(inputs, renamed);
  await run.check({}, renamed);
  await run.delete(id, state);
  expect(await isThere(id)).toBe(true);
});

test("goes where the engine replaces what an alias renamed in the same run, although the comparison didn't ask for it", async () => {
  const { adoptId: _, ...moved } = renamed;
  const { run } = newRun();
  await run.check(old.state, moved);
  await run.diff(old.id, old.state, { ...old.state, ...moved });
  await run.check({}, moved);
  await run.delete(old.id, old.state);
  expect(await isThere(old.id)).toBe(false);
});

test("goes with the program's last word for it", async () => {
  const { inputs, id, state } = await adopted();
  const { run } = newRun();
  await run.check(inputs, renamed);
  await run.delete(id, state);
  expect(await isThere(id)).toBe(false);
});

test("that two resources of a program have is told, and stays when one of them goes", async () => {
  const { inputs, id, state } = await adopted();
  const { run, warnings } = newRun();
  await run.check(old.state, OLD);
  await run.diff(old.id, old.state, OLD);
  await run.check(inputs, { ...inputs, adoptId: undefined });
  await run.diff(id, state, { ...inputs, adoptId: undefined });
  expect(warnings).toEqual([expect.stringContaining(`NetworkVolume "${id}" belongs to two resources of this program`)]);
  const { run: last } = newRun();
  await last.check(inputs, { ...inputs, adoptId: undefined });
  await last.diff(id, state, { ...inputs, adoptId: undefined });
  await last.delete(old.id, old.state);
  expect(await isThere(id)).toBe(true);
});

test("goes, without a word of two resources, where a refresh has compared it under the name that an alias renames in that run", async () => {
  const { adoptId: _, ...moved } = renamed;
  const { run, warnings } = newRun();
  await run.diff(old.id, old.state, OLD);
  await run.check(old.state, moved);
  await run.diff(old.id, old.state, { ...old.state, ...moved });
  expect(warnings).toEqual([]);
});

test("a member that becomes another goes, where a refresh has compared its fleet under a name that an alias renames", async () => {
  const context = contextOf(emulator);
  const run = () =>
    new FleetLifecycle(async () => ({ ...context, holders: new Holders() }), new CreateJournal("/dev/null"));
  const fleet = (place: string, type: string) => ({
    __seed: place,
    __logicalName: "models",
    endpoints: { chat: { image: "example.com/a:1", gpuIds: "ADA_24", type, scalerType: "REQUEST_COUNT" } },
  });
  const first = run();
  const made = await first.create((await first.check({}, fleet("old place", "QB"))).inputs);
  const next = run();
  const seen = await next.read(made.id, made.state);
  await next.diff(made.id, seen.state, { ...seen.inputs, __seed: "old place" });
  const { inputs } = await next.check(seen.inputs, fleet("new place", "LB"));
  await next.diff(made.id, seen.state, inputs);
  const state = await next.update(made.id, seen.state, inputs);
  const { endpoints } = await service.state();
  expect(endpoints.map(({ id }) => id)).toEqual(Object.values(Object(state.ids)));
});

describe("who has what", () => {
  const ID = "v1";
  let holders: Holders;
  beforeEach(() => {
    holders = new Holders();
  });

  test("is recorded by the engine, or isn't", () => {
    expect(holders.isRecorded(ID)).toBe(false);
    holders.records(ID);
    expect(holders.isRecorded(ID)).toBe(true);
  });

  test("is what the program declares there, or adopts", () => {
    expect(holders.has(ID)).toBe(false);
    expect(holders.isSecond(ID, "undeclared")).toBe(false);
    expect(holders.has(ID)).toBe(false);
    holders.declares("place");
    expect(holders.isSecond(ID, "place")).toBe(false);
    expect(holders.has(ID)).toBe(true);
    holders.replaces("place");
    expect(holders.has(ID)).toBe(false);
    holders.adopts(ID);
    expect(holders.has(ID)).toBe(true);
  });

  test("at a second place is told once", () => {
    for (const place of ["one", "two", "three"]) holders.declares(place);
    expect(["one", "one", "two", "three"].map((place) => holders.isSecond(ID, place))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test("stays when another place has it, or a new resource takes it over", () => {
    expect(holders.isKept(ID, "one")).toBe(false);
    holders.declares("one");
    holders.isSecond(ID, "one");
    expect([holders.isKept(ID, "one"), holders.isKept(ID, "old"), holders.isKept(ID, undefined)]).toEqual([
      false,
      true,
      true,
    ]);
    holders.adopts(ID);
    expect(holders.isKept(ID, "one")).toBe(true);
  });
});
