import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ownMark } from "../../../common/isRunning";
import { DataFileFormatError, DataFileInUseError, DataFileKindError, DataFileLinkError } from "../../../emulator";
import { Store } from "../../../emulator/store";
import { Collection } from "../../../emulator/store/collection";
import { callsTo } from "../../../tools/run/calls";
import { checkout } from "../../../tools/run/environment";
import { runOnTerminal, run as runToEnd } from "../../../tools/run/process";
import { type Account, openAccount } from "../../harness/account";
import { fails } from "../../harness/commandLine";
import { folderForEach } from "../../harness/folder";
import { until } from "../../harness/until";

const POD = { name: "pod", image: "repo/pod:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };
const BOOT_MS = 60_000;

const folder = folderForEach();
let dataFile: string;
beforeEach(() => {
  dataFile = folder.at("data.jsonl");
});

// What a file holds of the clock is how far it is ahead of real time.
const open = () => openAccount({ dataFile, settings: { podBootMs: BOOT_MS } }, "running");

const createTemplate = (cloud: Account, name: string) => cloud.create("/v2/templates", { name, image: "repo/image:1" });
const templateNames = async (cloud: Account): Promise<string[]> =>
  (await cloud.service.state()).templates.map(({ name = "" }) => name);

it("a data file brings everything back, the clock that was moved too, and boots go on", async () => {
  const day = 86_400_000;
  let podId = "";
  let before: unknown;
  {
    await using cloud = await open();
    await cloud.advance(3 * day);
    podId = (await cloud.create("/v2/pods", POD)).id;
    const { id } = await createTemplate(cloud, "gone");
    await createTemplate(cloud, "kept");
    await cloud.rest("DELETE", `/v2/templates/${id}`);
    before = await cloud.service.state();
  }
  await using cloud = await open();
  expect(await cloud.service.state()).toEqual(before);
  const { now } = (await cloud.control("GET", "/clock")).body;
  expect(Date.parse(now) - Date.now()).toBeGreaterThan(2 * day);
  await cloud.advance(BOOT_MS);
  expect((await cloud.rest("GET", `/v2/pods/${podId}`)).body.status).toBe("RUNNING");
});

it("a data file loses at most the write that a crash cut off", async () => {
  {
    await using cloud = await open();
    await createTemplate(cloud, "kept");
  }
  appendFileSync(dataFile, '{"collection":"templates","id":"half","rec');
  await using cloud = await open();
  expect(await templateNames(cloud)).toEqual(["kept"]);
  await createTemplate(cloud, "next");
  expect(readFileSync(dataFile, "utf8")).not.toContain('"half"');
});

it("a data file keeps nothing of a line of which a full disk takes a part", () => {
  const script = `
      const { Journal } = require("./dist/emulator/store/journal");
      const journal = Journal.open(process.argv[1], () => true, () => []);
      try { for (;;) journal.append({ collection: "templates", id: "x".repeat(288) }); } catch ({ code }) { console.log(code); }`;
  const limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" -e "$1" "$2"';
  const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, script, dataFile], { cwd: checkout });
  expect(stdout.toString().trim()).toBe("EFBIG");
  expect(readFileSync(dataFile, "utf8")).toMatch(/templates.*\n$/);
});

// A pipe made anyone who opened it wait for a writer.
const makeOther: Readonly<Record<string, () => void>> = {
  "a folder": () => mkdirSync(dataFile),
  "a link of the user's own to a device": () => symlinkSync("/dev/null", dataFile),
  ...(process.platform !== "win32" && { "a pipe": () => void execFileSync("mkfifo", [dataFile]) }),
};
it.each(Object.keys(makeOther))(
  "a data file is a regular file: %s is refused at once, and left as it is",
  async (kind) => {
    makeOther[kind]?.();
    const before = statSync(dataFile);
    await expect(openAccount({ dataFile })).rejects.toThrow(DataFileKindError);
    expect(statSync(dataFile)).toMatchObject({ ino: before.ino, mode: before.mode });
  },
);

