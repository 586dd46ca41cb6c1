// @long: a life of its own: several accounts.
/* Several accounts in one program, and how the engine comes to the plugin without a line in Pulumi.yaml. */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { build } from "esbuild";
import type { Emulator } from "../../emulator";
import { version } from "../../package.json";
import { checkout, linkPackage, scratch } from "../../tools/run/environment";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { said } from "../harness/scenario";

const { emulator: mine, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
const { emulator: theirs, service: elsewhere } = emulatorForAll({ settings: { rateLimitExempt: true } });

const volumes = () =>
  Promise.all(
    [service, elsewhere].map(async (each) => (await each.state()).networkVolumes.map(({ name }) => name).sort()),
  );

test("two accounts in one program touch only their own", async () => {
  const settings = ({ apiKey, baseUrl, serverlessUrl, graphqlUrl }: Emulator) =>
    JSON.stringify({ apiKey, baseUrl, serverlessUrl, graphqlUrl });
  await using stack = await newStack({
    emulator: mine,
    program: `
      const pulumi = require("@pulumi/pulumi");
      const { getNetworkVolumesOutput, NetworkVolume, Provider } = require("pulumi-computecloud");
      const staging = new Provider("staging", ${settings(theirs)});
      const volume = (name, options) => new NetworkVolume(name, { name, size: 10, dataCenter: "EU-RO-1" }, options);
      class Shop extends pulumi.ComponentResource {
        constructor(name, options) {
          super("test:index:Shop", name, {}, options);
          this.volume = volume(name + "-data", { parent: this });
        }
      }
      const own = volume("own");
      const direct = volume("direct", { provider: staging });
      const shop = new Shop("shop", { provider: staging });
      const dependsOn = [own, direct, shop.volume];
      const names = (options) =>
        getNetworkVolumesOutput({}, { dependsOn, ...options }).networkVolumes.apply((all) => all.map(({ name }) => name).sort());
      exports.own = names({});
      exports.theirs = names({ provider: staging });
    `,
  });
  expect((await stack.up()).changes).toEqual({ create: 4 });
  expect(await volumes()).toEqual([["own"], ["direct", "shop-data"]]);
  expect(await stack.outputs()).toEqual({ own: ["own"], theirs: ["direct", "shop-data"] });
  expect((await stack.resources()).map(({ type }) => type).sort()).toEqual([
    "computecloud:index:NetworkVolume",
    "computecloud:index:NetworkVolume",
    "pulumi-nodejs:dynamic/computecloud:NetworkVolume",
    "test:index:Shop",
  ]);
  expect(await stack.stateText()).not.toContain(theirs.apiKey);
  expect((await stack.up()).changes).toEqual({ same: 4 });
  await stack.destroy();
  expect(await volumes()).toEqual([[], []]);
});

const BARE = "name: test\nruntime: nodejs\n";
const program = `
  const { getGpuTypeOutput, NetworkVolume, Provider } = require("pulumi-computecloud");
  const provider = new Provider("cloud");
  new NetworkVolume("models", { size: 10, dataCenter: "EU-RO-1" }, { provider });
  exports.memory = getGpuTypeOutput({ id: "NVIDIA L4" }).memory;
`;

test("an engine with an empty home finds the plugin by what the program puts there", async () => {
  await using stack = await newStack({
    program: { files: { "index.js": program, "Pulumi.yaml": BARE } },
    emulator: mine,
  });
  const folder = join(stack.folder, "home/plugins", `resource-computecloud-v${version}`);
  const umask = process.umask(0);
  expect((await stack.preview()).changes).toEqual({ create: 1 });
  process.umask(umask);
  const script = join(folder, "pulumi-resource-computecloud");
  for (const path of [folder, script]) expect((await stat(path)).mode & 0o777).toBe(0o700);
  const written = await readFile(script, "utf8");
  expect((await stack.up()).changes).toEqual({ create: 1 });
  expect(await stack.outputs()).toEqual({ memory: 24 });

  // The package has moved: the script is written anew. One that works, of another project, is left alone.
  await writeFile(script, written.replaceAll("main.js", "gone.js"));
  expect((await stack.up()).changes).toEqual({ same: 1 });
  expect(await readFile(script, "utf8")).toBe(written);
  await writeFile(script, `${written}# another project's\n`);
  expect((await stack.refresh()).changes).toEqual({ same: 1 });
  expect((await stack.up()).changes).toEqual({ same: 1 });
  expect(await readFile(script, "utf8")).toContain("another project's");

  // Another machine: the program isn't run, and so nobody puts the script there.
  const elsewhere = { PULUMI_HOME: join(stack.folder, "elsewhere") };
  const failed = await stack.destroy({ fails: true, env: elsewhere });
  expect(said(failed)).toContain(`pulumi plugin install resource computecloud v${version}`);
  await stack.destroy({ env: elsewhere, args: ["--run-program"] });
  expect(await volumes()).toEqual([[], []]);
});

test("a program that was bundled into one file has functions and native resources", async () => {
  await linkPackage(checkout);
  const stdin = { contents: program, resolveDir: scratch };
  const external = ["@pulumi/pulumi"];
  const bundle = await build({ stdin, external, bundle: true, write: false, platform: "node", logLevel: "error" });
  const files = { "index.js": bundle.outputFiles[0]?.text ?? "", "Pulumi.yaml": BARE };
  await using stack = await newStack({ program: { files }, emulator: mine });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  expect(await stack.outputs()).toEqual({ memory: 24 });
  await stack.destroy();
});

test("a home that can't be written is reported, with the lines for Pulumi.yaml", async () => {
  await using stack = await newStack({
    program: { files: { "index.js": program, "Pulumi.yaml": BARE } },
    emulator: mine,
  });
  const home = join(stack.folder, "sealed");
  await mkdir(join(home, "plugins"), { recursive: true });
  await writeFile(join(home, "plugins", `resource-computecloud-v${version}`), "");
  const failed = said(await stack.preview({ fails: true, env: { PULUMI_HOME: home } }));
  expect(failed).toContain(
    "plugins:\n  providers:\n    - name: computecloud\n      path: node_modules/pulumi-computecloud/provider/bin",
  );
});
