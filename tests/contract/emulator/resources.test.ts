import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
import * as requests from "../../harness/requests";
import { openEndpoint } from "./jobPlane";

const cloud = accountForEach();

const TEMPLATE = { name: "base", image: "repo/base:1" };
const POD = { name: "pod", image: "repo/pod:1", gpu: { id: "NVIDIA GeForce RTX 4090" } };
const VOLUME = { name: "models", size: 50, dataCenter: "US-KS-2" };

it("templates are created with the documented defaults and list everything", async () => {
  const template = await cloud.create("/v2/templates", TEMPLATE);
  expect(template).toEqual({
    ...TEMPLATE,
    id: expect.stringMatching(/^[a-z0-9]{10}$/),
    args: "",
    entrypoint: [],
    cmd: [],
    disk: 50,
    ports: [],
    env: {},
    registry: null,
    mounts: {},
    serverless: false,
    public: false,
    category: "NVIDIA",
    startSsh: true,
    startJupyter: true,
    allowedCudaVersions: [],
  });
  expect((await cloud.rest("GET", "/v2/templates")).body.templates).toEqual([template]);
});

it("templates for serverless endpoints have no persistent mount, through either interface and in a patch", async () => {
  const mounts = { persistent: { size: 20, path: "/workspace" } };
  const refusal = { status: 400, body: { detail: expect.stringContaining("persistent mount") } };
  expect(await cloud.rest("POST", "/v2/templates", { ...TEMPLATE, serverless: true, mounts })).toMatchObject(refusal);
  const pod = await cloud.create("/v2/templates", { ...TEMPLATE, mounts });
  expect(await cloud.rest("PATCH", `/v2/templates/${pod.id}`, { serverless: true })).toMatchObject(refusal);
  const { body } = await cloud.graphql(`mutation { saveTemplate(input: { name: "worker", isServerless: true,
      containerDiskInGb: 10, volumeInGb: 20, dockerArgs: "", env: [] }) { id } }`);
  expect(body.errors[0].message).toContain("persistent mount");
});

it("templates count as in use for a while after their last user is gone", async () => {
  await using cloud = await openAccount({ settings: { templateReleaseMs: 120_000 } });
  const { id } = await cloud.create("/v2/templates", TEMPLATE);
  const pod = await cloud.create("/v2/pods", { ...POD, templateId: id });
  const remove = async () => (await cloud.rest("DELETE", `/v2/templates/${id}`)).status;
  expect(await remove()).toBe(400);
  await cloud.rest("DELETE", `/v2/pods/${pod.id}`);
  expect(await remove()).toBe(400);
  await cloud.advance(120_000);
  expect([await remove(), await remove()]).toEqual([204, 404]);
});

it("network volumes are let go by an endpoint whose workers are 0", async () => {
  const { id } = await cloud.create("/v2/network-volumes", VOLUME);
  const { update } = await openEndpoint(cloud, { networkVolumes: [id] });
  const remove = async () => (await cloud.rest("DELETE", `/v2/network-volumes/${id}`)).status;
  expect(await remove()).toBe(400);
  await update({ workers: { max: 0 } });
  expect(await remove()).toBe(204);
});

it.each<[string, (name: string) => object]>([
  ["pods", requests.pod],
  ["clusters", requests.cluster],
  ["serverless", requests.endpoint],
  ["templates", requests.template],
  ["network-volumes", requests.volume],
  ["registries", requests.registry],
])("names of more than 191 characters are refused to %s", async (path, of) => {
  const detail = expect.stringContaining("at most 191 characters");
  expect(await cloud.rest("POST", `/v2/${path}`, of("n".repeat(192)))).toMatchObject({ status: 400, body: { detail } });
  const { id } = await cloud.create(`/v2/${path}`, of("n".repeat(191)));
  if (path === "registries") return;
  const patch = await cloud.rest("PATCH", `/v2/${path}/${id}`, { name: "n".repeat(192) });
  expect(patch).toMatchObject({ status: 400, body: { detail } });
});

it("an older service refuses the methods that it lacks with 405, whatever the id", async () => {
  await using cloud = await openAccount({ settings: { restPatchesRegistries: false, changesCostCenters: false } });
  const credentials = { username: "me", password: "other" };
  expect((await cloud.rest("PATCH", "/v2/registries/unknown", credentials)).status).toBe(405);
  expect((await cloud.rest("DELETE", "/v2/registries/unknown")).status).toBe(400);
  expect((await cloud.rest("PATCH", "/v2/cost-centers/unknown", { value: "other" })).status).toBe(405);
  expect((await cloud.rest("DELETE", "/v2/cost-centers/unknown")).status).toBe(405);
});
