// @long: another language.
/* A YAML program, on the engine's current host for them. */
import { readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { yamlHost } from "../../tools/languages/host";
import { checkout } from "../../tools/run/environment";
import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";
import { WITHOUT_QUOTAS } from "../harness/place";
import { leavesNothing } from "../harness/scenario";

const reference = (text: string) => `\${${text}}`;
const queue = { gpu: { pools: ["AMPERE_16"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 }, disk: 10 };
const json = (value: object) => ({ "fn::toJSON": value });

const program = (size: number, image = "emulator/echo:1") => ({
  name: "test",
  runtime: "yaml",
  plugins: { providers: [{ name: "computecloud", path: join(checkout, "provider/bin") }] },
  resources: {
    models: { type: "computecloud:NetworkVolume", properties: { name: "models", size, dataCenter: "EU-RO-1" } },
    images: { type: "computecloud:Registry", properties: { username: "ci", password: "hunter2" } },
    chat: {
      type: "computecloud:GatedEndpoint",
      properties: {
        ...queue,
        image,
        workers: { min: 0, max: 2 },
        gate: { input: json({ text: "ping" }), expect: json({ output: { text: "ping" } }) },
      },
    },
    answers: {
      type: "computecloud:SmokeJob",
      properties: {
        endpointId: reference("chat.endpointId"),
        endpointRevision: reference("chat.revision"),
        input: '{"text":"ping"}',
      },
    },
  },
  outputs: { tier: reference("models.type"), run: reference("chat.requestUrls.run") },
});
// JSON is YAML.
const files = (...args: Parameters<typeof program>) => ({ "Pulumi.yaml": JSON.stringify(program(...args)) });

test("goes up with a gate and a smoke job, stays, mends what was changed elsewhere, and goes", async () => {
  const host = await yamlHost();
  if (host === undefined) return;
  await using emulator = await openAccount(WITHOUT_QUOTAS, "running");
  const { service } = emulator;
  await using stack = await newStack({ program: { files: files(10) }, emulator });
  const env = { PATH: [host, stack.env.PATH].join(delimiter) };
  const { changes } = await stack.up({ env });
  expect(changes).toEqual({ create: expect.any(Number) });
  const { create: all = 0 } = changes;
  expect((await stack.up({ env })).changes).toEqual({ same: all });
  expect(await stack.stateText()).not.toContain("hunter");
  expect(await stack.outputs()).toEqual({ tier: expect.any(String), run: expect.stringMatching(/\/run$/) });

  const [volume] = (await service.state()).networkVolumes;
  await service.rest("PATCH", `/v2/network-volumes/${volume?.id}`, { name: "else" });
  expect((await stack.up({ env, args: ["--refresh"] })).changes).toMatchObject({ update: 1 });
  await stack.edit({ files: files(20) });
  expect((await stack.up({ env })).changes).toMatchObject({ update: 1 });
  // A new image reaches the endpoint through its gate, and a bad one does not.
  await stack.edit({ files: files(20, "emulator/echo:2") });
  await stack.up({ env });
  const served = async () => (await service.state()).endpoints.map((endpoint) => endpoint.image).sort();
  expect(await served()).toEqual(["emulator/echo:2", "emulator/echo:2"]);
  await stack.edit({ files: files(20, "emulator/fail:3") });
  const { stdout, stderr } = await stack.up({ env, fails: true });
  expect(stdout + stderr).toContain("chat-gate");
  expect(await served()).toContain("emulator/echo:2");
  await stack.edit({ files: files(20) });
  await stack.up({ env });
  await stack.destroy({ env });

  const example = await readFile(join(checkout, "examples/yaml/Pulumi.yaml"), "utf8");
  const text = example.replace(/^name: .*/, "name: test").replace("../../provider/bin", join(checkout, "provider/bin"));
  await stack.edit({ files: { "Pulumi.yaml": text } });
  await stack.pulumi(["config", "set", "--secret", "registryPassword", "hunter3"]);
  expect((await stack.up({ env })).changes).toEqual({ create: 6 });
  expect((await stack.up({ env })).changes).toEqual({ same: 6 });
  await leavesNothing(stack, service, { env });
});
