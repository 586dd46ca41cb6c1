import { expect, it } from "@jest/globals";
import { accountForEach, openAccount } from "../../harness/account";
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
  const { body } = await cloud.graphql('mutation { deleteTemplate(templateName: "base") }');
  expect(body.errors[0].message).toMatch("in use");
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

const ENDPOINT = {
  name: "images",
  type: "QUEUE",
  image: "repo/worker:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};
const DAY_MS = 86_400_000;

it("a serverless endpoint is created with the documented defaults", async () => {
  const endpoint = await cloud.create("/v2/serverless", ENDPOINT);
  expect(endpoint).toMatchObject({
    args: "",
    disk: 20,
    ports: [],
    env: {},
    registry: null,
    gpu: { pools: ["ADA_24"], count: 1, allowedCudaVersions: [], minCudaVersion: null },
    workers: { min: 0, max: 3, idleTimeout: 10 },
    dataCenterIds: [],
    networkVolumes: [],
    timeout: 300_000,
    flashboot: "OFF",
  });
  expect(endpoint.requestUrls.status).toMatch(new RegExp(`/v2/${endpoint.id}/status/{job_id}$`));
  expect(endpoint).not.toHaveProperty("cpu");
  expect((await cloud.rest("GET", `/v2/serverless/${endpoint.id}`)).body).toEqual(endpoint);
});

it("a serverless endpoint takes one volume per data center, and only where it may run", async () => {
  const volume = async (dataCenter: string) =>
    (await cloud.create("/v2/network-volumes", { name: "models", size: 10, dataCenter })).id;
  const [kansas, kansasToo, romania] = [await volume("US-KS-2"), await volume("US-KS-2"), await volume("EU-RO-1")];
  const post = async (change: object) =>
    (await cloud.rest("POST", "/v2/serverless", { ...ENDPOINT, ...change })).status;
  expect(await post({ networkVolumes: [kansas, kansasToo] })).toBe(400);
  expect(await post({ networkVolumes: [kansas], dataCenterIds: ["EU-RO-1"] })).toBe(400);
  expect(await post({ networkVolumes: [kansas, romania] })).toBe(201);
  expect((await cloud.rest("DELETE", `/v2/network-volumes/${kansas}`)).status).toBe(400);
});

it("a PATCH of an endpoint applies a template once and keeps no link to it", async () => {
  const env = { A: "template", B: "template" };
  const worker = { name: "worker", image: "repo/worker:2", serverless: true, env };
  const template = await cloud.create("/v2/templates", worker);
  const { id } = await cloud.create("/v2/serverless", ENDPOINT);
  const { body } = await cloud.rest("PATCH", `/v2/serverless/${id}`, { templateId: template.id, env: { B: "body" } });
  expect(body).toMatchObject({ image: "repo/worker:2", env: { A: "template", B: "body" } });
  expect(body).not.toHaveProperty("templateId");
  await cloud.rest("PATCH", `/v2/templates/${template.id}`, { image: "repo/worker:3" });
  expect((await cloud.rest("GET", `/v2/serverless/${id}`)).body.image).toBe("repo/worker:2");
  const podTemplate = await cloud.create("/v2/templates", { name: "pod", image: "repo/pod:1" });
  const wrong = await cloud.rest("PATCH", `/v2/serverless/${id}`, { templateId: podTemplate.id });
  expect(wrong.status).toBe(422);
});

it("a PATCH of an endpoint makes a release of what workers run, newest first", async () => {
  const { id } = await cloud.create("/v2/serverless", ENDPOINT);
  await cloud.rest("PATCH", `/v2/serverless/${id}`, { image: "repo/worker:2" });
  await cloud.rest("PATCH", `/v2/serverless/${id}`, { workers: { max: 4 } });
  const { body } = await cloud.rest("GET", `/v2/serverless/${id}/releases`);
  const diff = [{ field: "template.imageName", old: "repo/worker:1", new: "repo/worker:2" }];
  expect(body).toMatchObject({
    endpointVersion: 2,
    rollout: { inProgress: false, percentOnLatest: 0 },
    releases: [
      { version: 2, source: "MANUAL", diff },
      { version: 1, diff: [] },
    ],
  });
});

it("the account's workers stay within the quota, and the refusal names the largest value that fits", async () => {
  await using cloud = await openAccount({ settings: { workerQuota: 5 } });
  const { id } = await cloud.create("/v2/serverless", ENDPOINT);
  const second = await cloud.rest("POST", "/v2/serverless", ENDPOINT);
  expect(second).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/allows 5 .* is 2$/) } });
  expect((await cloud.rest("PATCH", `/v2/serverless/${id}`, { workers: { max: 5 } })).status).toBe(200);
  expect((await cloud.rest("PATCH", `/v2/serverless/${id}`, { workers: { max: 6 } })).status).toBe(400);
});

it("the account's workers are taken from endpoints that nobody uses: down to 2 after three days, to 0 after seven", async () => {
  const { id } = await cloud.create("/v2/serverless", { ...ENDPOINT, workers: { max: 5 } });
  const max = async () => (await cloud.rest("GET", `/v2/serverless/${id}`)).body.workers.max;
  const seen = [];
  for (const days of [2.9, 0.2, 3.8, 0.2]) {
    await cloud.advance(days * DAY_MS);
    seen.push(await max());
  }
  expect(seen).toEqual([5, 2, 2, 0]);
});

it("no integer is too large for a schema that draws no line", async () => {
  const body = { ...ENDPOINT, timeout: 2 ** 60 };
  const { status, body: created } = await cloud.rest("POST", "/v2/serverless", body);
  expect({ status, timeout: created.timeout }).toEqual({ status: 201, timeout: Number.MAX_SAFE_INTEGER });
  const refused = await cloud.rest("POST", "/v2/serverless", { ...body, gpu: { ...ENDPOINT.gpu, count: 2 ** 60 } });
  expect(refused.status).not.toBe(422);
});
