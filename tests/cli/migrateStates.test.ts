/* `pulumi-computecloud migrate` of other providers' states: the program that adopts what they hold. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { bin } from "../../package.json";
import { checkout } from "../harness/checkout";
import { Place } from "../harness/place";
import { run } from "../harness/process";
import * as requests from "../harness/requests";

let place: Place;
let folder: string;
let ids: { template: string; volume: string; endpoint: string };
beforeAll(async () => {
  place = await Place.start();
  folder = await mkdtemp(join(tmpdir(), "states-"));
  const client = place.client();
  const template = await client.templates.create({ ...requests.template("chat"), serverless: true }, {});
  const volume = await client.networkVolumes.create(requests.volume("models"), {});
  const endpoint = await client.endpoints.save(requests.savedEndpoint("chat", template.id), {});
  ids = { template: template.id, volume: volume.id, endpoint: endpoint.id };
});
afterAll(async () => {
  await place.close();
  await rm(folder, { recursive: true });
});

async function migrate(option: string, state: unknown) {
  const file = join(folder, "state.json");
  await writeFile(file, JSON.stringify(state));
  const { apiKey, baseUrl, serverlessUrl, graphqlUrl } = place.emulator;
  return run(process.execPath, [join(checkout, bin["pulumi-computecloud"]), "migrate", option, file], {
    env: {
      PATH: process.env.PATH,
      COMPUTECLOUD_API_KEY: apiKey,
      COMPUTECLOUD_BASE_URL: baseUrl,
      COMPUTECLOUD_SERVERLESS_URL: serverlessUrl,
      COMPUTECLOUD_GRAPHQL_URL: graphqlUrl,
    },
  });
}

const managed = (type: string, id: string) => ({
  mode: "managed",
  type,
  name: "demo",
  provider: 'provider["registry.terraform.io/runpod/runpod"]',
  instances: [{ schema_version: 0, attributes: { id } }],
});

test("of Terraform: what it manages is adopted, the rest is named", async () => {
  const { stdout, stderr, exitCode } = await migrate("--terraform-state", {
    version: 4,
    resources: [
      managed("runpod_template", ids.template),
      managed("runpod_network_volume", ids.volume),
      managed("runpod_endpoint", ids.endpoint),
      managed("runpod_endpoint_job", "job-1"),
      managed("runpod_pod", "gone"),
      { ...managed("runpod_gpu_types", "data"), mode: "data" },
      managed("aws_instance", "i-1"),
    ],
  });
  expect(stdout).toContain(`const chat = new Template("chat", {\n  adoptId: "${ids.template}",`);
  expect(stdout).toContain("templateId: chat.id,");
  expect(stdout).toContain(`adoptId: "${ids.volume}"`);
  expect(stderr).toContain("runpod_endpoint_job.demo: runpod_endpoint_job has no equal");
  expect(stderr).toContain("Pod gone is not in this account");
  expect(stderr).not.toMatch(/aws_instance|gpu_types/);
  expect(exitCode).toBe(1);
});

test("of Pulumi: by the id inside the outputs of the official provider, or the resource's own", async () => {
  const resource = (type: string, id: string, outputs = {}) => ({
    urn: `urn:pulumi:dev::fleet::runpod:index:${type}::demo`,
    type: `runpod:index:${type}`,
    id,
    outputs,
  });
  const { stdout, exitCode } = await migrate("--pulumi-state", {
    version: 3,
    deployment: {
      resources: [
        { urn: "urn:pulumi:dev::fleet::pulumi:pulumi:Stack::fleet-dev", type: "pulumi:pulumi:Stack" },
        resource("NetworkStorage", "demo", { networkStorage: { id: ids.volume } }),
        resource("Template", ids.template),
        resource("Endpoint", "demo", { endpoint: { id: ids.endpoint } }),
      ],
    },
  });
  expect(exitCode).toBe(0);
  for (const id of Object.values(ids)) expect(stdout).toContain(`adoptId: "${id}"`);
});

test("says what it needs", async () => {
  const { stderr, exitCode } = await migrate("--pulumi-state", { resources: [] });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("pulumi stack export") });
});
