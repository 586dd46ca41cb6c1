/* What runs and processes know of each other by their files, and nothing more than that. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { Ledger, type LedgerOptions } from "../../provider/memory/ledger";
import { Notes } from "../../provider/memory/notes";
import { UntoldError } from "../../provider/memory/programIds";
import { checkout } from "../../tools/run/environment";
import { folderForEach, leave } from "../harness/folder";

const ID = "v1";
const RUN = "127-0-0-1-4711";
const CREATE = { kind: "Pod", name: "web", begun: 1, before: [] };
const folder = folderForEach();
const ledger = (options: LedgerOptions = {}) => new Ledger({ folder: folder.path, ...options });
/** A process of the run; its number is that of a process which runs. */
const inRun = (process: number, options: LedgerOptions = {}) => ledger({ run: "127.0.0.1:4711", process, ...options });
const [one, other] = [process.pid, process.ppid];
const creating = (place: string, more: object = {}) => ({ is: "creating", place, ...CREATE, ...more });

describe("between the processes of a run", () => {
  // finds mutant adoption-untold
  test("what one adopts the others keep, also when that was before they started; another run ignores it", () => {
    const [first, second] = [inRun(one), inRun(other)];
    expect(second.ids.isHeldElsewhere(ID, "old")).toBe(false);
    first.ids.adopts(ID);
    expect(second.ids.isHeldElsewhere(ID, "old")).toBe(true);
    expect(second.ids.isHeld(ID)).toBe(true);
    expect(inRun(other).ids.isHeldElsewhere(ID, "old")).toBe(true);
    expect(second.ids.isHeldElsewhere("another", "old")).toBe(false);
    expect(inRun(other, { run: "127.0.0.1:4712" }).ids.isHeldElsewhere(ID, "old")).toBe(false);
  });

  // finds mutant ended-beside
  test.each([
    ["another has looked", (second: Ledger) => void second.creates.at("place")],
    ["another has looked, which had begun", () => {}],
    ["another has looked, and a third has put its file away", () => {}, () => void inRun(other).creates.at("place")],
  ])("what one has written the others still know when it has ended before %s", async (_, before, after = () => {}) => {
    const second = inRun(one);
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
    await once(child, "spawn");
    inRun(Number(child.pid)).ids.adopts(ID);
    before(second);
    child.kill("SIGKILL");
    await once(child, "exit");
    after();
    expect(second.ids.isHeldElsewhere(ID, "old")).toBe(true);
    expect(inRun(one).ids.isHeldElsewhere(ID, "old")).toBe(false);
  });

  test("what an earlier run adopted they keep where the program declares it, and not where it is only compared", () => {
    const first = inRun(one);
    first.ids.holds(ID, "place");
    first.ids.holds(ID, undefined);
    expect(readdirSync(folder.path)).toEqual([]);
    first.ids.declares("place");
    first.ids.holds(ID, "place");
    expect(inRun(other).ids.isHeldElsewhere(ID, "old")).toBe(true);
    expect(inRun(one).ids.isHeldElsewhere(ID, "old")).toBe(false);
  });

  test("what one declares the others keep, until it is replaced, and again once it is declared or adopted anew", () => {
    const [first, second] = [inRun(one), inRun(other)];
    first.ids.declares("place");
    const declare = () => {
      first.ids.claim(ID, "place");
      first.ids.holds(ID, "place");
      return second.ids.isHeldElsewhere(ID, "old");
    };
    const replace = () => {
      first.ids.replaces("place");
      return second.ids.isHeldElsewhere(ID, "old");
    };
    expect([declare(), replace(), declare(), replace()]).toEqual([true, false, true, false]);
    first.ids.adopts(ID);
    expect(replace()).toBe(true);
  });

  test("what a process wrote that crashed since counts; what a killed run, or one in another container, left does not", () => {
    const held = [{ is: "holds", id: ID }];
    leave(folder.path, held, { run: RUN });
    // Another process may have its id by now, as far as the system tells.
    if (process.platform === "linux") leave(folder.path, held, { run: RUN, process: other, started: "1" });
    const first = inRun(one);
    expect(first.ids.isHeldElsewhere(ID, "old")).toBe(false);
    leave(folder.path, held, { run: RUN, host: "another-runner" });
    expect(first.ids.isHeldElsewhere(ID, "old")).toBe(false);
    leave(folder.path, held, { run: RUN });
    expect(first.ids.isHeldElsewhere(ID, "old")).toBe(true);
  });

  test.each([
    ["the same", "acc1", "acc1", true],
    ["another", "acc1", "acc2", false],
    ["one that the adopting process does not know", undefined, "acc2", true],
    ["one that the deleting process does not know", "acc1", undefined, true],
  ])("an id in two accounts is two resources: in %s", (_, mine, theirs, isKept) => {
    inRun(one, { account: () => mine }).ids.adopts(ID);
    expect(inRun(other, { account: () => theirs }).ids.isHeldElsewhere(ID, "old")).toBe(isKept);
  });

  test("an account that is known later counts", () => {
    let account: string | undefined;
    const first = inRun(one, { account: () => account });
    first.ids.adopts(ID);
    account = "acc1";
    first.ids.adopts(ID);
    expect(inRun(other, { account: () => "acc2" }).ids.isHeldElsewhere(ID, "old")).toBe(false);
    expect(inRun(other, { account: () => "acc1" }).ids.isHeldElsewhere(ID, "old")).toBe(true);
  });

  test("an adoption that can't be written is refused, and what was adopted earlier goes on", () => {
    rmSync(folder.path, { recursive: true });
    writeFileSync(folder.path, "");
    const first = inRun(one);
    expect(() => first.ids.adopts(ID)).toThrow(UntoldError);
    first.ids.declares("place");
    expect(() => first.ids.holds(ID, "place")).not.toThrow();
    expect(first.ids.isHeldElsewhere("another", "old")).toBe(false);
    // Another process may declare what was adopted, and can't say so.
    expect(() => first.ids.isHeldElsewhere("another", "old", true)).toThrow(UntoldError);
  });

  // finds mutant other-host-is-silent
  test("each host reports the creates that killed runs began at other places than the program's, and the other host's if that is not in the run", () => {
    ledger().creates.begin("under way", CREATE);
    leave(folder.path, [creating("declared"), creating("native", { native: true })]);
    // The same id in another container.
    leave(folder.path, [creating("elsewhere")], { process: one, host: "another-runner" });
    // In a container the ids of processes come again. Only Linux tells when one began.
    const reused = process.platform === "linux" ? ["reused"] : [];
    for (const place of reused) leave(folder.path, [creating(place)], { process: other, started: "1" });
    const killed = (of: Ledger) => [...of.creates.killed().keys()].sort();
    const alone = ledger();
    alone.creates.declaresNew("declared");
    expect(killed(alone)).toEqual(["elsewhere", "native", ...reused]);
    const all = ["declared", "elsewhere", "native", ...reused, "under way"];
    expect([...alone.creates.all().keys()].sort()).toEqual(all);

    const [dynamic, native] = [inRun(one), inRun(other, { host: "native" })];
    dynamic.creates.declaresNew("declared");
    // The other one has not appeared yet.
    expect(killed(dynamic)).toEqual(["elsewhere", "native", ...reused]);
    expect(killed(native)).toEqual(["native"]);
    expect(killed(dynamic)).toEqual(["elsewhere", ...reused]);
    native.creates.declaresNew("native");
    expect(killed(inRun(1, { host: "native" }))).toEqual([]);
  });
});

