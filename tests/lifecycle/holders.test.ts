/* A resource under a new name that adopts its own id: the engine deletes it under the old name, and it has to stay. */
import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { CreateJournal } from "../../provider/memory/createJournal";
import { Holders, UntoldError } from "../../provider/memory/holders";
import { RunNotes } from "../../provider/memory/runNotes";
import { FleetLifecycle } from "../../provider/resources/fleet/fleetLifecycle";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { contextOf } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { emulatorForAll } from "../harness/forAll";

const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const OLD = { ...VOLUME, __seed: "old place", __logicalName: "data" };

const { emulator, service } = emulatorForAll();
let old: { id: string; state: Properties };
let renamed: Properties;
beforeEach(async () => {
  const { run } = newRun();
  old = await run.create((await run.check({}, OLD)).inputs);
  renamed = { ...VOLUME, __seed: "new place", __logicalName: "models", adoptId: old.id };
});

/** What a process that the engine starts knows. */
function newRun(holders = new Holders()) {
  const infos: string[] = [];
  const warnings: string[] = [];
  const context = { ...contextOf(emulator), holders };
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

// finds mutant deleted-under-its-old-name
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

describe("between the processes of a run", () => {
  const ID = "v1";
  const RUN = "127.0.0.1:4711";
  /** No process has it any more. */
  const ENDED = 2 ** 30;
  const folder = folderForEach();

  const notes = ({ run = RUN, id = process.pid }: { run?: string; id?: number } = {}) =>
    new RunNotes(run, folder.path, id);
  const holders = (id: number, account?: string, run = RUN) => new Holders(notes({ run, id }), () => account);
  /** As a process of this run, or of an earlier one at the same address, has left it. */
  const left = (process: number, at: number, more: { started?: string; host?: string } = {}) =>
    appendFileSync(folder.at("127-0-0-1-4711.jsonl"), `${JSON.stringify({ process, at, holds: ID, ...more })}\n`);

  // finds mutant adoption-untold
  test("what one adopts the others keep, also when it was told before they started", () => {
    const [one, other] = [holders(process.pid), holders(process.ppid)];
    expect(other.isKept(ID, "old")).toBe(false);
    one.adopts(ID);
    expect(other.isKept(ID, "old")).toBe(true);
    expect(other.has(ID)).toBe(true);
    expect(holders(process.ppid).isKept(ID, "old")).toBe(true);
    expect(other.isKept("another", "old")).toBe(false);
  });

  test("a volume stays in the run that adopts it, and in a later one, without adoptId and after an update", async () => {
    const { run } = newRun(holders(process.pid));
    const { inputs } = await run.check({}, renamed);
    const made = await run.create(inputs);
    const { adoptId: _, ...plain } = inputs;
    const state = await run.update(old.id, made.state, { ...plain, size: 200 });
    await newRun(holders(process.ppid)).run.delete(old.id, old.state);
    expect(await isThere(old.id)).toBe(true);

    const next = (process: number) => newRun(holders(process, undefined, "127.0.0.1:4712")).run;
    const later = next(process.pid);
    await later.check(plain, { ...plain, size: 200 });
    await later.diff(old.id, state, { ...plain, size: 200 });
    await next(process.ppid).delete(old.id, old.state);
    expect(await isThere(old.id)).toBe(true);
  });

  test("what an earlier run adopted they keep where the program declares it, and not where it is only compared", () => {
    const one = holders(process.pid);
    one.hasAdopted(ID, "place");
    one.hasAdopted(ID, undefined);
    expect(readdirSync(folder.path)).toEqual([]);
    one.declares("place");
    one.hasAdopted(ID, "place");
    expect(holders(process.ppid).isKept(ID, "old")).toBe(true);
    expect(holders(process.pid).isKept(ID, "old")).toBe(false);
  });

  test("another run, at another address, hears nothing", () => {
    holders(process.pid).adopts(ID);
    expect(holders(process.ppid, undefined, "127.0.0.1:4712").isKept(ID, "old")).toBe(false);
  });

  test("what a process told that crashed since counts, and what a killed run left does not", () => {
    left(ENDED, Date.now() - 60_000);
    // Another process may have its id by now, as far as the system tells.
    if (process.platform === "linux") left(process.pid, Date.now() - 60_000, { started: "1" });
    const other = holders(process.ppid);
    expect(other.isKept(ID, "old")).toBe(false);
    left(ENDED, Date.now() + 1);
    expect(other.isKept(ID, "old")).toBe(true);
  });

  test.each([
    ["the same", "acc1", "acc1", true],
    ["another", "acc1", "acc2", false],
    ["one that the adopting process does not know", undefined, "acc2", true],
    ["one that the deleting process does not know", "acc1", undefined, true],
  ])("an id in two accounts is two resources: in %s", (_, mine, theirs, isKept) => {
    holders(process.pid, mine).adopts(ID);
    expect(holders(process.ppid, theirs).isKept(ID, "old")).toBe(isKept);
  });

  test("an account that is known later counts", () => {
    let account: string | undefined;
    const one = new Holders(notes(), () => account);
    one.adopts(ID);
    account = "acc1";
    one.adopts(ID);
    expect(holders(process.ppid, "acc2").isKept(ID, "old")).toBe(false);
    expect(holders(process.ppid, "acc1").isKept(ID, "old")).toBe(true);
  });

  test("an adoption that can't be told is refused, and what was adopted earlier goes on", () => {
    rmSync(folder.path, { recursive: true });
    writeFileSync(folder.path, "");
    const one = holders(process.pid);
    expect(() => one.adopts(ID)).toThrow(UntoldError);
    one.declares("place");
    expect(() => one.hasAdopted(ID, "place")).not.toThrow();
    expect(one.isKept("another", "old")).toBe(false);
  });

  test("a run that adopts nothing writes nothing, and one that does removes what ended runs have left", () => {
    left(ENDED, Date.now());
    const one = new Holders(notes({ run: "127.0.0.1:4712" }));
    one.declares("place");
    one.isSecond(ID, "place");
    one.isKept(ID, "place");
    expect(readdirSync(folder.path)).toEqual(["127-0-0-1-4711.jsonl"]);
    one.adopts(ID);
    expect(readdirSync(folder.path)).toEqual(["127-0-0-1-4712.jsonl"]);
  });

  test("the file of a run in another container stays, and is none of this run's", () => {
    left(ENDED, Date.now(), { host: "another-runner" });
    holders(process.pid, undefined, "127.0.0.1:4712").adopts("another");
    expect(readdirSync(folder.path).sort()).toEqual(["127-0-0-1-4711.jsonl", "127-0-0-1-4712.jsonl"]);
    left(ENDED, Date.now() + 1, { host: "another-runner" });
    expect(holders(process.ppid).isKept(ID, "old")).toBe(false);
  });
});
