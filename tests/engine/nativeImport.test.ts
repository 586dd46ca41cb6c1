// @long: a recorded stack of every kind goes over to the plugin, and each kind is imported.
/* The ways into the plugin's hands: stacks of dynamic resources go over to it, and what exists already is imported. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { nameOfUrn } from "../../common/urn";
import { printedByImport } from "../../tools/languages/sdks";
import type { EmulatorState, StateRecord } from "../../tools/run/control";
import { checkout } from "../../tools/run/environment";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said, stackForAll, staysUnchanged } from "../harness/scenario";

const recorded = join(checkout, "tests/recorded/0.1.0");
const read = (name: string) => readFileSync(join(recorded, name), "utf8");

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
/** Made with dynamic resources by version 0.1.0: one resource of every kind. */
const program = read("index.js").replace(
  'const sdk = require("pulumi-computecloud");',
  `const all = require("pulumi-computecloud");
   const provider = new all.Provider("cloud");
   const sdk = new Proxy(all, {
     get: (all, kind) => function (name, args) { return new all[kind](name, args, { provider }); },
   });`,
);
const stack = stackForAll(() => ({ program, emulator }));

beforeAll(async () => {
  await service.setState(JSON.parse(read("service.recorded.json")) as EmulatorState);
  await stack.pulumi(["stack", "import", "--file", join(recorded, "stack.recorded.json")]);
});

afterEach(() => service.forgetCalls());

test("a stack of dynamic resources goes over without a call", async () => {
  await service.forgetCalls();
  const size = (await stack.stateText()).length;
  expect(Object.keys((await stack.up()).changes)).toEqual(["same"]);
  expect(await service.log()).toEqual([]);

  expect((await stack.refresh()).changes.delete).toBeUndefined();
  expect(await stack.stateText()).not.toMatch(/pulumi-nodejs|__provider|__seed/);
  expect(size).toBeGreaterThan(0);
  await staysUnchanged(stack, service);
});

test("what there is of a kind is listed, read, changed and deleted without a program", async () => {
  const plugin = join(checkout, "provider/bin/pulumi-resource-computecloud");
  const operate = (...args: string[]) =>
    stack.pulumi(["do", "--package", plugin, "computecloud:index:NetworkVolume", ...args]);
  const changed = ["--size", "20", "--stateless", "--yes"];
  const id = await service.create("/v2/network-volumes", { name: "by-hand", size: 10, dataCenter: "EU-RO-1" });
  expect(JSON.parse(await operate("list"))).toContainEqual({ id, name: "by-hand" });
  expect(JSON.parse(await operate("read", id, "--output", "json"))).toMatchObject({ id, size: 10 });
  expect(JSON.parse(await operate("patch", id, ...changed, "--output", "json"))).toMatchObject({ size: 20 });
  await operate("delete", id, "--stateless", "--yes");
  expect(await operate("list")).not.toContain(id);
});

test("every kind is imported by its id, and the printed program changes nothing", async () => {
  const provider = 'const cloud = new computecloud.Provider("cloud");';
  const imports = 'import * as computecloud from "pulumi-computecloud";\n';
  await using other = await newStack({ program: { files: { "index.ts": imports + provider } }, emulator });
  await other.up();
  const importable = (await stack.resources()).filter(
    ({ type }) => !/:(Smoke(Job|Request)|ServerlessFleet)$/.test(type),
  );
  const resources = importable.map(({ urn, type, id }) => ({ type, name: nameOfUrn(urn), id, provider: "cloud" }));
  const nameTable = { cloud: "urn:pulumi:dev::test::pulumi:providers:computecloud::cloud" };
  await writeFile(join(other.folder, "import.json"), JSON.stringify({ nameTable, resources }));
  const flags = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
  const output = await other.pulumi(["import", "--file", join(other.folder, "import.json"), ...flags]);
  expect(output).toContain(`${resources.length} imported`);
  // An argument that the plugin itself would refuse.
  expect(output).not.toContain("warning");
  const imported = await other.resources();
  expect(imported.find(({ type }) => type.endsWith(":Pod"))?.inputs).toMatchObject({
    image: "example.com/dev:1",
    gpu: { id: "NVIDIA L4" },
    ports: ["22/tcp"],
  });
  expect(JSON.stringify(imported)).not.toContain("hunter");

  // Before a program has declared it, too.
  await other.pulumi(["refresh", "--preview-only", "--expect-no-changes"]);

  const printed = await printedByImport("nodejs", other);
  if (printed === undefined) return;
  await other.edit({ files: { "index.ts": printed.replace(imports, `$&${provider}\n`) } });
  await service.forgetCalls();
  const typed = { PULUMI_NODEJS_TRANSPILE_ONLY: "false" };
  expect((await other.up({ env: typed })).changes).toEqual({ same: imported.length });
  expect(await service.writes()).toEqual([]);
  await other.refresh();
  expect((await other.up()).changes).toEqual({ same: imported.length });
});

