// @long: a life of its own: functions.
/* Functions called from Pulumi programs, through the real engine and the plugin that it starts. */
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { attack, RAW, serviceThat } from "../cli/hostileService";
import { emulatorForAll } from "../harness/account";
import { MAIN } from "../harness/commandLine";
import { said, stackForAll } from "../harness/scenario";

const RTX = "NVIDIA GeForce RTX 4090";

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true } });
const stack = stackForAll(() => ({ program: "", emulator }));

afterEach(() => service.forgetCalls());

test("a program calls functions as promises and as outputs, and pays one request for the same call", async () => {
  await stack.edit(async (cloud, pulumi) => {
    const id = "NVIDIA GeForce RTX 4090";
    const many = await Promise.all(Array.from({ length: 10 }, () => cloud.getGpuType({ id })));
    const later = cloud.getGpuTypeOutput({ id: pulumi.output(id) });
    return { promised: many[9]?.memory, pool: later.pool, pick: cloud.pickGpuOutput({ memory: 24 }).id };
  });
  await stack.up();
  expect(await stack.outputs()).toMatchObject({ promised: 24, pool: "ADA_24", pick: expect.any(String) });
  expect((await service.calls()).sort()).toEqual(["getGpuType", "listGpuTypes"]);
});

test("a program gets secrets for secrets, which the state does not show", async () => {
  await stack.edit(async (cloud, pulumi) => {
    const gpuType = cloud.getGpuTypeOutput({ id: pulumi.secret("NVIDIA L4") });
    const { templates } = await cloud.getTemplates();
    const { templates: revealed } = await cloud.getTemplates({ showSecrets: true });
    const output = cloud.getTemplatesOutput({ showSecrets: true });
    return {
      secret: await pulumi.isSecret(gpuType),
      name: gpuType.name,
      env: templates[0]?.env,
      length: revealed[0]?.env?.TOKEN?.length,
      output: output.templates[0]?.env,
    };
  });
  const env = { TOKEN: "hf_0123456789" };
  await service.rest("POST", "/v2/templates", { name: "chat", image: "registry.example.com/a:1", disk: 5, env });
  await stack.up();
  expect(await stack.outputs()).toEqual({
    secret: true,
    name: "L4",
    env: { TOKEN: "[secret]" },
    length: env.TOKEN.length,
    output: env,
  });
  expect(await stack.stateText()).not.toMatch(/"L4"|hf_/);
});

test("a program gets unknowns for unknowns in a preview, and sees what it depends on in an update", async () => {
  await stack.edit(async (cloud) => {
    const before = await cloud.getNetworkVolumes();
    const volume = new cloud.NetworkVolume("models", { name: "models", size: 10, dataCenter: "EU-RO-1" });
    const after = cloud.getNetworkVolumesOutput({}, { dependsOn: volume });
    const place = cloud.getDataCenterOutput({ id: volume.dataCenter });
    const provider = new cloud.Provider("late", { retryTimeout: volume.id.apply(() => "1m") });
    const tried = cloud.getDataCenter({ id: "EU-RO-1" }, { provider }).then(
      ({ id }) => id,
      ({ message }: Error) => message,
    );
    return {
      before: before.networkVolumes.length,
      after: after.networkVolumes.apply((volumes) => volumes.map(({ name }) => name)),
      place: place.region,
      late: cloud.getDataCenterOutput({ id: "EU-RO-1" }, { provider }).region.apply((region) => region.length),
      tried: await tried,
    };
  });
  const preview = await stack.preview();
  expect(preview.stdout).toContain("late  : [unknown]");
  expect(preview.stdout).toContain("not known yet. Use getDataCenterOutput.");
  await stack.up();
  expect(await stack.outputs()).toEqual({ before: 0, after: ["models"], place: "EUROPE", late: 6, tried: "EU-RO-1" });
});

test("a program gets the words of a hostile service as plain text", async () => {
  await using hostile = await serviceThat(attack);
  await stack.edit(async (cloud) => ({ gpu: await cloud.getGpuType({ id: "NVIDIA L4" }) }));
  const { stdout } = await stack.preview({ fails: true, env: { COMPUTECLOUD_BASE_URL: hostile.address } });
  expect(stdout).toContain("<{ %fg 2%}>forged");
  expect(stdout).not.toMatch(RAW);
});

test("the engine uses the plugin that was installed for all projects", async () => {
  const program = `exports.gpu = require("pulumi-computecloud").getGpuTypeOutput({ id: ${JSON.stringify(RTX)} }).name;`;
  const files = { "index.js": program, "Pulumi.yaml": "name: test\nruntime: nodejs\n" };
  await using bare = await newStack({ program: { files }, emulator });
  const home = { PULUMI_HOME: join(bare.folder, "home") };
  const install = [MAIN, "plugin", "install"];
  const env = { ...bare.env, ...home };
  expect(await run(process.execPath, install, { cwd: bare.folder, env })).toMatchObject({ exitCode: 0 });
  await bare.up({ env: home });
  expect(await bare.outputs()).toEqual({ gpu: "RTX 4090" });

  // A stack whose last `up` was with an older version asks for that one.
  const older = await run(process.execPath, [...install, "--as-version", "0.0.9"], { cwd: bare.folder, env });
  expect(older).toMatchObject({ exitCode: 0 });
  const installed = JSON.parse(await bare.pulumi(["plugin", "ls", "--json"], { env: home })) as { version: string }[];
  expect(installed.map((plugin) => plugin.version)).toContain("0.0.9");
});

test("the engine takes the package's schema", async () => {
  const schema = await stack.pulumi([
    "package",
    "get-schema",
    join(checkout, "provider/bin/pulumi-resource-computecloud"),
  ]);
  expect(JSON.parse(schema)).toMatchObject({ name: "computecloud", functions: expect.any(Object) });
  await stack.edit({ files: { "schema.json": schema } });
  await stack.pulumi(["schema", "check", "schema.json"]);
});

test("the catalog example deploys on its pick and prints what the fleet cost", async () => {
  await using example = await newStack({ program: { folder: "examples/catalog" }, emulator });
  const update = await example.up();
  const { picked, became, costPerHour } = await example.outputs();
  expect([became, costPerHour]).toEqual([picked, expect.any(Number)]);
  expect(said(update)).toMatch(/day +pods +serverless +clusters +storage +total/);
  expect(update.changes).toMatchObject({ create: 1 });
  await example.destroy();
});
