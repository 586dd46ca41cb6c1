import { describe, expect, test } from "@jest/globals";
import type { Update } from "../../tools/run/update";
import type { Resources } from "../harness/program";
import { leavesNothing, scenarioForAll } from "../harness/scenario";

interface Row {
  readonly kind: string;
  readonly args: object;
  /** The same in other words: null, omitted and default are equal, and sets have no order. */
  readonly respelled: object;
  /** Another wish, which what is there fulfils as well. */
  readonly fulfilled: object;
}

const IMAGE = "example.com/image:1";
const QUEUE = { type: "QUEUE", image: IMAGE, scaling: { type: "QUEUE_DELAY", queueDelay: 4 } };
const GPU_QUEUE = { ...QUEUE, gpu: { pools: ["AMPERE_24"] } };
const BALANCER = { type: "LOAD_BALANCER", image: IMAGE, scaling: { type: "REQUEST_COUNT", requestCount: 2 } };
const POD = { image: IMAGE, gpu: { id: "NVIDIA L4" } };
const CPU = { id: "cpu3c", vcpuCount: 2 };
const CLUSTER = { type: "TRAINING", image: IMAGE, compute: { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 } };
const CHAT = { templateId: "$worker.id", gpuIds: "AMPERE_24" };

/** Rows of a kind: arguments, the same in other words, and another wish that what is there fulfils as well. */
const rowsOf =
  (kind: string) =>
  (args: object, respelled: object = {}, fulfilled: object = {}): Row => ({ kind, args, respelled, fulfilled });
const registry = rowsOf("Registry");
const networkVolume = rowsOf("NetworkVolume");
const template = rowsOf("Template");
const serverlessEndpoint = rowsOf("ServerlessEndpoint");
const serverlessContainer = rowsOf("ServerlessContainer");
const pod = rowsOf("Pod");
const cluster = rowsOf("Cluster");
const ecrDelegation = rowsOf("EcrDelegation");
const sshKeys = rowsOf("SshKeys");

/** What others refer to. */
const SHARED: Record<string, Row> = {
  images: registry({ username: "ci", password: "$secret:hunter2" }),
  models: networkVolume({ size: 10, dataCenter: "US-KS-2" }, {}, { type: "STANDARD" }),
  other: networkVolume({ size: 10, dataCenter: "EU-RO-1", type: "STANDARD" }),
  worker: template({ image: IMAGE, serverless: true, env: { FROM: "template" } }),
  machine: template({
    image: IMAGE,
    args: "serve",
    disk: 12,
    ports: ["22/tcp"],
    env: { FROM: "template" },
    mounts: { persistent: { size: 20, path: "/data" } },
    allowedCudaVersions: ["12.8"],
  }),
};