it.each([
  ["of a process that died with it", { process: 2_147_483_646 }],
  ["whose process number was given out again", { started: "another day" }],
])("a data file is free again after a stop, and with a lock %s", async (_, mark) => {
  {
    await using _cloud = await open();
  }
  appendFileSync(`${dataFile}.lock`, `${JSON.stringify({ ...ownMark(), ...mark, token: "left" })}\n`);
  await using cloud = await open();
  expect((await cloud.rest("GET", "/v2/templates")).status).toBe(200);
});

it("a data file is taken by exactly one of many who find it left behind", async () => {
  const script = `
      const { Lock } = require(${JSON.stringify(join(checkout, "dist/emulator/store/lock.js"))});
      process.stdin.once("data", () => {
        try { Lock.take(${JSON.stringify(dataFile)}); process.stdout.write("held"); } catch (error) { process.stdout.write(error.name); }
        process.stdin.once("end", () => process.exit());
      });
      process.stdout.write("ready ");`;
  appendFileSync(`${dataFile}.lock`, JSON.stringify({ ...ownMark(), process: 2_147_483_646, token: "dead" }));
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const said = children.map(() => "");
  for (const [index, child] of children.entries())
    child.stdout.on("data", (chunk) => {
      said[index] += String(chunk);
    });
  await until(() => said.every((words) => words === "ready "));
  for (const child of children) child.stdin.write("go");
  await until(() => said.every((words) => words.length > "ready ".length));
  for (const child of children) child.stdin.end();
  await Promise.all(children.map((child) => once(child, "exit")));
  expect(said.toSorted()).toEqual([...Array.from({ length: 3 }, () => "ready DataFileInUseError"), "ready held"]);
});

it.each(["precious", '{"name":"a package"}\n'])(
  "a data file is never made out of a file with %j in it",
  async (text) => {
    writeFileSync(dataFile, text);
    await expect(open()).rejects.toThrow(DataFileFormatError);
    expect(readFileSync(dataFile, "utf8")).toBe(text);
    rmSync(dataFile);
    await using cloud = await open();
    expect((await cloud.rest("GET", "/v2/pods")).status).toBe(200);
  },
);

