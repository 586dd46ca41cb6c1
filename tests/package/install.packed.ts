/* The package as a stranger gets it: packed, installed outside the checkout, and used. `npm run test:package`. */
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, posix } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import manifest from "../../package.json";
import { getEngine } from "../../tools/engine/engine";
import { checkout, stackEnv } from "../../tools/run/environment";
import { runOrThrow } from "../../tools/run/process";
import { emulatorForAll } from "../harness/account";
import { folderForAll } from "../harness/folder";

// A sixth of it is the client as a module for bundlers, with what it uses of undici and graphql-request.
const PACKED_BYTES = 900_000;

const folder = folderForAll();
const { emulator } = emulatorForAll();
const tarball = join(checkout, `build/${manifest.name}-${manifest.version}.tgz`);
beforeAll(() => runOrThrow("npm", ["run", "package"], { cwd: checkout }));

test("leaves the checkout's own commands executable", async () => {
  for (const file of Object.values(manifest.bin)) {
    const { mode } = await stat(join(checkout, file));
    expect(mode & 0o111).toBe(0o111);
  }
});

test("is small, and is what compilers and bundlers expect", async () => {
  expect((await stat(tarball)).size).toBeLessThanOrEqual(PACKED_BYTES);
  await runOrThrow("npx", ["publint", "--strict", tarball], { cwd: checkout });
  await runOrThrow("npx", ["--yes", "@arethetypeswrong/cli@0.18.5", tarball], { cwd: folder.path });
});

