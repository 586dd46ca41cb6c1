import { describe, expect, test } from "@jest/globals";
import { scenarioForAll } from "../harness/forAll";
import type { Resources, Scenario } from "../harness/scenario";

interface Row {
  readonly kind: string;
  readonly args: object;
  /** The same in other words: null, omitted and default are equal, and sets have no order. */
  readonly respelled?: object;
  /** Another wish, which what is there fulfils as well. */
  readonly fulfilled?: object;
}

const IMAGE = "example.com/image:1";
const QUEUE = { type: "QUEUE", image: IMAGE, scaling: { type: "QUEUE_DELAY", queueDelay: 4 } };
const GPU_QUEUE = { ...QUEUE, gpu: { pools: ["AMPERE_24"] } };
const BALANCER = { type: "LOAD_BALANCER", image: IMAGE, scaling: { type: "REQUEST_COUNT", requestCount: 2 } };
const POD = { image: IMAGE, gpu: { id: "NVIDIA L4" } };
const CPU = { id: "cpu3c", vcpuCount: 2 };
const CLUSTER = { type: "TRAINING", image: IMAGE, compute: { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 } };
const CHAT = { templateId: "$worker.id", gpuIds: "AMPERE_24" };

/** What others refer to. */
const SHARED: Record<string, Row> = {
  images: { kind: "Registry", args: { username: "ci", password: "$secret:hunter2" } },
  models: { kind: "NetworkVolume", args: { size: 10, dataCenter: "US-KS-2" }, fulfilled: { type: "STANDARD" } },
  other: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1", type: "STANDARD" } },
  worker: { kind: "Template", args: { image: IMAGE, serverless: true, env: { FROM: "template" } } },
  machine: {
    kind: "Template",
    args: {
      image: IMAGE,
      args: "serve",
      disk: 12,
      ports: ["22/tcp"],
      env: { FROM: "template" },
      mounts: { persistent: { size: 20, path: "/data" } },
      allowedCudaVersions: ["12.8"],
    },
  },
};

