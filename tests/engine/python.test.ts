// @long: another language.
/* A Python program, with the SDK that is generated from the package's schema and installed with pip. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { getPython, pythonFiles, withPythonSdk } from "../../tools/languages/python";
import { printedByImport } from "../../tools/languages/sdks";
import { checkout } from "../../tools/run/environment";
import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";
import { leavesNothing } from "../harness/scenario";

const PROGRAM = `
import json
import pulumi
import pulumi_computecloud as cloud

before = cloud.get_network_volumes()
models = cloud.NetworkVolume("models", size=SIZE, data_center="EU-RO-1")
after = cloud.get_network_volumes_output(opts=pulumi.InvokeOutputOptions(depends_on=[models]))
pulumi.export("made", after.network_volumes.apply(lambda volumes: len(volumes) - len(before.network_volumes)))
images = cloud.Registry("images", username="ci", password="hunter2")
chat = cloud.Template("chat", image="example.com/chat:1", serverless=True, registry=images.id, env={"TOKEN": "hunter3"})
endpoint = cloud.ServerlessEndpoint(
    "chat", template_id=chat.id, template_revision=chat.revision, gpu_ids="AMPERE_16", network_volume_id=models.id, workers_max=2
)
pod = cloud.Pod("dev", image="example.com/dev:1", gpu={"id": "NVIDIA L4"}, ports=["22/tcp"])
embed = cloud.ServerlessContainer(
    "embed", type="QUEUE", image="emulator/echo:1", gpu={"pools": ["AMPERE_16"]}, scaling={"type": "QUEUE_DELAY", "queue_delay": 2}
)
fleet = cloud.ServerlessFleet(
    "models",
    defaults=cloud.FleetDefaultsArgs(gpu_ids="AMPERE_16", workers_max=1, idle_timeout=60),
    endpoints={"small": cloud.FleetEndpointArgs(image="example.com/small:1")},
)
job = cloud.SmokeJob("answers", endpoint_id=embed.id, endpoint_revision=embed.revision, input=json.dumps({"text": "ping"}))

other = cloud.Provider("other", api_key="OTHER_KEY", base_url="OTHER_URL", serverless_url="OTHER_URL", graphql_url="OTHER_URL/graphql")
cloud.NetworkVolume("theirs", size=10, data_center="EU-RO-1", opts=pulumi.ResourceOptions(provider=other))

pulumi.export("urls", endpoint.request_urls["run"])
pulumi.export("sync", embed.request_urls.run_sync)
pulumi.export("memory", cloud.get_gpu_type_output(id="NVIDIA L4").memory)
pulumi.export("statuses", cloud.get_pods_output().pods.apply(lambda pods: [pod.status for pod in pods]))
pulumi.export("theirs", cloud.get_network_volumes_output(opts=pulumi.InvokeOptions(provider=other)).network_volumes.apply(len))
`;

test("goes up, stays, mends what was changed elsewhere, and goes", async () => {
  const python = await getPython();
  if (python === undefined) return;
  await using emulator = await openAccount({ settings: { rateLimitExempt: true } }, "running");
  await using other = await openAccount({ settings: { rateLimitExempt: true } }, "running");
  const { service } = emulator;
  const files = (size: number) =>
    pythonFiles(
      PROGRAM.replace("SIZE", String(size))
        .replaceAll("OTHER_KEY", other.apiKey)
        .replaceAll("OTHER_URL", other.baseUrl),
    );
  await using stack = await newStack({ program: { files: files(10) }, emulator });
  const env = await withPythonSdk(python, stack);
  expect((await stack.up({ env })).changes).toEqual({ create: 9 });
  const outputs = await stack.outputs();
  expect(outputs).toMatchObject({
    made: 1,
    memory: 24,
    urls: expect.stringMatching(/\/run$/),
    sync: expect.stringMatching(/\/runsync$/),
  });
  expect(await stack.stateText()).not.toMatch(/hunter/);
  expect((await other.service.state()).networkVolumes).toHaveLength(1);
  expect((await service.state()).networkVolumes).toHaveLength(1);

  // The fleet's own defaults hold for what a member leaves out.
  const workers = (await service.state()).endpoints.map((endpoint) => endpoint.workers);
  expect(workers).toContainEqual(expect.objectContaining({ max: 1, idleTimeout: 60 }));

  // A status that this version does not know is a text like others.
  const { pods } = (await service.rest("GET", "/v2/pods")) as { pods: object[] };
  const body = { pods: pods.map((pod) => ({ ...pod, status: "HIBERNATING" })) };
  await service.fault({ match: { method: "GET", path: "/v2/pods" }, act: { status: 200, body } });
  await service.forgetCalls();
  expect((await stack.up({ env })).changes).toEqual({ same: 9 });
  expect(await stack.outputs()).toMatchObject({ statuses: ["HIBERNATING"] });
  expect(await service.writes()).toEqual([]);

  const chat = async () => (await service.state()).templates.find(({ name }) => name?.startsWith("chat-"));
  await service.rest("PATCH", `/v2/templates/${(await chat())?.id}`, { image: "example.com/else:1" });
  expect((await stack.up({ env, args: ["--refresh"] })).changes).toMatchObject({ update: 2 });
  expect(await chat()).toMatchObject({ image: "example.com/chat:1" });

  await stack.edit({ files: files(20) });
  const preview = await stack.preview({ env, args: ["--diff"] });
  expect(preview.stdout).toMatch(/~ size: 10 => 20/);

  await using imported = await newStack({ program: { files: { ...files(10), "__main__.py": "" } }, emulator, env });
  const importable = (await stack.resources()).filter(({ urn }) => !/::(theirs|answers)$|Fleet::/.test(urn));
  const resources = importable.map(({ type, urn, id }) => ({ type, name: urn.split("::").at(-1), id }));
  await writeFile(join(imported.folder, "import.json"), JSON.stringify({ resources }));
  const flags = ["--yes", "--skip-preview", "--protect=false", "--generate-code=false"];
  await imported.pulumi(["import", "--file", join(imported.folder, "import.json"), ...flags]);
  const printed = await printedByImport("python", imported);
  await imported.edit({ files: { ...files(10), "__main__.py": printed ?? "" } });
  expect((await imported.preview()).changes).toEqual({ same: resources.length });

  await leavesNothing(stack, service, { env });

  const example = await readFile(join(checkout, "examples/python/__main__.py"), "utf8");
  await stack.edit({ files: { ...files(10), "__main__.py": example } });
  expect((await stack.up({ env })).changes).toEqual({ create: 6 });
  expect((await stack.up({ env })).changes).toEqual({ same: 6 });
  await leavesNothing(stack, service, { env });
  expect(await other.service.isEmpty()).toBe(true);
});