const PROGRAMS: Record<string, Row> = {
  "registry named": registry({ name: "named", username: "$secret:me", password: "$secret:hunter3" }),
  "volume named": networkVolume({ name: "named", size: 4096, dataCenter: "CA-MTL-1" }),
  "volume fast": networkVolume({ size: 11, dataCenter: "EUR-IS-1", type: "HIGH_PERFORMANCE" }, { name: null }),

  "template bare": template(
    { image: IMAGE },
    {
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
  ),
  "template full": template(
    {
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
    {
      ports: ["70001/tcp", "22/tcp", "8888/http"],
      env: { C: "{{ SECRET_name }}", B: "$secret:two", A: "1" },
      allowedCudaVersions: ["12.4", "12.8"],
      public: null,
    },
  ),
  "template for CPU": template({ image: IMAGE, category: "CPU", mounts: { persistent: null } }),
  "template for AMD": template({ image: IMAGE, category: "AMD", public: false }),

  "endpoint bare": serverlessEndpoint(CHAT, {
    gpuCount: 1,
    type: "QB",
    locations: "",
    networkVolumeId: null,
    idleTimeout: 10,
    scalerType: "QUEUE_DELAY",
    scalerValue: 4,
    workersMin: 0,
    flashBootType: "OFF",
  }),
  "endpoint full": serverlessEndpoint(
    {
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
      models: ["https://huggingface.co/acme/llama:main", "https://huggingface.co/acme/bert:v2"],
    },
    { gpuIds: "AMPERE_16,ADA_24,-NVIDIA RTX A4500" },
  ),
  "endpoint with spaces": serverlessEndpoint({ ...CHAT, gpuIds: "AMPERE_24, ADA_24" }, { gpuIds: "AMPERE_24,ADA_24" }),
  "endpoint somewhere": serverlessEndpoint({ ...CHAT, locations: "CZ,FR" }),
  "endpoint balancing": serverlessEndpoint({ ...CHAT, type: "LB", scalerType: "REQUEST_COUNT" }),
  "endpoint waiting": serverlessEndpoint({ ...CHAT, workersMin: 1, awaitWorkers: true }),

  "container bare": serverlessContainer(GPU_QUEUE, {
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
  }),
  "container full": serverlessContainer(
    {
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
    {
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
  ),
  "container above a CUDA version": serverlessContainer(
    { ...QUEUE, gpu: { pools: ["AMPERE_24"], minCudaVersion: "12.4", allowedCudaVersions: [] } },
    { gpu: { pools: ["AMPERE_24"], minCudaVersion: "12.4" } },
  ),
  "container by requests": serverlessContainer(
    { ...GPU_QUEUE, scaling: { type: "REQUEST_COUNT", requestCount: 3 } },
    { workers: {} },
  ),
  "container balancing on CPUs": serverlessContainer(
    { ...BALANCER, cpu: [{ id: "cpu3c", vcpuCount: 8 }, CPU] },
    { gpu: null },
  ),
  "container balancing on GPUs": serverlessContainer(
    { ...BALANCER, gpu: { pools: ["ADA_24"] }, env: { HEALTH_CHECK_PATH: "/ready" } },
    { workers: { idleTimeout: 10 } },
  ),
  "container from a template": serverlessContainer(
    { ...GPU_QUEUE, image: undefined, templateId: "$worker.id" },
    { image: null, env: null },
  ),
  "container over a template": serverlessContainer({
    ...GPU_QUEUE,
    templateId: "$worker.id",
    env: { FROM: "program", MORE: "1" },
  }),
  "container waiting": serverlessContainer(
    { ...GPU_QUEUE, workers: { min: 1 }, awaitWorkers: true, createTimeout: "2m" },
    { awaitWorkers: false },
  ),
  "container half a second": serverlessContainer({
    ...GPU_QUEUE,
    scaling: { type: "QUEUE_DELAY", queueDelay: 0.5 },
    workers: { max: 0 },
  }),

  "pod bare": pod(POD, {
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
  }),
  "pod full": pod(
    {
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
    {
      ports: ["22/tcp", "70000/tcp", "8888/http"],
      gpu: { id: "NVIDIA A40", count: 2, allowedCudaVersions: ["12.4", "12.8"] },
      dataCenterIds: ["EU-RO-1", "US-KS-2"],
      createTimeout: "20m",
    },
    { gpuAlternatives: ["NVIDIA L40S"], dataCenterIds: ["EU-RO-1", "US-TX-3", "US-KS-2"] },
  ),
  "pod above a CUDA version": pod({ ...POD, gpu: { id: "NVIDIA L4", minCudaVersion: "12.6" } }),
  "pod of AMD": pod({ image: IMAGE, gpu: { id: "AMD Instinct MI300X OAM" } }),
  "pod in the community": pod(
    { image: IMAGE, cloud: "COMMUNITY", gpu: { id: "NVIDIA GeForce RTX 4090" } },
    { mounts: { network: null } },
  ),
  "pod on CPUs": pod({ image: IMAGE, cpu: CPU }, { gpu: null, gpuAlternatives: null }),
  "pod with a volume": pod(
    { image: IMAGE, cpu: CPU, mounts: { network: [{ volumeId: "$models.id", path: "/models" }] } },
    {},
    { dataCenterIds: ["US-KS-2", "EU-RO-1"] },
  ),
  "pod from a template": pod({ gpu: { id: "NVIDIA L4" }, templateId: "$machine.id" }, { image: null, startSsh: null }),
  "pod over a template": pod({
    ...POD,
    templateId: "$machine.id",
    env: { FROM: "program" },
    args: "",
    startJupyter: false,
  }),
  "pod with inherited numbers": pod({ ...POD, disk: "$machine.disk", env: { TEMPLATE: "$machine.name" } }),
  // An output that is absent.
  "pod with nothing inherited": pod({ ...POD, env: { DNS: "$pod bare.internalDns" } }),
  "pod stopped": pod({ ...POD, desiredStatus: "EXITED" }, { awaitRunning: false }),
  "pod not waited for": pod({ ...POD, awaitRunning: false }),

  "cluster bare": cluster(CLUSTER, {
    args: null,
    ports: [],
    env: {},
    mounts: {},
    dataCenterIds: [],
    startSsh: false,
    startJupyter: false,
    awaitRunning: true,
    createTimeout: "30m",
  }),
  "cluster full": cluster(
    {
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
    { ports: ["6379/tcp", "22/tcp"], dataCenterIds: ["US-TX-3", "US-KS-2"] },
  ),
  "cluster of Ray": cluster({ ...CLUSTER, type: "RAY", awaitRunning: false }),

  "delegation bare": ecrDelegation(
    { resource: "arn:aws:ecr:us-east-2:418399314813:repository/team/models" },
    { name: null },
  ),
  "delegation named": ecrDelegation({
    resource: "$secret:arn:aws:ecr:us-east-2:418399314813:repository/team/tools",
    name: "tools",
  }),
  "keys of the team": sshKeys(
    { keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn ann@example.com", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"] },
    { keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAnn ann@example.com\n", "ecdsa-sha2-nistp256 AAAAE2VjZHNh"] },
  ),
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
    await leavesNothing(stack, service);
  });
});

/** What was not left as it is, by name and reason. */
function changed({ steps }: Update): string[] {
  return steps
    .filter(({ op }) => !["same", "refresh"].includes(op))
    .map(({ op, name, replaceKeys }) => `${op} ${name} ${replaceKeys}`);
}