const PROGRAMS: Record<string, Row> = {
  "registry named": { kind: "Registry", args: { name: "named", username: "$secret:me", password: "$secret:hunter3" } },
  "volume named": { kind: "NetworkVolume", args: { name: "named", size: 4096, dataCenter: "CA-MTL-1" } },
  "volume fast": {
    kind: "NetworkVolume",
    args: { size: 11, dataCenter: "EUR-IS-1", type: "HIGH_PERFORMANCE" },
    respelled: { name: null },
  },

  "template bare": {
    kind: "Template",
    args: { image: IMAGE },
    respelled: {
      args: "",
      ports: [],
      env: {},
      registry: null,
      mounts: {},
      serverless: false,
      public: false,
      category: "NVIDIA",
      startSsh: true,
      startJupyter: true,
      allowedCudaVersions: null,
    },
  },
  "template full": {
    kind: "Template",
    args: {
      name: "full",
      image: IMAGE,
      args: "--port 80",
      disk: 30,
      ports: ["8888/http", "22/tcp", "70001/tcp"],
      env: { A: "1", B: "$secret:two", C: "{{ SECRET_name }}" },
      registry: "$images.id",
      mounts: { persistent: { size: 15, path: "/data" } },
      startSsh: false,
      startJupyter: false,
      allowedCudaVersions: ["12.8", "12.4"],
    },
    respelled: {
      ports: ["70001/tcp", "22/tcp", "8888/http"],
      env: { C: "{{ SECRET_name }}", B: "$secret:two", A: "1" },
      allowedCudaVersions: ["12.4", "12.8"],
      public: null,
    },
  },
  "template for CPU": { kind: "Template", args: { image: IMAGE, category: "CPU", mounts: { persistent: null } } },
  "template for AMD": { kind: "Template", args: { image: IMAGE, category: "AMD", public: false } },

  "endpoint bare": {
    kind: "ServerlessEndpoint",
    args: CHAT,
    respelled: {
      gpuCount: 1,
      type: "QB",
      locations: "",
      networkVolumeId: null,
      idleTimeout: 10,
      scalerType: "QUEUE_DELAY",
      scalerValue: 4,
      workersMin: 0,
      flashBootType: "OFF",
    },
  },
  "endpoint full": {
    kind: "ServerlessEndpoint",
    args: {
      ...CHAT,
      name: "full",
      gpuIds: "AMPERE_16,-NVIDIA RTX A4500,ADA_24",
      gpuCount: 2,
      networkVolumeId: "$models.id",
      idleTimeout: 60,
      scalerType: "REQUEST_COUNT",
      scalerValue: 2,
      workersMin: 1,
      workersMax: 5,
      flashBootType: "FLASHBOOT",
    },
    respelled: { gpuIds: "AMPERE_16,ADA_24,-NVIDIA RTX A4500" },
  },
  "endpoint with spaces": {
    kind: "ServerlessEndpoint",
    args: { ...CHAT, gpuIds: "AMPERE_24, ADA_24" },
    respelled: { gpuIds: "AMPERE_24,ADA_24" },
  },
  "endpoint somewhere": { kind: "ServerlessEndpoint", args: { ...CHAT, locations: "CZ,FR" } },
  "endpoint balancing": { kind: "ServerlessEndpoint", args: { ...CHAT, type: "LB", scalerType: "REQUEST_COUNT" } },
  "endpoint waiting": { kind: "ServerlessEndpoint", args: { ...CHAT, workersMin: 1, awaitWorkers: true } },

  "container bare": {
    kind: "ServerlessContainer",
    args: GPU_QUEUE,
    respelled: {
      args: "",
      ports: null,
      env: {},
      registry: null,
      templateId: null,
      gpu: { pools: ["AMPERE_24"], excludedTypes: [], count: 1, allowedCudaVersions: null, minCudaVersion: null },
      workers: { min: 0, max: null, idleTimeout: 10 },
      dataCenterIds: [],
      networkVolumes: null,
      timeout: 300_000,
      flashboot: "OFF",
    },
  },
  "container full": {
    kind: "ServerlessContainer",
    args: {
      ...GPU_QUEUE,
      name: "full",
      args: "serve",
      disk: 40,
      ports: ["80/http", "22/tcp"],
      env: { A: "hunter5" },
      registry: "$images.id",
      gpu: {
        pools: ["ADA_24", "AMPERE_16"],
        excludedTypes: ["NVIDIA RTX A4500", "NVIDIA RTX A4000"],
        count: 2,
        allowedCudaVersions: ["12.8", "12.6"],
      },
      workers: { min: 1, max: 4, idleTimeout: 30 },
      dataCenterIds: ["US-KS-2", "EU-RO-1"],
      networkVolumes: ["$models.id", "$other.id"],
      timeout: 0,
      flashboot: "PRIORITY_FLASHBOOT",
    },
    respelled: {
      ports: ["22/tcp", "80/http"],
      gpu: {
        pools: ["ADA_24", "AMPERE_16"],
        excludedTypes: [" NVIDIA RTX A4000", "NVIDIA RTX A4500"],
        count: 2,
        allowedCudaVersions: ["12.6", "12.8"],
      },
      dataCenterIds: ["EU-RO-1", "US-KS-2"],
      networkVolumes: ["$other.id", "$models.id"],
    },
  },
  "container above a CUDA version": {
    kind: "ServerlessContainer",
    args: { ...QUEUE, gpu: { pools: ["AMPERE_24"], minCudaVersion: "12.4", allowedCudaVersions: [] } },
    respelled: { gpu: { pools: ["AMPERE_24"], minCudaVersion: "12.4" } },
  },
  "container by requests": {
    kind: "ServerlessContainer",
    args: { ...GPU_QUEUE, scaling: { type: "REQUEST_COUNT", requestCount: 3 } },
    respelled: { workers: {} },
  },
  "container balancing on CPUs": {
    kind: "ServerlessContainer",
    args: { ...BALANCER, cpu: [{ id: "cpu3c", vcpuCount: 8 }, CPU] },
    respelled: { gpu: null },
  },
  "container balancing on GPUs": {
    kind: "ServerlessContainer",
    args: { ...BALANCER, gpu: { pools: ["ADA_24"] }, env: { HEALTH_CHECK_PATH: "/ready" } },
    respelled: { workers: { idleTimeout: 10 } },
  },
  "container from a template": {
    kind: "ServerlessContainer",
    args: { ...GPU_QUEUE, image: undefined, templateId: "$worker.id" },
    respelled: { image: null, env: null },
  },
  "container over a template": {
    kind: "ServerlessContainer",
    args: { ...GPU_QUEUE, templateId: "$worker.id", env: { FROM: "program", MORE: "1" } },
  },
  "container waiting": {
    kind: "ServerlessContainer",
    args: { ...GPU_QUEUE, workers: { min: 1 }, awaitWorkers: true, createTimeout: "2m" },
    respelled: { awaitWorkers: false },
  },
  "container half a second": {
    kind: "ServerlessContainer",
    args: { ...GPU_QUEUE, scaling: { type: "QUEUE_DELAY", queueDelay: 0.5 }, workers: { max: 0 } },
  },

  "pod bare": {
    kind: "Pod",
    args: POD,
    respelled: {
      args: "",
      ports: [],
      env: null,
      registry: null,
      templateId: null,
      gpu: { id: "NVIDIA L4", count: 1, allowedCudaVersions: [], minCudaVersion: null },
      cpu: null,
      cloud: "SECURE",
      dataCenterIds: [],
      mounts: { persistent: null },
      globalNetworking: false,
      startSsh: false,
      startJupyter: null,
      locked: false,
      desiredStatus: "RUNNING",
      awaitRunning: true,
      createTimeout: "15m",
    },
  },
  "pod full": {
    kind: "Pod",
    args: {
      name: "full",
      image: IMAGE,
      args: "sleep infinity",
      disk: 60,
      ports: ["8888/http", "22/tcp", "70000/tcp"],
      env: { A: "hunter6", B: "$secret:two" },
      registry: "$images.id",
      gpu: { id: "NVIDIA A40", count: 2, allowedCudaVersions: ["12.8", "12.4"] },
      gpuAlternatives: ["NVIDIA L40"],
      dataCenterIds: ["US-KS-2", "EU-RO-1"],
      mounts: { persistent: { size: 25, path: "/data" } },
      globalNetworking: true,
      startSsh: true,
      startJupyter: true,
    },
    respelled: {
      ports: ["22/tcp", "70000/tcp", "8888/http"],
      gpu: { id: "NVIDIA A40", count: 2, allowedCudaVersions: ["12.4", "12.8"] },
      dataCenterIds: ["EU-RO-1", "US-KS-2"],
      createTimeout: "20m",
    },
    fulfilled: { gpuAlternatives: ["NVIDIA L40S"], dataCenterIds: ["EU-RO-1", "US-TX-3", "US-KS-2"] },
  },
  "pod above a CUDA version": { kind: "Pod", args: { ...POD, gpu: { id: "NVIDIA L4", minCudaVersion: "12.6" } } },
  "pod of AMD": { kind: "Pod", args: { image: IMAGE, gpu: { id: "AMD Instinct MI300X OAM" } } },
  "pod in the community": {
    kind: "Pod",
    args: { image: IMAGE, cloud: "COMMUNITY", gpu: { id: "NVIDIA GeForce RTX 4090" } },
    respelled: { mounts: { network: null } },
  },
  "pod on CPUs": { kind: "Pod", args: { image: IMAGE, cpu: CPU }, respelled: { gpu: null, gpuAlternatives: null } },
  "pod with a volume": {
    kind: "Pod",
    args: { image: IMAGE, cpu: CPU, mounts: { network: [{ volumeId: "$models.id", path: "/models" }] } },
    fulfilled: { dataCenterIds: ["US-KS-2", "EU-RO-1"] },
  },
  "pod from a template": {
    kind: "Pod",
    args: { gpu: { id: "NVIDIA L4" }, templateId: "$machine.id" },
    respelled: { image: null, startSsh: null },
  },
  "pod over a template": {
    kind: "Pod",
    args: { ...POD, templateId: "$machine.id", env: { FROM: "program" }, args: "", startJupyter: false },
  },
  "pod with inherited numbers": {
    kind: "Pod",
    args: { ...POD, disk: "$machine.disk", env: { TEMPLATE: "$machine.name" } },
  },
  "pod stopped": { kind: "Pod", args: { ...POD, desiredStatus: "EXITED" }, respelled: { awaitRunning: false } },
  "pod not waited for": { kind: "Pod", args: { ...POD, awaitRunning: false } },

  "cluster bare": {
    kind: "Cluster",
    args: CLUSTER,
    respelled: {
      args: null,
      ports: [],
      env: {},
      mounts: {},
      dataCenterIds: [],
      startSsh: false,
      startJupyter: false,
      awaitRunning: true,
      createTimeout: "30m",
    },
  },
  "cluster full": {
    kind: "Cluster",
    args: {
      ...CLUSTER,
      name: "full",
      type: "SLURM",
      args: "train",
      disk: 70,
      ports: ["22/tcp", "6379/tcp"],
      env: { A: "hunter4" },
      mounts: { network: [{ volumeId: "$models.id", path: "/models" }] },
      dataCenterIds: ["US-KS-2", "US-TX-3"],
      startSsh: true,
    },
    respelled: { ports: ["6379/tcp", "22/tcp"], dataCenterIds: ["US-TX-3", "US-KS-2"] },
  },
  "cluster of Ray": { kind: "Cluster", args: { ...CLUSTER, type: "RAY", awaitRunning: false } },

  "delegation bare": {
    kind: "EcrDelegation",
    args: { resource: "arn:aws:ecr:us-east-2:418399314813:repository/team/models" },
    respelled: { name: null },
  },
  "delegation named": {
    kind: "EcrDelegation",
    args: { resource: "$secret:arn:aws:ecr:us-east-2:418399314813:repository/team/tools", name: "tools" },
  },
  "keys of the team": {
    kind: "SshKeys",
    args: { keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn ann@example.com", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"] },
    respelled: {
      keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn ann@example.com\n", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"],
    },
  },
};

