import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { ENGINE_VERSION, EngineUnavailableError, getEngine } from "../../tools/engine/engine";
import { attempt } from "../../tools/run/cachedFolder";
import { checkout } from "../../tools/run/environment";
import { folderForEach } from "./folder";
import { errorOf } from "./until";

const root = folderForEach();
const homeOf = (version: string) =>
  root.at("cache", "pulumi-computecloud", `engine-${version}-${process.platform}-${process.arch}`);
let bin: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  bin = root.at("bin");
  await mkdir(bin);
  env = { PATH: `${bin}:/usr/bin:/bin`, XDG_CACHE_HOME: root.at("cache") };
});

const program = (name: string, script: string) => writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Stands in for the Go compiler: notes what it is told, and writes a program to where one was asked for. */
const compiler = (before = "") =>
  program(
    "go",
    `echo "$*" >> "${root.at("go")}"
     [ "$1" = build ] || exit 0
     ${before}
     while [ "$1" != -o ]; do shift; done
     printf '#!/bin/sh\\n' > "$2" && chmod +x "$2"`,
  );

const goLines = async (begin: string): Promise<string[]> => {
  const lines = (await readFile(root.at("go"), "utf8")).split("\n");
  return lines.filter((line) => line.startsWith(begin));
};

async function pulumiOnPath(version: string): Promise<void> {
  await program("pulumi", `echo v${version}`);
  await program("pulumi-language-nodejs", "");
  await program("pulumi-resource-pulumi-nodejs", "");
}

it("the engine on PATH is used when it is new enough", async () => {
  await pulumiOnPath("3.300.1");
  expect(await getEngine({ env })).toEqual({ folder: bin, from: "found on PATH, version 3.300.1" });
});

it("the engine on PATH is passed over when it is too old", async () => {
  await pulumiOnPath("3.99.0");
  await compiler();
  expect(await getEngine({ env })).toEqual({ folder: join(homeOf(ENGINE_VERSION), "bin"), from: "built with Go" });
});

it("the engine on PATH is passed over when it came without its Node language host", async () => {
  await pulumiOnPath("3.300.1");
  await rm(join(bin, "pulumi-language-nodejs"));
  await expect(getEngine({ env })).rejects.toThrow("has no pulumi-language-nodejs with it");
});

it("building the engine makes all three programs and keeps them for the next time", async () => {
  await compiler();
  const first = await getEngine({ env });
  const second = await getEngine({ env });

  const programs = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
  expect(await readdir(first.folder)).toEqual(programs);
  expect(second).toEqual({ folder: first.folder, from: "kept from an earlier run" });
  expect(await goLines("build")).toHaveLength(2);
});

it("another version is built from its own modules, whatever is on PATH", async () => {
  await pulumiOnPath("3.300.1");
  await compiler();
  expect(await getEngine({ env, version: "3.142.0" })).toMatchObject({ folder: join(homeOf("3.142.0"), "bin") });
  expect(await goLines("get")).toEqual([expect.stringMatching(/cmd\/pulumi@v3\.142\.0 .*sdk\/v3@v3\.142\.0$/)]);
  expect(await goLines("build")).toContainEqual(expect.stringMatching(/Version=3\.142\.0 .*cmd\/pulumi$/));
});

it("building the engine is told nothing but what a compiler needs", async () => {
  await compiler(`env > "${root.at("environment")}"`);
  await getEngine({ env: { ...env, COMPUTECLOUD_API_KEY: "the-key", NODE_OPTIONS: "", GOFLAGS: "-v" } });
  const names = (await readFile(root.at("environment"), "utf8")).split("\n").map((line) => line.split("=")[0]);
  expect(names).toEqual(expect.arrayContaining(["PATH", "GOFLAGS", "CGO_ENABLED"]));
  expect(names).not.toContain("COMPUTECLOUD_API_KEY");
  expect(names).not.toContain("NODE_OPTIONS");
});

it("building the engine leaves nothing behind when it fails, and repeats the compiler's reason, not its progress", async () => {
  await compiler(
    "printf 'main.go:4:2: no such module\\ngo: downloading a.io/b v1.0.0\\na.io/c\\nd/e\\nf\\n' >&2; exit 1",
  );
  const { message } = await errorOf(getEngine({ env }));
  expect(message).toMatch(/Go failed: main\.go:4:2: no such module$/m);
  expect(await readdir(root.at("cache", "pulumi-computecloud"))).toEqual([]);
});

it("building the engine stops the compiler and leaves nothing behind when it is interrupted", async () => {
  await compiler(`echo compiling >&2; exec sleep 60`);
  const interrupt = new AbortController();
  const report = (line: string) => line.startsWith("building") && interrupt.abort(new Error("Ctrl-C"));
  await expect(getEngine({ env, report, signal: interrupt.signal })).rejects.toThrow("Ctrl-C");
  expect(await readdir(root.at("cache", "pulumi-computecloud"))).toEqual([]);
});

it("says why each way failed, and what to install, when there is no way to an engine", async () => {
  const nothing = { ...env, PATH: bin };
  const error = await errorOf(getEngine({ env: nothing }), EngineUnavailableError);
  expect(error).toMatchObject({
    reasons: [
      "there is no pulumi on PATH",
      `there is none in ${homeOf(ENGINE_VERSION)}`,
      "there is no go on PATH to build it with",
    ],
    message: expect.stringContaining("Install Pulumi (https://www.pulumi.com/docs/install) or Go 1.26.6 or newer"),
  });
});

it("a command that runs out of its time says so, and what to run again", async () => {
  const words = await attempt("sleep", ["60"], checkout, undefined, 50);
  expect(words).toBe(
    "'sleep 60' was ended after 0.05 s. What it compiled or fetched is kept: run it again, or once without a limit: " +
      `(cd ${checkout} && sleep 60)`,
  );
});