describe("a second run of the stack", () => {
  /** What a run that ended began, and whether it had the answer. */
  const ended = (isAnswered?: true, by: { host?: string; run?: string } = {}) =>
    leave(folder.path, [creating("place"), { is: "settled", place: "place", ...(isAnswered && { id: "made" }) }], by);

  // finds mutant ended-second-run
  test("that made something since this one began is in the way, though it has ended, and what it made is looked for by the next run", () => {
    const first = ledger();
    expect(first.creates.secondRun("place")).toBeUndefined();
    ended(true);
    const third = ledger();
    expect(first.creates.secondRun("place")).toMatchObject(CREATE);
    expect(first.creates.secondRun("another place")).toBeUndefined();
    // A run after it may find its file put away, and what the first one keeps of it.
    expect(third.creates.secondRun("place")).toBeUndefined();
    expect([...ledger().creates.killed().values()]).toMatchObject([CREATE]);
  });

  test.each<[string, () => void]>([
    ["was refused", () => ended()],
    ["ran in another container", () => ended(true, { host: "another" })],
    ["is a process of the same run", () => ended(true, { run: RUN })],
    [
      "created it here before a replacement",
      () => {
        const same = inRun(one);
        same.creates.begin("place", CREATE);
        same.creates.answered("place", "made");
        same.creates.close();
      },
    ],
  ])("that %s is not", (_, leaves) => {
    const first = inRun(one);
    first.creates.secondRun("place");
    leaves();
    expect(first.creates.secondRun("place")).toBeUndefined();
  });
});

