import { expect } from "@jest/globals";
import type { Scenarios } from "../conversation";

const BODY = {
  name: "inference",
  image: "repo/worker:1",
  type: "QUEUE",
  gpu: { pools: ["ADA_24", "AMPERE_24"], excludedTypes: ["NVIDIA L4"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};

export const serverless: Scenarios = {
  async "a queue endpoint changes field by field, and shows its workers, releases and their logs"(talk) {
    const workers = { min: 1, max: 3, idleTimeout: 5 };
    const created = await talk.call("createEndpoint", 201, { body: { ...BODY, workers } });
    const params = { id: created.id };
    expect(created).toMatchObject({ gpu: { ...BODY.gpu, count: 1, allowedCudaVersions: [] }, flashboot: "OFF" });

    const update = (status: number, body: object) => talk.call("updateEndpoint", status, { params, body });
    expect((await update(200, { gpu: { pools: ["ADA_24"] } })).gpu).not.toHaveProperty("excludedTypes");
    expect((await update(200, { gpu: { count: 2 } })).gpu).toMatchObject({ pools: ["ADA_24"], count: 2 });
    expect((await update(200, { env: { A: "1", B: "2" } })).env).toEqual({ A: "1", B: "2" });
    expect((await update(200, { env: { A: "3" } })).env).toEqual({ A: "3" });
    const before = await update(200, { gpu: { minCudaVersion: "12.6" } });
    await update(400, { gpu: { allowedCudaVersions: ["12.4"] } });
    await update(404, { templateId: "nobody" });
    expect(await update(200, { workers: { max: 5 } })).toEqual({ ...before, workers: { ...workers, max: 5 } });
    expect((await update(200, { gpu: { minCudaVersion: "" } })).gpu.minCudaVersion).toBeNull();
    const counted = await update(200, { scaling: { type: "REQUEST_COUNT", requestCount: 2 } });
    expect(counted.workers).toEqual({ min: 1, max: 5 });
    await update(422, { workers: { idleTimeout: 20 } });
    await update(422, { type: "LOAD_BALANCER" });
    await update(422, { gpu: { excludedTypes: ["NVIDIA L4"] } });
    await update(400, { cpu: [{ id: "cpu5c", vcpuCount: 2 }] });

    await talk.advance(1000);
    const { workers: active, summary } = await talk.call("listEndpointWorkers", 200, { params });
    expect(summary.total).toBe(active.length);
    const worker = { ...params, workerId: active[0].id };
    expect(await talk.call("getWorkerLogs", 200, { params: worker })).toMatch(/^id: /);
    await talk.call("getWorkerLogs", 422, { params: worker, query: { source: "kernel" } });
    await talk.call("getWorkerLogs", 404, { params: { ...params, workerId: "nobody" } });
    const { releases, endpointVersion } = await talk.call("listEndpointReleases", 200, { params });
    expect(releases[0].version).toBe(endpointVersion);
    const first = await talk.call("listEndpointReleases", 200, { params, query: { limit: "1" } });
    expect(first.releases).toEqual([releases[0]]);
    const query = { limit: "1", cursor: first.pagination.nextCursor };
    expect((await talk.call("listEndpointReleases", 200, { params, query })).releases).toEqual([releases[1]]);
    await talk.call("listEndpointReleases", 422, { params, query: { limit: "0" } });

    const at = { commitDate: null, startedAt: "2026-11-01T00:00:00Z", completedAt: null };
    const build = { commitHash: "abc", commitMessage: null, branch: "main", imageName: null, error: null, ...at };
    const builds = ["b1", "b2"].map((id) => ({ id, endpointId: params.id, status: "COMPLETED", ...build }));
    await talk.control("PUT", "/state", { builds });
    const latest = await talk.call("listEndpointBuilds", 200, { params, query: { limit: "1" } });
    expect(latest.builds).toEqual([{ id: "b2", status: "COMPLETED", ...build }]);
    await talk.call("listEndpointBuilds", 422, { params, query: { limit: "101" } });
    const [build1, absent] = [
      { ...params, buildId: "b1" },
      { ...params, buildId: "b3" },
    ];
    expect((await talk.call("getEndpointBuild", 200, { params: build1 })).id).toBe("b1");
    expect(await talk.call("getEndpointBuildLogs", 200, { params: build1 })).toContain('"line":"building main at abc"');
    for (const operation of ["getEndpointBuild", "getEndpointBuildLogs"])
      await talk.call(operation, 404, { params: absent });

    for (const of of ["Workers", "Releases", "Builds"]) await talk.call(`listEndpoint${of}`, 404);
    await talk.call("deleteEndpoint", 204, { params });
  },
  async "a load balancer on CPUs shows its memory and its own addresses"(talk) {
    const body = {
      name: "gateway",
      image: "repo/gateway:1",
      type: "LOAD_BALANCER",
      cpu: [
        { id: "cpu5c", vcpuCount: 4 },
        { id: "cpu5g", vcpuCount: 8 },
      ],
      scaling: { type: "REQUEST_COUNT", requestCount: 4 },
      workers: { min: 0, max: 2, idleTimeout: 60 },
      env: { HEALTH_CHECK_PATH: "/healthz" },
    };
    const endpoint = await talk.call("createEndpoint", 201, { body });
    expect(endpoint.cpu).toEqual([
      { id: "cpu5c", vcpuCount: 4, memory: 8 },
      { id: "cpu5g", vcpuCount: 8, memory: 32 },
    ]);
    const { base } = endpoint.requestUrls;
    expect(endpoint.requestUrls).toEqual({ base, health: `${base}/healthz` });
    expect(endpoint.env).toEqual({ ...body.env, PORT: "80", PORT_HEALTH: "80" });
    expect(endpoint.workers.idleTimeout).toBe(60);
    const params = { id: endpoint.id };
    const moved = await talk.call("updateEndpoint", 200, { params, body: { env: { PORT: "5000" } } });
    expect(moved.env).toEqual({ PORT: "5000", PORT_HEALTH: "5000" });
    await talk.call("deleteEndpoint", 204, { params });
  },
  async "an endpoint that cannot be is refused: by the schema, by a rule, by a missing or wrong template"(talk) {
    const create = (status: number, extra: object) =>
      talk.call("createEndpoint", status, { body: { ...BODY, ...extra } });
    await create(422, { type: "STREAM" });
    await create(422, { scaling: { type: "QUEUE_DELAY", queueDelay: 4, requestCount: 1 } });
    await create(422, { type: "LOAD_BALANCER" });
    await create(422, { scaling: { type: "QUEUE_DELAY" } });
    await create(422, { gpu: { pools: [] } });
    await create(422, { gpu: { pools: ["ADA_24"], minCudaVersion: "" } });
    await create(422, { workers: { idleTimeout: 3601 } });
    const counted = { type: "REQUEST_COUNT", requestCount: 2 };
    const idle = await create(422, { scaling: counted, workers: { idleTimeout: 5 } });
    expect([idle.detail, idle.errors]).toEqual([expect.stringContaining("idleTimeout"), undefined]);
    await create(422, { image: undefined });
    expect(await create(422, { image: "repo/worker:does-not-exist" })).not.toHaveProperty("errors");
    await create(400, { gpu: undefined });
    await create(400, { cpu: [{ id: "cpu3c", vcpuCount: 2 }] });
    await create(400, { gpu: { pools: ["NOTHING"] } });
    await create(400, { gpu: { pools: ["ADA_24"], excludedTypes: ["NVIDIA L4"] } });
    await create(400, { gpu: { pools: ["ADA_24"], excludedTypes: [" NVIDIA GeForce RTX 4090 "] } });
    await create(400, { gpu: { pools: ["ADA_24"], allowedCudaVersions: ["12.4"], minCudaVersion: "12.1" } });
    await create(400, { workers: { min: 0, max: 5000 } });
    await create(400, { workers: { min: 4, max: 3 } });
    await create(400, { networkVolumes: ["nobody"] });
    const onCpus = { gpu: undefined, cpu: [{ id: "cpu3c", vcpuCount: 4 }] };
    await create(422, { ...onCpus, cpu: [...onCpus.cpu, ...onCpus.cpu] });
    await create(400, { ...onCpus, disk: 41 });
    const large = await create(201, { ...onCpus, disk: 40 });
    await talk.call("deleteEndpoint", 204, { params: { id: large.id } });
    await create(404, { templateId: "nobody" });
    const podTemplate = await talk.call("createTemplate", 201, { body: { name: "for pods", image: "repo/pod:1" } });
    const refused = await create(422, { templateId: podTemplate.id });
    expect(refused).not.toHaveProperty("errors");
    await talk.call("deleteTemplate", 204, { params: { id: podTemplate.id } });
  },
};