test("has a manifest without what is the checkout's alone, and pages whose links lead somewhere", async () => {
  const packed = (await runOrThrow("tar", ["-tzf", tarball])).split("\n").map((file) => file.slice("package/".length));
  const text = (file: string) => runOrThrow("tar", ["-xzOf", tarball, `package/${file}`]);
  const published = Object.keys(JSON.parse(await text("package.json")));
  const ofTheCheckout = ["private", "workspaces", "scripts", "devDependencies", "allowScripts", "jest"];
  expect(Object.keys(manifest).filter((name) => !published.includes(name))).toEqual(ofTheCheckout);
  expect(packed.filter((file) => /^dist\/tools|\.tsbuildinfo$/.test(file))).toEqual([]);
  for (const page of packed.filter((file) => file.endsWith(".md"))) {
    const targets = Array.from((await text(page)).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
    const paths = targets.filter((target) => !URL.canParse(target) && !target.startsWith("#"));
    expect(paths.filter((target) => !packed.includes(posix.join(dirname(page), target.split("#")[0] ?? "")))).toEqual(
      [],
    );
  }
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

/** Beside the package: what programs have. */
const companions = { "@pulumi/pulumi": "^3.270.0", "@opentelemetry/api": "^1.9.0", "@types/node": "^22.0.0" };
const stockOptions = { ...tsconfig.compilerOptions, types: ["node"] };
const nodenext = { strict: true, target: "es2022", module: "nodenext", skipLibCheck: false, types: ["node"] };

test.each([
  ["5", "stock", stockOptions],
  // Its next version has no such resolution.
  ["6", "stock", { ...stockOptions, ignoreDeprecations: "6.0" }],
  ["5", "nodenext", nodenext],
  ["6", "nodenext", nodenext],
  ["7", "nodenext", nodenext],
])("each entry's types are right by themselves: TypeScript %s, %s", async (version, name, compilerOptions) => {
  const place = folder.at(`types-${version}-${name}`);
  await mkdir(place);
  const dependencies = { ...companions, "pulumi-computecloud": `file:${tarball}`, typescript: `^${version}.0.0` };
  await writeFile(join(place, "package.json"), JSON.stringify({ private: true, dependencies }));
  await runOrThrow("npm", ["install", "--no-audit", "--ignore-scripts", "--legacy-peer-deps"], { cwd: place });
  const entries = Object.entries(manifest.exports).filter(([, target]) => typeof target === "object");
  expect(entries.length).toBeGreaterThan(8);
  for (const [index, [entry]] of entries.entries()) {
    const program = `import * as all from "${join("pulumi-computecloud", entry)}";\nexport const used: typeof all = all;\n`;
    await writeFile(join(place, "index.ts"), program);
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
    const files = await runOrThrow(join(place, "node_modules/.bin/tsc"), ["--noEmit", "--listFiles"], { cwd: place });
    if (index > 0) continue;
    expect(files).toContain("pulumi-computecloud/dist/sdk/index.d.ts");
    expect(files).not.toMatch(/node_modules\/zod|pulumi-computecloud\/dist\/client/);
  }
});

interface Program {
  readonly manifest?: object;
  readonly files: Readonly<Record<string, string>>;
  /** Options of Pulumi's Node runtime. */
  readonly runtime?: object;
  /** Folders of the package that Pulumi.yaml names, where the installer makes folders. */
  readonly plugins?: object | undefined;
  /** Runs after the installation. */
  readonly prepare?: readonly string[];
}

const checked = ["npx", "tsc", "--noEmit"];
const esModules = {
  files: { "index.ts": typed, "tsconfig.json": JSON.stringify({ compilerOptions: nodenext }) },
  prepare: checked,
};
/** The engine's home is empty: what a function and a native resource need is put there by the package. */
const javascript = `
const pulumi = require("@pulumi/pulumi");
const { getGpuTypes, NetworkVolume, Provider, Registry } = require("pulumi-computecloud");
${body}
const staging = new Provider("staging", {});
new NetworkVolume("scratch", { size: 10, dataCenter: "EU-RO-1" }, { provider: staging });
exports.volumeId = models.id;
exports.gpuTypes = getGpuTypes().then(({ gpus }) => gpus.length);
`;

/** By their names in the page's table. */
const programs: Readonly<Record<string, Program>> = {
  "TypeScript, CommonJS": {
    manifest: { main: "index.ts", devDependencies: typescript },
    files: { "index.ts": typed, "tsconfig.json": JSON.stringify(tsconfig) },
    prepare: checked,
  },
  "TypeScript, ES modules by ts-node": {
    manifest: { type: "module", main: "index.ts", devDependencies: { ...typescript, "ts-node": "^10.9.2" } },
    ...esModules,
  },
  "TypeScript, ES modules by tsx": {
    manifest: { type: "module", main: "index.ts", devDependencies: { ...typescript, tsx: "^4.20.0" } },
    runtime: { nodeargs: "--import tsx", typescript: false },
    ...esModules,
  },
  JavaScript: {
    files: { "index.js": javascript },
    plugins: { providers: [{ name: "pulumi-nodejs", path: "node_modules/pulumi-computecloud/sdk/quick-start" }] },
  },
  "a bundle by esbuild": {
    manifest: { main: "bundle.js", devDependencies: { esbuild: "^0.28.2" } },
    files: { "program.js": javascript },
    prepare: [
      ...["npx", "esbuild", "program.js", "--bundle", "--platform=node"],
      ...["--external:@pulumi/pulumi", "--outfile=bundle.js"],
    ],
  },
};

const installers: Readonly<Record<string, readonly string[]>> = {
  npm: ["npm", "install", "--no-audit"],
  pnpm: ["npx", "--yes", "pnpm@10", "install", "--ignore-scripts"],
  // A cache of its own: Yarn knows a tarball by name and version, and would take one of an earlier run.
  "Yarn 1": [
    ...["npx", "--yes", "yarn@1", "install", "--ignore-scripts", "--non-interactive"],
    ...["--cache-folder", "cache"],
  ],
  "Yarn 4, Plug'n'Play": ["npx", "--yes", "@yarnpkg/cli-dist@4", "install"],
  Bun: ["npx", "--yes", "bun@1", "install"],
};

/** A project outside the checkout, which finds nothing of it. */
async function project(node: string, { manifest, files, runtime, plugins }: Program): Promise<string> {
  const place = await mkdtemp(folder.at("program-"));
  await mkdir(join(place, "backend"));
  const dependencies = { "@pulumi/pulumi": "^3.270.0", "pulumi-computecloud": `file:${tarball}` };
  const texts = {
    ...files,
    "package.json": JSON.stringify({
      ...{ name: "stranger", private: true, main: "index.js" },
      dependencies: { ...dependencies, ...(node !== "22" && { node: `^${node}.0.0` }) },
      ...manifest,
    }),
    "Pulumi.yaml": JSON.stringify({ name: "stranger", runtime: { name: "nodejs", options: runtime ?? {} }, plugins }),
    ".yarnrc.yml": "enableGlobalCache: false\nenableImmutableInstalls: false\n",
    "yarn.lock": "",
  };
  for (const [file, text] of Object.entries(texts)) await writeFile(join(place, file), text);
  return place;
}

const page = readFileSync(join(checkout, "docs/installation-configuration.md"), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  (row) => row.slice(1) as [string, string, string],
);

test.each(rows)("with Node %s and %s, a program in %s is deployed, as the page says", async (node, installer, name) => {
  const program = programs[name];
  const [command = "", ...args] = installers[installer] ?? [];
  if (program === undefined || command === "") throw new Error(`there is no test of ${installer} and ${name}`);
  const isPlugNPlay = installer.includes("Plug'n'Play");
  const place = await project(node, { ...program, ...(isPlugNPlay && { plugins: undefined }) });
  const { folder: engineFolder } = await getEngine();
  const baseEnv = stackEnv({ engineFolder, folder: place, emulator });
  const loader = isPlugNPlay ? `--require ${join(place, ".pnp.cjs")}` : undefined;
  const path = `${join(place, "node_modules/.bin")}${delimiter}${baseEnv.PATH}`;
  await runOrThrow(command, args, { cwd: place, env: { ...process.env, CI: "true" } });
  const env = { ...baseEnv, PATH: path, NODE_OPTIONS: loader, PULUMI_NODEJS_TRANSPILE_ONLY: undefined };
  const [prepare, ...further] = program.prepare ?? ["node", "--version"];
  const pulumi = (...words: string[]) => runOrThrow("pulumi", [...words, "--non-interactive"], { cwd: place, env });
  await runOrThrow(prepare ?? "", further, { cwd: place, env });
  expect(await runOrThrow("node", ["--version"], { cwd: place, env })).toMatch(new RegExp(`^v${node}\\.`));
  await pulumi("stack", "init", "dev");
  await pulumi("up", "--yes", "--skip-preview");
  // The stack, a volume and a registry; in JavaScript a native volume and its Provider as well.
  const resources = Object.values(program.files).includes(javascript) ? 5 : 3;
  expect(await pulumi("up", "--yes", "--skip-preview")).toContain(`${resources} unchanged`);
  expect(JSON.parse(await pulumi("stack", "output", "--json"))).toMatchObject({ volumeId: expect.any(String) });
  await pulumi("destroy", "--yes", "--skip-preview");
  if (loader !== undefined) return;
  const version = await runOrThrow("npx", ["pulumi-computecloud", "--version"], { cwd: place, env });
  expect(version.trim()).toMatch(/^\d+\.\d+\.\d+/);
});
