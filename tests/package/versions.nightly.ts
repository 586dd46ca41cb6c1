/*
 * A life under old and new versions of Pulumi's SDK with old and new engines: what both have learned since is asked for by feature.
 * The versions are those that docs/upgrading.md names. CONTRIBUTING.md says how to run it.
 */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import semver from "semver";
import manifest from "../../package.json";
import { ENGINE_VERSION, getEngine } from "../../tools/engine/engine";
import { checkout, stackEnv } from "../../tools/run/environment";
import { runOrThrow } from "../../tools/run/process";
import { Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { folderForAll } from "../harness/folder";
import { leavesNothing, said } from "../harness/scenario";

const page = readFileSync(join(checkout, "docs/upgrading.md"), "utf8");
const versionsOf = (part: string): string[] =>
  page.match(new RegExp(`^\\| ${part} \\| ((?:\\d+\\.\\d+\\.\\d+,? )+)\\|$`, "m"))?.[1]?.match(/[\d.]+/g) ?? [];
const sdks = versionsOf("`@pulumi/pulumi`");
const engines = versionsOf("Pulumi CLI");

/** For each host a function, a gate, a secret and something to import. The variables change the program from one step to the next. */
const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { GatedEndpoint, getGpuTypeOutput, getGpuTypes, NetworkVolume, Provider, Registry } from "pulumi-computecloud";

const { EXISTING = ",", IMAGE } = process.env;
const [toAdopt, toImport] = EXISTING.split(",");
const region = (name: string, options: pulumi.CustomResourceOptions) => {
  new Registry(name, { username: "ci", password: pulumi.secret("hunter2") }, options);
  new NetworkVolume(name, { size: 100, dataCenter: "EU-RO-1" }, options);
  const gpu = { pools: ["AMPERE_16"] };
  const scaling = { type: "QUEUE_DELAY" as const, queueDelay: 2 };
  return new GatedEndpoint(name, { image: \`emulator/echo:\${IMAGE}\`, gpu, scaling, gate: { input: { text: "ping" } } }, options);
};
const [dynamic, native] = [{}, { provider: new Provider("cloud", {}) }];
const size = { size: 10, dataCenter: "EU-RO-1" };
if (toAdopt) new NetworkVolume("adopted", { name: "one", ...size, adoptId: toAdopt }, dynamic);
if (toImport) new NetworkVolume("imported", { name: "other", ...size }, { ...native, import: toImport });
export const memory: pulumi.Output<number> = getGpuTypeOutput({ id: "NVIDIA L4" }).memory;
export const gpuTypes: Promise<number> = getGpuTypes().then(({ gpus }) => gpus.length);
export const url: pulumi.Output<string> = region("dynamic", dynamic).requestUrls.run;
export const nativeUrl: pulumi.Output<string> = region("native", native).requestUrls.run;
`;
const resolution = { module: "commonjs", moduleResolution: "node" };
const compilerOptions = { strict: true, target: "es2022", ...resolution, types: ["node"], skipLibCheck: true };

const { emulator, service } = emulatorForAll();
const tarball = join(checkout, `build/${manifest.name}-${manifest.version}.tgz`);
const root = folderForAll();
beforeAll(async () => {
  await runOrThrow("npm", ["run", "package"], { cwd: checkout });
  // Once on a machine.
  for (const version of engines) await getEngine({ version });
}, 3_600_000);

test("the page names the oldest versions that are supported, and the newest engine", () => {
  expect([sdks[0], engines[0], engines.at(-1)]).toEqual(["3.142.0", "3.142.0", ENGINE_VERSION]);
});

describe.each(sdks)("with @pulumi/pulumi %s", (sdk) => {
  let project: string;
  beforeAll(async () => {
    project = root.at(sdk);
    await mkdir(project);
    const texts = {
      "index.ts": PROGRAM,
      "package.json": JSON.stringify({ name: "pinned", private: true, main: "index.ts" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
      "Pulumi.yaml": JSON.stringify({ name: "pinned", runtime: "nodejs" }),
    };
    for (const [file, text] of Object.entries(texts)) await writeFile(join(project, file), text);
    const packages = [`@pulumi/pulumi@${sdk}`, tarball, "typescript@^5", "@types/node@^22"];
    await runOrThrow("npm", ["install", "--no-audit", "--prefer-offline", ...packages], { cwd: project });
    await runOrThrow("npx", ["tsc", "--noEmit"], { cwd: project });
  }, 600_000);

  test.each(engines)("engine %s runs a life of dynamic and native resources", async (version) => {
    const folder = await mkdtemp(root.at("stack-"));
    const { folder: engineFolder } = await getEngine({ version });
    const env = { ...stackEnv({ engineFolder, folder, emulator }), IMAGE: "1" };
    await using stack = new Stack({ folder, project, name: "dev", env });
    await mkdir(join(folder, "backend"));
    // Old engines know no PULUMI_STACK.
    await stack.pulumi(["stack", "init", "dev"]);

    const warnings = said(await stack.preview()).match(/does not show which arguments/g) ?? [];
    expect(warnings).toHaveLength(semver.lt(sdk, "3.216.0") ? 1 : 0);
    expect((await stack.up()).changes).toEqual({ create: 16 });
    const url = expect.stringMatching(/\/run$/);
    expect(await stack.outputs()).toEqual({ memory: 24, gpuTypes: expect.any(Number), url, nativeUrl: url });
    expect(await stack.stateText()).not.toContain("hunter2");

    const existing = (name: string) => service.create("/v2/network-volumes", { name, size: 10, dataCenter: "EU-RO-1" });
    const next = { EXISTING: `${await existing("one")},${await existing("other")}`, IMAGE: "2" };
    const { changes, steps } = await stack.up({ env: next });
    expect(changes).toMatchObject({ replace: 2, update: 8 });
    const taken = steps.filter(({ op }) => op === "create" || op === "import");
    expect(taken.map(({ name }) => name).sort()).toEqual(["adopted", "imported"]);
    expect((await stack.up({ env: next, args: ["--refresh"] })).changes).toEqual({ same: 18 });
    await leavesNothing(stack, service);
  });
});