const rows = Object.entries({ ...SHARED, ...PROGRAMS });
const written: Resources = Object.fromEntries(rows);
const inOtherWords = (words: "respelled" | "fulfilled"): Resources =>
  Object.fromEntries(rows.map(([name, row]) => [name, { kind: row.kind, args: { ...row.args, ...row[words] } }]));

const { stack, service, declare } = scenarioForAll({ resources: written });

describe(`an up of ${Object.keys(PROGRAMS).length} programs`, () => {
  test("creates them, with what is secret by its nature encrypted in the state", async () => {
    expect((await stack.up()).changes).toEqual({ create: rows.length });
    expect(await stack.stateText()).not.toMatch(/hunter|418399314813/);
  });

  test("changes nothing the second time, and makes no call", async () => {
    await service.forgetCalls();
    expect(changed(await stack.up())).toEqual([]);
    expect(await service.calls()).toEqual([]);
  });

  test("changes nothing, and makes no call, when they say the same in other words", async () => {
    await declare(inOtherWords("respelled"));
    await service.forgetCalls();
    expect(changed(await stack.up())).toEqual([]);
    expect(await service.calls()).toEqual([]);
  });

  test("changes nothing after a refresh, in either spelling", async () => {
    expect(changed(await stack.refresh())).toEqual([]);
    expect(changed(await stack.up())).toEqual([]);
    await declare(written);
    expect(changed(await stack.preview())).toEqual([]);
  });

  test("changes nothing for another wish that is fulfilled already", async () => {
    await declare(inOtherWords("fulfilled"));
    expect(changed(await stack.preview())).toEqual([]);
  });

  test("is undone by a destroy, with nothing left", async () => {
    await stack.destroy();
    expect(await service.isEmpty()).toBe(true);
  });
});

/** What was not left as it is, by name and reason. */
function changed({ steps }: Awaited<ReturnType<Scenario["stack"]["up"]>>): string[] {
  return steps
    .filter(({ op }) => !["same", "refresh"].includes(op))
    .map(({ op, name, replaceKeys }) => `${op} ${name} ${replaceKeys}`);
}
