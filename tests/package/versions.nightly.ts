/*
 * A life under old and new versions of Pulumi's SDK with old and new engines: what both have learned since is asked for by feature.
 * The versions are those that docs/upgrading.md names. CONTRIBUTING.md says how to run it.
 */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import semver from "semver";
import { ENGINE_VERSION, getEngine } from "../../tools/engine/engine";
import { checkout, stackEnv } from "../../tools/run/environment";
import { runOrThrow } from "../../tools/run/process";
import { Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said } from "../harness/scenario";

const page = readFileSync(join(checkout, "docs/upgrading.md"), "utf8");
const versionsOf = (part: string): string[] =>
  page.match(new RegExp(`^\\| ${part} \\| ((?:\\d+\\.\\d+\\.\\d+,? )+)\\|$`, "m"))?.[1]?.match(/[\d.]+/g) ?? [];
const sdks = versionsOf("`@pulumi/pulumi`");
const engines = versionsOf("Pulumi CLI");

/** A function, a gate, a secret, and something to import; the variables change it from one step to the next. */
const PROGRAM = `
import * as pulumi from "@pulumi/pulumi";
import { GatedEndpoint, getGpuTypeOutput, getGpuTypes, NetworkVolume, Provider, Registry } from "pulumi-computecloud";

const { NATIVE, EXISTING, IMAGE } = process.env;
const options = NATIVE ? { provider: new Provider("cloud", {}) } : {};
new Registry("images", { username: "ci", password: pulumi.secret("hunter2") }, options);
const models = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" }, options);
if (EXISTING !== undefined) {
  const args = { name: "elsewhere", size: 10, dataCenter: "EU-RO-1" };
  const [adopting, importing] = NATIVE ? [{}, { import: EXISTING }] : [{ adoptId: EXISTING }, {}];
  new NetworkVolume("elsewhere", { ...args, ...adopting }, { ...options, ...importing });
}
const gated = new GatedEndpoint("gated", {
  image: \`emulator/echo:\${IMAGE}\`,
  gpu: { pools: ["AMPERE_16"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 2 },
  gate: { input: { text: "ping" } },
}, options);
export const volumeId: pulumi.Output<string> = models.id;
export const memory: pulumi.Output<number> = getGpuTypeOutput({ id: "NVIDIA L4" }).memory;
export const gpuTypes: Promise<number> = getGpuTypes().then(({ gpus }) => gpus.length);
export const url: pulumi.Output<string> = gated.requestUrls.run;
`;
const compilerOptions = { strict: true, target: "es2022", module: "commonjs", types: ["node"], skipLibCheck: true };

const { emulator, service } = emulatorForAll();
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "versions-"));
  await runOrThrow("npm", ["pack", "--pack-destination", root], { cwd: checkout });
  // Once on a machine.
  for (const version of engines) await getEngine({ version });
}, 3_600_000);
afterAll(() => rm(root, { recursive: true }));

test("the page names the oldest versions that are supported, and the newest engine", () => {
  expect([sdks[0], engines[0], engines.at(-1)]).toEqual(["3.142.0", "3.142.0", ENGINE_VERSION]);
});

describe.each(sdks)("with @pulumi/pulumi %s", (sdk) => {
  let project: string;
  beforeAll(async () => {
    project = join(root, sdk);
    await mkdir(project);
    const [tarball = ""] = (await readdir(root)).filter((name) => name.endsWith(".tgz"));
    const texts = {
      "index.ts": PROGRAM,
      "package.json": JSON.stringify({ name: "pinned", private: true, main: "index.ts" }),
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
      "Pulumi.yaml": JSON.stringify({ name: "pinned", runtime: "nodejs" }),
    };
    for (const [file, text] of Object.entries(texts)) await writeFile(join(project, file), text);
    const packages = [`@pulumi/pulumi@${sdk}`, join(root, tarball), "typescript@^5", "@types/node@^22"];
    await runOrThrow("npm", ["install", "--no-audit", "--prefer-offline", ...packages], { cwd: project });
    await runOrThrow("npx", ["tsc", "--noEmit"], { cwd: project });
  }, 600_000);

  const hosts = ["dynamic", "native"] as const;
  const cells = engines.flatMap((engine) => hosts.map((host) => [engine, host] as const));
  test.each(cells)("engine %s runs a life of %s resources", async (version, host) => {
    const folder = await mkdtemp(join(root, "stack-"));
    const { folder: engineFolder } = await getEngine({ version });
    const native = host === "native" ? "true" : undefined;
    const env = { ...stackEnv({ engineFolder, folder, emulator }), NATIVE: native, IMAGE: "1" };
    await using stack = new Stack({ folder, project, name: "dev", env });
    await stack.init();

    const preview = await stack.preview();
    expect(new Set(preview.steps.map(({ urn }) => urn)).size).toBe(8);
    const isOld = host === "dynamic" && semver.lt(sdk, "3.216.0");
    expect(said(preview).match(/does not show which arguments/g)?.length ?? 0).toBe(isOld ? 1 : 0);
    expect((await stack.up()).changes).toEqual({ create: 8 });
    expect(await stack.outputs()).toMatchObject({ memory: 24, url: expect.stringMatching(/\/run$/) });
    expect(await stack.stateText()).not.toContain("hunter2");

    const existing = { name: "elsewhere", size: 10, dataCenter: "EU-RO-1" };
    const next = { EXISTING: await service.create("/v2/network-volumes", existing), IMAGE: "2" };
    const { changes, steps } = await stack.up({ env: next });
    expect(steps.filter(({ op }) => ["create", "import"].includes(op)).map(({ name }) => name)).toEqual(["elsewhere"]);
    expect(changes).toMatchObject({ replace: 1, update: 4 });
    expect((await stack.up({ env: next, args: ["--refresh"] })).changes).toEqual({ same: 9 });
    await leavesNothing(stack, service);
  });
});
