/* The package as a stranger gets it: packed, installed outside the checkout, and used. `npm run test:package`. */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Emulator, startEmulator } from "../../emulator";
import manifest from "../../package.json";
import { getEngine } from "../../tools/engine/engine";
import { checkout } from "../../tools/run/checkout";
import { stackEnv } from "../../tools/run/environment";
import { type ProcessOptions, run } from "../../tools/run/process";

// More than a quarter of it is the client as a module for bundlers, with what it uses of undici.
const PACKED_BYTES = 900_000;

let folder: string;
let tarball: string;
let emulator: Emulator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packed-"));
  await done("npm", ["pack", "--pack-destination", folder], { cwd: checkout });
  const [file = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  tarball = join(folder, file);
  emulator = await startEmulator();
});
afterAll(async () => {
  await emulator.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command that must succeed. */
async function done(command: string, args: readonly string[], options: ProcessOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, args, options);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}

test("leaves the checkout's own commands executable", async () => {
  for (const file of Object.values(manifest.bin)) {
    const { mode } = await stat(join(checkout, file));
    expect(mode & 0o111).toBe(0o111);
  }
});

test("is small, and is what compilers and bundlers expect", async () => {
  expect((await stat(tarball)).size).toBeLessThanOrEqual(PACKED_BYTES);
  await done("npx", ["publint", "--strict", tarball], { cwd: checkout });
  await done("npx", ["--yes", "@arethetypeswrong/cli@0.18.5", tarball], { cwd: folder });
});

const body = `
const models = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" });
const key = new Registry("images", { username: "ci", password: pulumi.secret("hunter2") });
`;

/** As `pulumi new typescript` wrote it for years. */
const tsconfig = {
  compilerOptions: {
    strict: true,
    outDir: "bin",
    target: "es2020",
    module: "commonjs",
    moduleResolution: "node",
    isolatedModules: true,
    skipLibCheck: false,
    sourceMap: true,
    experimentalDecorators: true,
    pretty: true,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
  },
  files: ["index.ts"],
};
const typescript = { typescript: "^5.0.0", "@types/node": "^22.0.0" };
const typed = `
import * as pulumi from "@pulumi/pulumi";
import { createQueue, NetworkVolume, Registry } from "pulumi-computecloud";
${body}
export const volumeId: pulumi.Output<string> = models.id;
export const queue: Promise<string | undefined> = Promise.resolve(createQueue).then((create) => create.name);
`;

interface Program {
  readonly manifest: object;
  readonly files: Readonly<Record<string, string>>;
  /** Whether its types are checked. */
  readonly checked: boolean;
  /** How many resources it has, the stack among them. */
  readonly resources: number;
}

const programs = {
  "CommonJS TypeScript": {
    manifest: { main: "index.ts", devDependencies: typescript },
    files: { "index.ts": typed, "tsconfig.json": JSON.stringify(tsconfig) },
    checked: true,
    resources: 3,
  },
  "ESM TypeScript": {
    manifest: { type: "module", main: "index.ts", devDependencies: { ...typescript, "ts-node": "^10.9.2" } },
    files: {
      "index.ts": typed,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, target: "es2022", module: "nodenext", moduleResolution: "nodenext" },
      }),
    },
    checked: true,
    resources: 3,
  },
  // The engine's home is empty: what a function and a native resource need is put there by the package.
  "plain JavaScript": {
    manifest: { main: "index.js" },
    files: {
      "index.js": `
const pulumi = require("@pulumi/pulumi");
const { getGpuTypes, NetworkVolume, Provider, Registry } = require("pulumi-computecloud");
${body}
const staging = new Provider("staging", {});
new NetworkVolume("scratch", { size: 10, dataCenter: "EU-RO-1" }, { provider: staging });
exports.volumeId = models.id;
exports.gpuTypes = getGpuTypes().then(({ gpus }) => gpus.length);
`,
    },
    checked: false,
    resources: 5,
  },
} satisfies Readonly<Record<string, Program>>;

/** A project outside the checkout, which finds nothing of it. */
async function project(name: string, { manifest, files }: Program): Promise<string> {
  const place = join(folder, name.replaceAll(" ", "-"));
  await mkdir(join(place, "backend"), { recursive: true });
  const dependencies = { "@pulumi/pulumi": "^3.270.0", "pulumi-computecloud": `file:${tarball}` };
  const texts = {
    ...files,
    "package.json": JSON.stringify({ name: "stranger", private: true, dependencies, ...manifest }),
    "Pulumi.yaml": JSON.stringify({ name: "stranger", runtime: "nodejs" }),
  };
  for (const [file, text] of Object.entries(texts)) await writeFile(join(place, file), text);
  return place;
}

async function deploys(place: string, { resources }: Program): Promise<void> {
  const { folder: engineFolder } = await getEngine();
  const env = { ...stackEnv({ engineFolder, folder: place, emulator }), PULUMI_NODEJS_TRANSPILE_ONLY: undefined };
  const pulumi = (...args: string[]) => done("pulumi", [...args, "--non-interactive"], { cwd: place, env });
  await pulumi("stack", "init", "dev");
  await pulumi("up", "--yes", "--skip-preview");
  expect(await pulumi("up", "--yes", "--skip-preview")).toContain(`${resources} unchanged`);
  expect(JSON.parse(await pulumi("stack", "output", "--json"))).toMatchObject({ volumeId: expect.any(String) });
  await pulumi("destroy", "--yes", "--skip-preview");
}

describe("installed with npm", () => {
  test.each(Object.entries(programs))("a program in %s is deployed", async (name, program) => {
    const place = await project(name, program);
    await done("npm", ["install", "--no-audit"], { cwd: place });
    if (program.checked) await done("npx", ["tsc", "--noEmit"], { cwd: place });
    await deploys(place, program);
    const version = await done("npx", ["pulumi-computecloud", "--version"], { cwd: place });
    expect(version.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("installed with", () => {
  test.each([
    ["pnpm", ["pnpm@10", "install", "--ignore-scripts"]],
    // A cache of its own: yarn knows a tarball by name and version, and would take one of an earlier run.
    ["yarn", ["yarn@1", "install", "--ignore-scripts", "--non-interactive", "--cache-folder", "cache"]],
  ])("%s, a program is deployed", async (name, install) => {
    const program = programs["plain JavaScript"];
    const place = await project(`by ${name}`, program);
    await done("npx", ["--yes", ...install], { cwd: place, env: { ...process.env, CI: "true" } });
    await deploys(place, program);
  });
});