it("a data file is only the user's to read, and may be there and empty", async () => {
  writeFileSync(dataFile, "", { mode: 0o644 });
  await using _cloud = await open();
  for (const file of [dataFile, `${dataFile}.lock`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("a data file is written through a name that nobody can foresee", async () => {
  const victim = folder.at("victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, `${dataFile}.next`);
  {
    await using cloud = await open();
    await createTemplate(cloud, "kept");
  }
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(readdirSync(folder.path).toSorted()).toEqual(["data.jsonl", "data.jsonl.lock", "data.jsonl.next", "victim"]);
});

it("a data file may be a link of the user's, which stays one", async () => {
  const [elsewhere, name] = [folder.at("elsewhere.jsonl"), folder.at("link.jsonl")];
  symlinkSync("elsewhere.jsonl", name);
  for (let start = 0; start < 2; start += 1) {
    await using cloud = await openAccount({ dataFile: name });
    await expect(openAccount({ dataFile: elsewhere })).rejects.toThrow(DataFileInUseError);
    await createTemplate(cloud, `kept-${start}`);
  }
  expect(lstatSync(name).isSymbolicLink()).toBe(true);
  expect(readFileSync(elsewhere, "utf8")).toContain("kept-1");
});

it("a data file is not followed through a link in circles, and its lock through none", async () => {
  symlinkSync("round.jsonl", folder.at("round.jsonl"));
  await expect(openAccount({ dataFile: folder.at("round.jsonl") })).rejects.toThrow(DataFileLinkError);
  const victim = folder.at("victim");
  writeFileSync(victim, "precious");
  symlinkSync(victim, `${dataFile}.lock`);
  await expect(open()).rejects.toThrow("ELOOP");
  expect(readFileSync(victim, "utf8")).toBe("precious");
});

it("a data file is not started from with a clock that there cannot be", async () => {
  {
    await using cloud = await open();
    await cloud.advance(1000);
  }
  const good = readFileSync(dataFile, "utf8");
  for (const aheadMs of ["1e300", "null"]) {
    const line = `{"collection":"clock","id":"clock","record":{"id":"clock","aheadMs":${aheadMs}}}\n`;
    writeFileSync(dataFile, good + line);
    await expect(open()).rejects.toThrow(DataFileFormatError);
  }
});

it("a data file does not grow with what is changed over and over", async () => {
  await using cloud = await open();
  const { id } = await createTemplate(cloud, "busy");
  const env = { PADDING: "x".repeat(200_000) };
  for (let round = 0; round < 60; round += 1) await cloud.rest("PATCH", `/v2/templates/${id}`, { env });
  expect(readFileSync(dataFile).length).toBeLessThan(5 * 1024 * 1024);
});

interface Fruit {
  readonly id: string;
  readonly colors: readonly string[];
}

const COLORS = ["red", "green", "yellow"];
const change = fc.record({
  id: fc.constantFrom("a", "b", "c", "d"),
  colors: fc.option(fc.subarray(COLORS), { nil: undefined }),
});

it("a collection finds by every index what a look through all records would find", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const fruits = new Collection("fruits", { color: (fruit: Fruit) => fruit.colors }, () => undefined);
      for (const { id, colors } of changes) {
        if (colors === undefined) fruits.delete(id);
        else fruits.put({ id, colors });
        for (const color of COLORS) {
          const expected = [...fruits.values()].filter((fruit) => fruit.colors.includes(color));
          expect(new Set(fruits.by("color", color))).toEqual(new Set(expected));
        }
      }
    }),
  );
});

it("a store with a file reads back what it had, whatever was put and deleted, over any number of restarts", () => {
  let run = 0;
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 15 }), { maxLength: 4 }), (lives) => {
      run += 1;
      const file = folder.at(`data-${run}.jsonl`);
      let before: unknown[] = [];
      for (const changes of [...lives, []]) {
        const store = new Store();
        store.openFile(file);
        expect([...store.networkVolumes.values()]).toEqual(before);
        for (const { id, colors } of changes) {
          if (colors === undefined) store.networkVolumes.delete(id);
          else store.networkVolumes.put({ id, name: colors.join(), size: 10, dataCenter: "EU-RO-1", type: "STANDARD" });
        }
        before = [...store.networkVolumes.values()];
        store.close();
      }
    }),
    { numRuns: 40 },
  );
});

const MAIN = join(checkout, "dist/emulator/main.js");
const runMain = (...args: readonly string[]) => runToEnd(process.execPath, [MAIN, ...args]);

it("computecloud-emulator still has every answered write after it was killed, and can be started again", async () => {
  const names = ["a", "b", "c"];
  const child = spawn(process.execPath, [MAIN, "--data", dataFile], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const calls = callsTo(JSON.parse(line));
    for (const name of names) await calls.rest("POST", "/v2/templates", { name, image: "repo/image:1" });
    expect(await runMain("--data", dataFile)).toMatchObject(fails("is in use by the emulator with process id"));
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await using cloud = await open();
  expect(await templateNames(cloud)).toEqual(names);
});

it("computecloud-emulator on a terminal prints the environment of another terminal, to copy", async () => {
  const interrupt = new AbortController();
  const { stdout } = await runOnTerminal(process.execPath, [MAIN, "--api-key", "mi'ne"], {
    onLine: (line) => line.startsWith("Console: ") && interrupt.abort(),
    signal: interrupt.signal,
  });
  const exports = stdout.split("\r\n").filter((line) => line.startsWith("export "));
  expect(exports).toHaveLength(4);
  const { stdout: read } = await runToEnd("sh", ["-c", `${exports.join("\n")}\nprintf %s "$COMPUTECLOUD_API_KEY"`]);
  expect(read).toBe("mi'ne");
});

it("computecloud-emulator names the port that another program has", async () => {
  await using cloud = await openAccount();
  const { port } = new URL(cloud.baseUrl);
  expect(await runMain("--port", port)).toMatchObject(fails(`port ${port} is in use by another program`));
});

it.each([
  [["--port", "eighty"], "--port must be a whole number"],
  [["--speed", "3"], "--speed"],
])("computecloud-emulator refuses %j", async (args, message) => {
  expect(await runMain(...args)).toMatchObject(fails(message));
});
