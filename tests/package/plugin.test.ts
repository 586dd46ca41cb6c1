/* What the executable is made of: one script, which needs nothing but Node. The whole of it: `npm run test:package`. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { version } from "../../package.json";
import { bundle } from "../../tools/release/plugin";
import { pathWith } from "../../tools/run/environment";
import { run } from "../../tools/run/process";

test("the plugin's script runs where there are no packages, as plugin and as the host of components", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bundle-"));
  try {
    const { script } = await bundle();
    expect((await bundle()).script).toBe(script);
    // A module whose name is put together is looked for at run time, under names that the bundler has guessed.
    expect(script.includes("not found in bundle")).toBe(false);
    const file = join(folder, "plugin.js");
    await writeFile(file, script);
    const env = { PATH: pathWith(""), HOME: folder };
    const said = async (args: readonly string[]) => (await run("node", [file, ...args], { cwd: folder, env })).stdout;
    expect(await said(["--version"])).toBe(`${version}\n`);
    // Its standard input is at its end already.
    expect((await run("node", [file, "--components", "127.0.0.1:1"], { cwd: folder, env })).stderr).toBe("");
  } finally {
    await rm(folder, { recursive: true });
  }
});
