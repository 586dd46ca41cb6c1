/*
 * The script that the engine starts as the plugin: it leads to the version that it belongs to, or says why not. And the one
 * that the executable is made of, which needs nothing but Node. The whole of it: `npm run test:package`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { EXPECTED_VERSION, startScript } from "../../common/startScript";
import { version } from "../../package.json";
import { bundle } from "../../tools/release/plugin";
import { checkout, pathWith } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { folderForEach } from "../harness/folder";

const folder = folderForEach();

test.each([
  ["of this version", version, true],
  ["that was upgraded in place", "9.9.9", false],
])("a script of another project's package %s is kept: only then", async (_, itsVersion, expected) => {
  const main = folder.at("it's/node_modules/pulumi-computecloud/dist/provider/engine/plugin/main.js");
  await mkdir(join(main, ".."), { recursive: true });
  await writeFile(main, "");
  const manifest = join(main, "../../../../../package.json");
  await writeFile(manifest, JSON.stringify({ version: itsVersion }));
  const { text, isWorking } = startScript();
  const quoted = main.replaceAll("'", `'\\''`);
  expect(isWorking(text)).toBe(true);
  expect(isWorking(text.replaceAll(join(checkout, "dist/provider/engine/plugin/main.js"), quoted))).toBe(expected);
});

test("a plugin that was upgraded in place refuses to be the version of the script, and says how to get that", async () => {
  const main = join(checkout, "dist/provider/engine/plugin/main.js");
  const env = { PATH: process.env.PATH, [EXPECTED_VERSION]: "0.0.9" };
  const { exitCode, stdout, stderr } = await run(process.execPath, [main, "127.0.0.1:1"], { env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toContain(`The engine asks for pulumi-computecloud 0.0.9, and ${checkout} is version ${version} now.`);
  expect(stderr).toContain("npx pulumi-computecloud plugin install");
});

test("the script of Windows keeps letters and per cents of its folder", async () => {
  const { platform, execPath } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  Object.defineProperty(process, "execPath", { value: folder.at("100%/Müller/node.exe") });
  try {
    await mkdir(folder.at("100%/Müller"), { recursive: true });
    await writeFile(folder.at("100%/Müller/node.exe"), "");
    const { text, isWorking } = startScript();
    expect(text).toContain("chcp 65001");
    expect(text).toContain("100%%/Müller/node.exe");
    expect(isWorking(text)).toBe(true);
  } finally {
    Object.defineProperty(process, "platform", { value: platform });
    Object.defineProperty(process, "execPath", { value: execPath });
  }
});

test("the plugin's script runs where there are no packages, as plugin and as the host of components", async () => {
  const { script } = await bundle();
  expect((await bundle()).script).toBe(script);
  // A module whose name is put together is looked for at run time, under names that the bundler has guessed.
  expect(script.includes("not found in bundle")).toBe(false);
  await writeFile(folder.at("plugin.js"), script);
  const options = { cwd: folder.path, env: { PATH: pathWith(""), HOME: folder.path } };
  const start = (...args: string[]) => run("node", ["plugin.js", ...args], options);
  expect((await start("--version")).stdout).toBe(`${version}\n`);
  // Its standard input is at its end already.
  expect((await start("--components", "127.0.0.1:1")).stderr).toBe("");
});
