import { describe, expect, it } from "@jest/globals";
import { openAccount } from "../../harness/account";

const ENDPOINT = {
  name: "images",
  type: "QUEUE",
  image: "repo/worker:1",
  gpu: { pools: ["ADA_24"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};
const CPU_ENDPOINT = { ...ENDPOINT, gpu: undefined, cpu: [{ id: "cpu3c", vcpuCount: 4 }] };
const BALANCER = { ...ENDPOINT, type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 4 } };
const DAY_MS = 86_400_000;

describe("a serverless endpoint", () => {
  it("is created with the documented defaults", async () => {
    await using cloud = await openAccount();
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

  it("keeps its CPU choices in order and derives their memory", async () => {
    await using cloud = await openAccount();
    const cpu = [
      { id: "cpu5c", vcpuCount: 4 },
      { id: "cpu3g", vcpuCount: 2 },
      { id: "cpu5c", vcpuCount: 2 },
    ];
    const endpoint = await cloud.create("/v2/serverless", { ...CPU_ENDPOINT, cpu });
    expect(endpoint.cpu.map(({ memory, ...choice }: { memory: number }) => choice)).toEqual(cpu);
    expect(endpoint.cpu.map(({ memory }: { memory: number }) => memory)).toEqual([8, 8, 4]);
    expect(endpoint).not.toHaveProperty("gpu");
  });

  it.each([
    ["no compute", { gpu: undefined }, 400],
    ["both kinds of compute", { cpu: [{ id: "cpu3c", vcpuCount: 2 }] }, 400],
    ["an unknown pool", { gpu: { pools: ["NOTHING"] } }, 400],
    ["no pool", { gpu: { pools: [] } }, 422],
    ["an exclusion outside its pools", { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA A40"] } }, 400],
    ["every type excluded", { gpu: { pools: ["ADA_24"], excludedTypes: [" NVIDIA GeForce RTX 4090 "] } }, 400],
    [
      "a CUDA set and a floor",
      { gpu: { pools: ["ADA_24"], allowedCudaVersions: ["12.4"], minCudaVersion: "12.1" } },
      400,
    ],
    ["an empty CUDA floor", { gpu: { pools: ["ADA_24"], minCudaVersion: "" } }, 422],
    ["no image", { image: undefined }, 422],
    ["an image that is not in its registry", { image: "repo/worker:does-not-exist" }, 422],
    ["an incomplete scaling", { scaling: { type: "QUEUE_DELAY" } }, 422],
    ["a mixed scaling", { scaling: { type: "QUEUE_DELAY", queueDelay: 4, requestCount: 1 } }, 422],
    ["a queue delay on a load balancer", { type: "LOAD_BALANCER" }, 422],
    ["more workers at least than at most", { workers: { min: 4, max: 3 } }, 400],
    ["an idle timeout over an hour", { workers: { idleTimeout: 3601 } }, 422],
    ["an unknown volume", { networkVolumes: ["nothing"] }, 400],
  ])("is refused with %s", async (_what, change, status) => {
    await using cloud = await openAccount();
    expect((await cloud.rest("POST", "/v2/serverless", { ...ENDPOINT, ...change })).status).toBe(status);
  });

  it("accepts CUDA sets and floors that do not contradict each other", async () => {
    await using cloud = await openAccount();
    const gpu = { pools: ["ADA_24"], allowedCudaVersions: [], minCudaVersion: "12.4" };
    expect((await cloud.create("/v2/serverless", { ...ENDPOINT, gpu })).gpu).toMatchObject(gpu);
  });

  it("refuses the same CPU choice twice and a disk that its vCPUs do not carry", async () => {
    await using cloud = await openAccount();
    const twice = [CPU_ENDPOINT.cpu[0], CPU_ENDPOINT.cpu[0]];
    expect((await cloud.rest("POST", "/v2/serverless", { ...CPU_ENDPOINT, cpu: twice })).status).toBe(422);
    expect((await cloud.rest("POST", "/v2/serverless", { ...CPU_ENDPOINT, disk: 41 })).status).toBe(400);
    expect((await cloud.rest("POST", "/v2/serverless", { ...CPU_ENDPOINT, disk: 40 })).status).toBe(201);
  });

  it("knows no idle timeout when a queue scales by request count", async () => {
    await using cloud = await openAccount();
    const counted = { ...ENDPOINT, scaling: { type: "REQUEST_COUNT", requestCount: 2 } };
    const refused = await cloud.rest("POST", "/v2/serverless", { ...counted, workers: { idleTimeout: 5 } });
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining("idleTimeout") } });
    expect(refused.body).not.toHaveProperty("errors");
    expect((await cloud.create("/v2/serverless", counted)).workers).toEqual({ min: 0, max: 3 });
    expect(
      (await cloud.create("/v2/serverless", { ...BALANCER, workers: { idleTimeout: 5 } })).workers.idleTimeout,
    ).toBe(5);
  });

  it("shows a load balancer's own addresses and injected ports", async () => {
    await using cloud = await openAccount();
    const balancer = await cloud.create("/v2/serverless", { ...BALANCER, env: { HEALTH_CHECK_PATH: "/healthz" } });
    expect(Object.keys(balancer.requestUrls)).toEqual(["base", "health"]);
    expect(balancer.requestUrls.health).toBe(`${balancer.requestUrls.base}/healthz`);
    expect(balancer.env).toEqual({ PORT: "80", PORT_HEALTH: "80", HEALTH_CHECK_PATH: "/healthz" });
  });

  it("takes one volume per data center, and only where it may run", async () => {
    await using cloud = await openAccount();
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
});

describe("a PATCH of an endpoint", () => {
  it("changes only what it names", async () => {
    await using cloud = await openAccount();
    const gpu = { pools: ["ADA_24", "AMPERE_24"], excludedTypes: ["NVIDIA L4"], minCudaVersion: "12.1" };
    const created = await cloud.create("/v2/serverless", { ...ENDPOINT, gpu, env: { A: "1", B: "2" } });
    const patch = async (body: unknown) => (await cloud.rest("PATCH", `/v2/serverless/${created.id}`, body)).body;

    expect(await patch({ workers: { max: 5 } })).toEqual({ ...created, workers: { min: 0, max: 5, idleTimeout: 10 } });
    expect((await patch({ env: { A: "3" } })).env).toEqual({ A: "3" });
    expect((await patch({ gpu: { count: 2 } })).gpu).toEqual({ ...created.gpu, count: 2 });
    expect((await patch({ gpu: { pools: ["AMPERE_24"] } })).gpu).not.toHaveProperty("excludedTypes");
    expect((await patch({ gpu: { minCudaVersion: "" } })).gpu.minCudaVersion).toBeNull();
    expect((await patch({ scaling: { type: "REQUEST_COUNT", requestCount: 1 } })).workers).not.toHaveProperty(
      "idleTimeout",
    );
  });

  it.each([
    ["its type", { type: "LOAD_BALANCER" }, 422],
    ["its compute family", { cpu: [{ id: "cpu3c", vcpuCount: 2 }] }, 400],
    ["exclusions without pools", { gpu: { excludedTypes: ["NVIDIA L4"] } }, 422],
    ["a CUDA set beside its floor", { gpu: { allowedCudaVersions: ["12.4"] } }, 400],
    ["an unknown template", { templateId: "nothing" }, 404],
  ])("does not change %s", async (_what, body, status) => {
    await using cloud = await openAccount();
    const { id } = await cloud.create("/v2/serverless", {
      ...ENDPOINT,
      gpu: { pools: ["ADA_24"], minCudaVersion: "12.1" },
    });
    expect((await cloud.rest("PATCH", `/v2/serverless/${id}`, body)).status).toBe(status);
  });

  it("applies a template once and keeps no link to it", async () => {
    await using cloud = await openAccount();
    const template = await cloud.create("/v2/templates", {
      name: "worker",
      image: "repo/worker:2",
      serverless: true,
      env: { A: "template", B: "template" },
    });
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

  it("makes a release of what workers run, newest first", async () => {
    await using cloud = await openAccount();
    const { id } = await cloud.create("/v2/serverless", ENDPOINT);
    await cloud.rest("PATCH", `/v2/serverless/${id}`, { image: "repo/worker:2" });
    await cloud.rest("PATCH", `/v2/serverless/${id}`, { workers: { max: 4 } });
    const { body } = await cloud.rest("GET", `/v2/serverless/${id}/releases`);
    expect(body).toMatchObject({
      endpointVersion: 2,
      rollout: { inProgress: false, percentOnLatest: 0 },
      releases: [
        {
          version: 2,
          source: "MANUAL",
          diff: [{ field: "template.imageName", old: "repo/worker:1", new: "repo/worker:2" }],
        },
        { version: 1, diff: [] },
      ],
    });
  });
});

describe("the account's workers", () => {
  it("stay within the quota, and the refusal names the largest value that fits", async () => {
    await using cloud = await openAccount({ settings: { workerQuota: 5 } });
    const { id } = await cloud.create("/v2/serverless", ENDPOINT);
    const second = await cloud.rest("POST", "/v2/serverless", ENDPOINT);
    expect(second).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/allows 5 .* is 2$/) } });
    expect((await cloud.rest("PATCH", `/v2/serverless/${id}`, { workers: { max: 5 } })).status).toBe(200);
    expect((await cloud.rest("PATCH", `/v2/serverless/${id}`, { workers: { max: 6 } })).status).toBe(400);
  });

  it("are taken from endpoints that nobody uses: down to 2 after three days, to 0 after seven", async () => {
    await using cloud = await openAccount();
    const { id } = await cloud.create("/v2/serverless", { ...ENDPOINT, workers: { max: 5 } });
    const max = async () => (await cloud.rest("GET", `/v2/serverless/${id}`)).body.workers.max;
    const seen = [];
    for (const days of [2.9, 0.2, 3.8, 0.2]) {
      await cloud.advance(days * DAY_MS);
      seen.push(await max());
    }
    expect(seen).toEqual([5, 2, 2, 0]);
  });
});

it("no integer is too large for a schema that draws no line", async () => {
  await using cloud = await openAccount();
  const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
  const gpu = { pools: ["ADA_24"] };
  const body = { name: "chat", type: "QUEUE", image: "repo/chat:1", gpu, scaling, timeout: 2 ** 60 };
  const { status, body: made } = await cloud.rest("POST", "/v2/serverless", body);
  expect({ status, timeout: made.timeout }).toEqual({ status: 201, timeout: Number.MAX_SAFE_INTEGER });
  const refused = await cloud.rest("POST", "/v2/serverless", { ...body, gpu: { ...gpu, count: 2 ** 60 } });
  expect(refused.status).not.toBe(422);
});