describe("the files", () => {
  test("of ended processes go, but for a day where a long run may ask what they made, adopted or deleted", () => {
    leave(folder.path, [
      { is: "records", account: "acc1" },
      { is: "holds", id: ID },
    ]);
    leave(folder.path, [{ is: "holds", id: ID }], { host: "another-runner" });
    const deleted = leave(folder.path, [{ is: "deleted", id: ID }]);
    leave(folder.path, [{ is: "deleted", id: "long ago" }], { at: Date.now() - 100_000 });
    writeFileSync(folder.at("none.1.1000.past.jsonl"), "");
    const open = leave(folder.path, [creating("place")]);
    appendFileSync(open, "half a li");
    const run = ledger();
    expect([run.changes.wasDeleted(ID), run.changes.wasDeleted("long ago"), run.changes.wasDeleted("another")]).toEqual(
      [true, false, false],
    );
    expect(run.creates.all().size).toBe(1);
    expect(ledger().changes.wasDeleted(ID)).toBe(true);
    const names = readdirSync(folder.path);
    expect(names).toContain(basename(open));
    expect(names).toContain(basename(deleted).replace(/jsonl$/, "past.jsonl"));
    expect(names.filter((name) => name.includes("past"))).toHaveLength(3);
    expect(names).toHaveLength(5);
  });

  test("take what the next run notes, even behind a line that a kill has cut", () => {
    appendFileSync(leave(folder.path, [creating("place")]), "half a li");
    ledger().creates.settle("place");
    expect(ledger().creates.at("place")).toBeUndefined();
  });

  test("are not made again for the end of a create, once somebody has removed them", () => {
    const run = ledger();
    run.creates.begin("place", CREATE);
    folder.end();
    run.creates.settle("place");
    expect(run.creates.at("place")).toBeUndefined();
    expect(() => readdirSync(folder.path)).toThrow("ENOENT");
  });

  // finds mutant secrets-in-the-ledger
  test("hold of what an update changed digests only, which take the key", () => {
    const env = { TOKEN: "hunter2" };
    ledger({ secret: "key" }).changes.updated(ID, [["env", env]]);
    expect(
      readdirSync(folder.path)
        .map((name) => readFileSync(folder.at(name), "utf8"))
        .join(),
    ).not.toContain("hunter2");
    const was = (secret: string, value: unknown) => ledger({ secret }).changes.wasBefore(ID, "env", value);
    expect([was("key", env), was("key", {}), was("another", env)]).toEqual([true, false, false]);
  });

  test("of another user, and those that can't be read, fail no run", () => {
    mkdirSync(folder.at("none.1.1.jsonl"));
    const run = ledger();
    run.creates.begin("place", CREATE);
    expect(run.creates.at("place")).toMatchObject(CREATE);
    expect(run.changes.wasDeleted(ID)).toBe(false);
  });

  test("that nobody has written to for hours are not read for what was deleted lately", () => {
    const file = leave(folder.path, [{ is: "deleted", id: ID }]);
    const hoursAgo = Date.now() / 1000 - 7200;
    utimesSync(file, hoursAgo, hoursAgo);
    expect(ledger().changes.wasDeleted(ID)).toBe(false);
  });
});

test("what is noted is for its owner alone, whatever the umask", () => {
  const umask = process.umask(0);
  try {
    new Notes(folder.at("new/notes"), z.string()).set("run", "text");
    new Ledger({ folder: folder.at("new/ledger") }).creates.begin("place", CREATE);
  } finally {
    process.umask(umask);
  }
  const modes = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).map((path) => {
    const { mode } = statSync(folder.at(path));
    return (mode & 0o777).toString(8);
  });
  expect(modes.sort()).toEqual(["600", "600", "700", "700", "700"]);
});

test("a note stays as it was where the disk is too full for the next one, which is reported", () => {
  const notes = new Notes(folder.path, z.string());
  expect(notes.set("run", "before")).toBe(true);
  const program = `
    const { Notes } = require("./dist/provider/memory/notes");
    console.log(new Notes(process.argv[1], undefined).set("run", "after".repeat(1_000)));`;
  const limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" -e "$1" "$2"';
  const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, program, folder.path], { cwd: checkout });
  expect([stdout.toString(), [...notes.all()]]).toEqual(["false\n", [["run", "before"]]]);
});