test("the option `import` takes over what is declared as it is, and later changes are made", async () => {
  const idOf = (kind: string) => resources.find(({ type }) => type.endsWith(`:${kind}`))?.id;
  const resources = await stack.resources();
  const [registry, volume] = [idOf("Registry"), idOf("NetworkVolume")];
  const { name } = (await service.state()).registries[0] ?? {};
  const program = (password: string, size: number, options = "import: id, provider") => `
    const { NetworkVolume, Provider, Registry } = require("pulumi-computecloud");
    const provider = new Provider("cloud");
    const options = (id) => ({ ${options} });
    const volume = { name: "models", size: ${size}, dataCenter: "EU-RO-1" };
    new Registry("images", { name: "${name}", username: "ci", password: "${password}" }, options("${registry}"));
    new NetworkVolume("models", { ...volume, name: "${resources.find(({ id }) => id === volume)?.inputs?.name}" }, options("${volume}"));
  `;
  const elsewhere = program("hunter2", 40).replace("EU-RO-1", "EU-SE-1");
  await using other = await newStack({ program: elsewhere, emulator });
  await service.forgetCalls();
  expect(said(await other.preview({ fails: true }))).toContain(
    `NetworkVolume "${volume}": can't be brought to these arguments in place: dataCenter "EU-RO-1" -> "EU-SE-1"`,
  );
  await other.edit(program("hunter2", 40));
  expect((await other.up()).steps.map(({ op }) => op)).toEqual(["import", "import"]);
  await other.edit(program("hunter2", 40, "provider"));
  expect((await other.up()).changes).toEqual({ same: 2 });
  expect(await service.writes()).toEqual([]);

  await other.edit(program("hunter3", 40, "provider"));
  expect((await other.up()).changes).toEqual({ same: 1, update: 1 });
  expect(await service.calls()).toContain("updateRegistry");
  expect(await other.stateText()).not.toContain("hunter");

  // The option `id` reads what exists, whatever the arguments say.
  await other.edit(`${program("hunter3", 40, "provider")}
    const read = (id) => new NetworkVolume("read", { size: 99, dataCenter: "US-KS-2" }, { id, provider });
    const { id, name, size, dataCenter, type } = read(process.env.READ);
    Object.assign(exports, { id, name, size, dataCenter, type });`);
  await other.up({ env: { READ: `${volume}` } });
  const live = (await service.rest("GET", `/v2/network-volumes/${volume}`)) as StateRecord;
  const outputs = ["id", "name", "size", "dataCenter", "type"].map((name) => [name, live[name]]);
  expect(await other.outputs()).toEqual(Object.fromEntries(outputs));
  expect(said(await other.preview({ env: { READ: "nowhere" }, fails: true }))).toContain("'nowhere' does not exist");
});

test("what has no id at the service, or none that exists, says so", async () => {
  const of = (kind: string, id: string) => stack.pulumi(["import", `computecloud:index:${kind}`, "x", id, "--yes"]);
  await expect(of("SmokeJob", "smoke-1")).rejects.toThrow("Declare a SmokeJob to run it");
  await expect(of("Pod", "nowhere")).rejects.toThrow("resource 'nowhere' does not exist");
  await expect(of("Pots", "x")).rejects.toThrow("there is no kind of resource computecloud:index:Pots");
});

test("a provider that a transformation sets says where to pass it", async () => {
  const program = `const { Provider, Registry } = require("pulumi-computecloud");
    const provider = new Provider("cloud");
    require("@pulumi/pulumi").runtime.registerStackTransformation(({ type, props, opts }) =>
      type.startsWith("pulumi-nodejs:dynamic") ? { props, opts: { ...opts, provider } } : undefined);
    new Registry("x", { username: "u", password: "p" });`;
  await using other = await newStack({ program, emulator });
  expect(said(await other.preview({ fails: true }))).toContain("Pass the provider to the resource or to its component");
});

test("the stack is destroyed", () => leavesNothing(stack, service));
