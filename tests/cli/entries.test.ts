/* Every executable of the package: its help, its version, and what it says on a Node that is too old. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { bin, engines, version } from "../../package.json";
import { checkout } from "../../tools/run/environment";
import { type ProcessOptions, run } from "../../tools/run/process";
import { documentOf, fails, MAIN } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";

const emulator = join(checkout, bin["computecloud-emulator"]);
const plugin = join(checkout, "provider/bin/pulumi-resource-computecloud");
const pluginMain = join(checkout, "dist/provider/engine/plugin/main.js");
const start = join(checkout, "dist/tools/start/main.js");

const folder = folderForAll();
let oldNode: string;
beforeAll(async () => {
  oldNode = folder.at("oldNode.js");
  const versions = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';
  await writeFile(oldNode, versions);
});

const node = (args: readonly string[], options?: ProcessOptions) => run(process.execPath, args, options);

describe("the package's own name", () => {
  test("is the command line's, too", () => expect(bin.computecloud).toBe(bin["pulumi-computecloud"]));

  test("starts the emulator, which ends when it is asked to", async () => {
    const stop = new AbortController();
    const options = { signal: stop.signal, onLine: () => stop.abort() };
    const ready = documentOf(await node([MAIN, "emulator", "--api-key", "k"], options));
    expect(ready).toMatchObject({ apiKey: "k", baseUrl: expect.stringContaining("http://127.0.0.1:") });
  });

  test.each(["constructor", "__proto__", "toString", "bogus"])("knows no command %s", async (name) => {
    const stderr = expect.stringMatching(`^pulumi-computecloud: unknown command '${name}'\n`);
    expect(await node([MAIN, name])).toMatchObject({ exitCode: 2, stderr });
  });
});

test("an emulator without the packages that only it needs says how to get them", async () => {
  const hide = `require("node:module")._resolveFilename = ((find) => function (name, ...rest) {
    if (name === "fastify") throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
    return find.call(this, name, ...rest);
  })(require("node:module")._resolveFilename);`;
  const script = `${hide} process.argv.push("${MAIN}", "emulator"); require("${MAIN}")`;
  expect(await node(["--eval", script])).toMatchObject(fails("npm install --save-dev fastify"));
});

describe("--version and --help", () => {
  test.each([
    ["the command line", MAIN, []],
    ["a command", MAIN, ["smoke"]],
    ["the emulator as a command", MAIN, ["emulator"]],
    ["the emulator", emulator, []],
    ["npm start", start, []],
  ])("of %s", async (_, file, args) => {
    expect(await node([file, ...args, "--version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
    const help = await node([file, ...args, "--help"]);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toMatch(/smoke|--port|--keep/);
  });

  test("of the plugin", async () => {
    expect(await run(plugin, ["--version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
    expect(await run(plugin, ["--help"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("engine") });
  });
});

describe("an old Node", () => {
  const needed = engines.node.replace(">=", "");
  const firstLine = new RegExp(`pulumi-computecloud needs Node ${needed} or newer; this is Node 20\\.20\\.2 `);
  test.each([
    ["the command line", [MAIN, "health", "x"], 2],
    ["the command drift", [MAIN, "drift", "--stack", "prod"], 2],
    ["the emulator", [emulator], 2],
    ["the emulator as a command", [MAIN, "emulator"], 2],
    ["the plugin", [pluginMain], 1],
  ])("is named in the first line of %s", async (_, args, code) => {
    const { stderr, stdout, exitCode } = await node(["--require", oldNode, ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" });
    expect(stderr.split("\n")[0]).toMatch(firstLine);
  });

  test.each([
    ["a program", 'require("pulumi-computecloud")'],
    ["a script with the client", 'require("pulumi-computecloud/client")'],
    ["the provider", 'require("pulumi-computecloud/provider")'],
    ["an emulator in code", 'require("pulumi-computecloud/emulator").startEmulator().catch((e) => { throw e; })'],
  ])("is what %s fails of", async (_, code) => {
    const { stderr, exitCode } = await node(["--require", oldNode, "-e", code], { cwd: checkout });
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toMatch(firstLine);
  });
});

test.each(["", "--require=pulumi-computecloud/quick-start"])(
  "a quick start of dynamic resources with NODE_OPTIONS=%s loads few files",
  async (preloaded) => {
    const counter = folder.at("counter.js");
    const counts = "console.log(Object.keys(require.cache).length); process.exit();";
    await writeFile(counter, `process.once("SIGINT", () => { ${counts} });`);
    const stop = new AbortController();
    const options = { cwd: checkout, signal: stop.signal, onLine: () => stop.abort() };
    const env = { ...process.env, NODE_OPTIONS: `--require=${counter} ${preloaded}` };
    const program = join(checkout, "sdk/quick-start/pulumi-resource-pulumi-nodejs");
    const { stdout, stderr } = await run(program, ["127.0.0.1:1"], { ...options, env });
    const [port, files] = stdout.split("\n").map(Number);
    expect({ port, files, stderr }).toEqual({ port: expect.any(Number), files: expect.any(Number), stderr: "" });
    expect(port).toBeGreaterThan(1023);
    expect(files).toBeLessThan(300); // Pulumi's own start: 782
  },
);

// Only root can be somebody else, who has to reach Node and this checkout.
const otherUser = { uid: 54_321, gid: 54_321, cwd: "/", env: {} };
const canSwitchUser =
  process.getuid?.() === 0 && spawnSync(process.execPath, ["--check", pluginMain], otherUser).status === 0;
const describeAsOtherUser = canSwitchUser ? describe : describe.skip;

describeAsOtherUser("a user without HOME, PULUMI_HOME and an entry in passwd", () => {
  test("has the commands", () => {
    const options = { ...otherUser, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, "logs", "e"], options);
    expect([status, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^.*API key.*$/m)]);
    expect(stderr).not.toContain("homedir");
  });

  test("has the plugin, and the provider of programs", async () => {
    const child = spawn(process.execPath, [pluginMain], otherUser);
    const [said] = await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
    child.kill("SIGKILL");
    expect(String(said)).toMatch(/^\d+\n$/);

    const load = `require(${JSON.stringify(join(checkout, "dist/provider/index.js"))})`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", load], { ...otherUser, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

// finds mutant compiled-code-for-everybody
test.each(["000", "027"])("compiled code is kept where nobody else can write or read, with umask %s", async (umask) => {
  const home = folder.at(`home-${umask}`);
  const script = [`umask ${umask}; exec "$0" "$1" --version`, process.execPath, pluginMain];
  expect(await run("sh", ["-c", ...script], { env: { PULUMI_HOME: home } })).toMatchObject({ exitCode: 0 });
  expect((await stat(join(home, "computecloud/compiled"))).mode & 0o777).toBe(0o700);
});
