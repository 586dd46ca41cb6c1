import type { Kind } from "../../cli/migrate/v1";

/** Ids of what the test has made, by the words that stand for them in bodies. */
export const PLACEHOLDERS = ["POD_TEMPLATE", "WORKER_TEMPLATE", "VOLUME", "GLOBAL_VOLUME", "REGISTRY"] as const;

/** A body of v1, what it is in v2, and the fields of v1 that have a warning. */
export interface Row {
  readonly title: string;
  readonly kind: Kind;
  readonly body: Readonly<Record<string, unknown>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly warns?: readonly string[];
}

const L4 = "NVIDIA L4";
const image = "registry.example.com/app:1";
const v1Defaults = {
  disk: 50,
  ports: ["8888/http", "22/tcp"],
  mounts: { persistent: { size: 20, path: "/workspace" } },
};

type Body = Readonly<Record<string, unknown>>;

function pod(title: string, body: Body, args: Body, ...warns: string[]): Row {
  return {
    title,
    kind: "Pod",
    body: { imageName: image, gpuTypeIds: [L4], ...body },
    args: { image, gpu: { id: L4 }, ...v1Defaults, ...args },
    warns,
  };
}

/** A pod without what v1 would have added. */
function barePod(title: string, body: Body, args: Body, ...warns: string[]): Row {
  const plain = { containerDiskInGb: 20, volumeInGb: 0, ports: ["80/http"] };
  return {
    title,
    kind: "Pod",
    body: { cloudType: "SECURE", imageName: image, ...plain, ...body },
    args: { cloud: "SECURE", image, disk: 20, ports: ["80/http"], ...args },
    warns,
  };
}

const workers = { min: 0, max: 3, idleTimeout: 5 };
const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const endpointDefaults = { type: "QUEUE", workers, scaling, timeout: 600_000 };

function endpoint(title: string, body: Body, args: Body, ...warns: string[]): Row {
  return {
    title,
    kind: "ServerlessContainer",
    body: {
      name: "chat",
      templateId: "WORKER_TEMPLATE",
      gpuTypeIds: ["NVIDIA GeForce RTX 4090"],
      workersMax: 3,
      ...body,
    },
    args: { name: "chat", templateId: "WORKER_TEMPLATE", gpu: { pools: ["ADA_24"] }, ...endpointDefaults, ...args },
    warns,
  };
}

function template(title: string, body: Body, args: Body, ...warns: string[]): Row {
  return {
    title,
    kind: "Template",
    body: { name: "preset", imageName: image, isPublic: false, ...body },
    args: { name: "preset", image, public: false, ...v1Defaults, ...args },
    warns,
  };
}

const without = (args: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));

/** The same without some of the arguments. */
const less = (row: Row, ...names: readonly string[]): Row => ({ ...row, args: without(row.args, ...names) });

export const BODIES: readonly Row[] = [
  pod("the least that v1 took, with what it added itself", {}, {}),
  pod("a name", { name: "dev" }, { name: "dev" }),
  pod(
    "the names of an answer",
    { imageName: undefined, image, gpuTypeIds: undefined, gpu: { id: L4, count: 2 }, costPerHr: 0.4 },
    { gpu: { id: L4, count: 2 } },
  ),
  pod("several GPUs", { gpuCount: 2 }, { gpu: { id: L4, count: 2 } }),
  pod(
    "several GPU types",
    { gpuTypeIds: [L4, "NVIDIA A40", "NVIDIA RTX A5000"], gpuTypePriority: "custom" },
    { gpuAlternatives: ["NVIDIA A40", "NVIDIA RTX A5000"] },
    "gpuTypeIds",
  ),
  pod("one GPU type, of the oldest bodies", { gpuTypeIds: undefined, gpuTypeId: L4 }, {}),
  pod(
    "CUDA versions",
    { allowedCudaVersions: ["12.4", "12.8"] },
    { gpu: { id: L4, allowedCudaVersions: ["12.4", "12.8"] } },
  ),
  pod("a lowest CUDA version", { minCudaVersion: "12.4" }, { gpu: { id: L4, minCudaVersion: "12.4" } }),
  pod(
    "both choices of CUDA versions",
    { allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" },
    { gpu: { id: L4, allowedCudaVersions: ["12.8"] } },
    "minCudaVersion",
  ),
  pod("a start command", { dockerStartCmd: ["python", "-m", "app"] }, { args: "python -m app" }),
  pod(
    "a start command that needs quotes",
    { dockerStartCmd: ["bash", "-c", "echo 'hi' && sleep 1", ""] },
    { args: "bash -c 'echo '\\''hi'\\'' && sleep 1' ''" },
  ),
  pod("an empty start command", { dockerStartCmd: [] }, {}),
  pod("a start command that is a text", { dockerArgs: "python app.py" }, { args: "python app.py" }),
  pod("an entrypoint", { dockerEntrypoint: ["bash"], dockerStartCmd: ["a b"] }, { entrypoint: ["bash"], cmd: ["a b"] }),
  pod(
    "an entrypoint before a text",
    { dockerEntrypoint: ["sh"], dockerArgs: "a b" },
    { args: "a b" },
    "dockerEntrypoint",
  ),
  pod("an empty entrypoint", { dockerEntrypoint: [] }, {}),
  pod("a container disk", { containerDiskInGb: 80 }, { disk: 80 }),
  pod("no container disk", { containerDiskInGb: 0 }, {}, "containerDiskInGb"),
  pod(
    "storage of its own",
    { volumeInGb: 60, volumeMountPath: "/data" },
    { mounts: { persistent: { size: 60, path: "/data" } } },
  ),
  pod(
    "too small a storage",
    { volumeInGb: 5 },
    { mounts: { persistent: { size: 10, path: "/workspace" } } },
    "volumeInGb",
  ),
  less(pod("no storage", { volumeInGb: 0 }, {}), "mounts"),
  pod(
    "a network volume",
    { networkVolumeId: "VOLUME", volumeMountPath: "/models", dataCenterIds: ["EU-RO-1"] },
    { mounts: { network: [{ volumeId: "VOLUME", path: "/models" }] }, dataCenterIds: ["EU-RO-1"] },
  ),
  pod(
    "a network volume at v1's own path, beside a size",
    { networkVolumeId: "VOLUME", volumeInGb: 20 },
    { mounts: { network: [{ volumeId: "VOLUME", path: "/workspace" }] } },
  ),
  pod(
    "volumes of both kinds",
    {
      volumeMounts: [
        { volumeId: "VOLUME", volumeType: "NETWORK_VOLUME", mountPath: "/workspace" },
        { volumeId: "GLOBAL_VOLUME", volumeType: "OBJECT_STORE_VOLUME", mountPath: "/global" },
      ],
    },
    {
      mounts: {
        network: [{ volumeId: "VOLUME", path: "/workspace" }],
        global: [{ volumeId: "GLOBAL_VOLUME", path: "/global" }],
      },
    },
  ),
  pod(
    "a network volume in the community cloud",
    { networkVolumeId: "VOLUME", cloudType: "COMMUNITY" },
    { mounts: { network: [{ volumeId: "VOLUME", path: "/workspace" }] }, cloud: "SECURE" },
    "cloudType",
  ),
  pod("ports", { ports: ["8080/http", "22/tcp"] }, { ports: ["8080/http", "22/tcp"] }),
  pod("ports as one text", { ports: "8080/http, 22/tcp" }, { ports: ["8080/http", "22/tcp"] }),
  pod("no ports", { ports: [] }, { ports: [] }),
  pod("a UDP port", { ports: ["53/udp", "22/tcp"] }, { ports: ["22/tcp"] }, "ports"),
  pod("an environment", { env: { MODE: "test", EMPTY: "" } }, { env: { MODE: "test", EMPTY: "" } }),
  pod("an environment as a list", { env: [{ key: "MODE", value: "test" }] }, { env: { MODE: "test" } }),
  pod("an environment of numbers", { env: { PORT: 80 } }, {}, "env"),
  pod("registry credentials", { containerRegistryAuthId: "REGISTRY" }, { registry: "REGISTRY" }),
  pod("no registry credentials", { containerRegistryAuthId: "" }, {}),
  pod(
    "the community cloud",
    { gpuTypeIds: ["NVIDIA RTX A5000"], cloudType: "COMMUNITY" },
    { gpu: { id: "NVIDIA RTX A5000" }, cloud: "COMMUNITY" },
  ),
  pod("any cloud", { cloudType: "ALL" }, { cloud: "SECURE" }, "cloudType"),
  pod(
    "a public address in the community cloud",
    { gpuTypeIds: ["NVIDIA RTX A5000"], cloudType: "COMMUNITY", supportPublicIp: true },
    { gpu: { id: "NVIDIA RTX A5000" }, cloud: "COMMUNITY" },
    "supportPublicIp",
  ),
  pod("a public address in the secure cloud", { supportPublicIp: true }, {}),
  pod("a spot pod", { interruptible: true }, {}, "interruptible"),
  pod("no spot pod", { interruptible: false }, {}),
  pod("countries", { countryCodes: ["RO"] }, {}, "countryCodes"),
  pod(
    "minimums of the machine",
    { gpuTypeIds: ["NVIDIA L4"], minRAMPerGPU: 16, minVCPUPerGPU: 8 },
    { gpu: { id: "NVIDIA L4", minRamPerGpu: 16, minVcpuCountPerGpu: 8 } },
  ),
  pod(
    "minimums of its connection",
    { minDownloadMbps: 100, minUploadMbps: 100, minDiskBandwidthMBps: 500 },
    {},
    "minDiskBandwidthMBps",
    "minDownloadMbps",
    "minUploadMbps",
  ),
  pod(
    "data centers in an order",
    { dataCenterIds: ["EU-RO-1", "US-KS-2"], dataCenterPriority: "custom" },
    { dataCenterIds: ["EU-RO-1", "US-KS-2"] },
  ),
  pod("no data centers", { dataCenterIds: [] }, { dataCenterIds: [] }),
  pod(
    "the global network and a lock",
    { globalNetworking: false, locked: false },
    { globalNetworking: false, locked: false },
  ),
  pod(
    "a stopped pod of an answer",
    {
      id: "xedezhzb9la3ye",
      desiredStatus: "EXITED",
      machineId: "m",
      publicIp: "192.0.2.1",
      lastStartedAt: "2026-01-01",
    },
    { desiredStatus: "EXITED" },
  ),
  pod(
    "a running pod of an answer",
    { id: "xedezhzb9la3ye", desiredStatus: "RUNNING", portMappings: { "22": 10341 } },
    {},
  ),
  pod("a field that nobody knows", { gpuTypes: 1 }, {}, "gpuTypes"),
  less(
    pod(
      "a template, which brings the rest",
      { imageName: undefined, templateId: "POD_TEMPLATE", locked: false },
      { templateId: "POD_TEMPLATE", locked: false },
    ),
    "image",
    "disk",
    "ports",
    "mounts",
  ),
  barePod(
    "CPUs",
    { computeType: "CPU", cpuFlavorIds: ["cpu3c"], vcpuCount: 4 },
    { cpu: { id: "cpu3c", vcpuCount: 4 } },
  ),
  barePod("CPUs by their flavor alone", { cpuFlavorIds: ["cpu5c"] }, { cpu: { id: "cpu5c", vcpuCount: 2 } }),
  barePod(
    "several CPU flavors",
    { computeType: "CPU", cpuFlavorIds: ["cpu3c", "cpu5c"] },
    { cpu: { id: "cpu3c", vcpuCount: 2 } },
    "cpuFlavorIds",
  ),
  barePod(
    "an odd number of CPUs",
    { computeType: "CPU", cpuFlavorIds: ["cpu3c"], vcpuCount: 3 },
    { cpu: { id: "cpu3c", vcpuCount: 4 } },
    "vcpuCount",
  ),
  barePod(
    "CPUs with what only GPUs have",
    { computeType: "CPU", cpuFlavorIds: ["cpu3c"], volumeInGb: 20, allowedCudaVersions: ["12.4"], gpuCount: 1 },
    { cpu: { id: "cpu3c", vcpuCount: 2 } },
    "allowedCudaVersions",
    "volumeInGb",
  ),

  endpoint("with all that v1 added itself", {}, {}),
  endpoint("with models", { modelReferences: ["https://huggingface.co/acme/chat:main"] }, {}, "modelReferences"),
  endpoint(
    "workers",
    { workersMin: 1, workersMax: 5, idleTimeout: 30 },
    { workers: { min: 1, max: 5, idleTimeout: 30 } },
  ),
  endpoint(
    "delay scaling",
    { scalerType: "QUEUE_DELAY", scalerValue: 10 },
    { scaling: { type: "QUEUE_DELAY", queueDelay: 10 } },
  ),
  endpoint(
    "request scaling",
    { scalerType: "REQUEST_COUNT", scalerValue: 8 },
    { scaling: { type: "REQUEST_COUNT", requestCount: 8 }, workers: { min: 0, max: 3 } },
  ),
  endpoint(
    "request scaling with an idle timeout",
    { scalerType: "REQUEST_COUNT", scalerValue: 8, idleTimeout: 60 },
    { scaling: { type: "REQUEST_COUNT", requestCount: 8 }, workers: { min: 0, max: 3 } },
    "idleTimeout",
  ),
  endpoint("a time limit", { executionTimeoutMs: 60_000 }, { timeout: 60_000 }),
  endpoint("flashboot", { flashboot: true }, { flashboot: "FLASHBOOT" }),
  endpoint("no flashboot", { flashboot: false }, { flashboot: "OFF" }),
  endpoint("flashboot by its name", { name: "chat -fb" }, { flashboot: "FLASHBOOT" }),
  endpoint("a whole pool", { gpuTypeIds: ["NVIDIA A40", "NVIDIA RTX A6000"] }, { gpu: { pools: ["AMPERE_48"] } }),
  endpoint(
    "types of several pools, in their order",
    { gpuTypeIds: ["NVIDIA H200", L4], gpuCount: 2 },
    {
      gpu: {
        pools: ["HOPPER_141", "AMPERE_24"],
        excludedTypes: ["NVIDIA RTX A5000", "NVIDIA GeForce RTX 3090"],
        count: 2,
      },
    },
    "gpuTypeIds",
  ),
  endpoint(
    "a type without a pool beside another",
    { gpuTypeIds: ["NVIDIA GeForce RTX 4090", "NVIDIA A30"] },
    {},
    "gpuTypeIds",
  ),
  endpoint(
    "pools and exclusions as one text",
    { gpuTypeIds: undefined, gpuIds: "AMPERE_16,-NVIDIA RTX A4500" },
    { gpu: { pools: ["AMPERE_16"], excludedTypes: ["NVIDIA RTX A4500"] } },
  ),
  endpoint(
    "CUDA versions",
    { allowedCudaVersions: ["12.4"] },
    { gpu: { pools: ["ADA_24"], allowedCudaVersions: ["12.4"] } },
  ),
  less(
    endpoint(
      "CPUs",
      { gpuTypeIds: undefined, computeType: "CPU", cpuFlavorIds: ["cpu3c", "cpu5c"], vcpuCount: 4 },
      {
        cpu: [
          { id: "cpu3c", vcpuCount: 4 },
          { id: "cpu5c", vcpuCount: 4 },
        ],
      },
    ),
    "gpu",
  ),
  less(
    endpoint(
      "CPUs of an answer",
      { gpuTypeIds: undefined, computeType: "CPU", instanceIds: ["cpu3c-2-4"] },
      { cpu: [{ id: "cpu3c", vcpuCount: 2 }] },
    ),
    "gpu",
  ),
  endpoint(
    "data centers and a volume",
    { dataCenterIds: ["EU-RO-1"], networkVolumeId: "VOLUME" },
    { dataCenterIds: ["EU-RO-1"], networkVolumes: ["VOLUME"] },
  ),
  endpoint(
    "a global volume",
    { volumes: [{ volumeId: "GLOBAL_VOLUME", volumeType: "OBJECT_STORE_VOLUME" }] },
    { globalVolumes: ["GLOBAL_VOLUME"] },
  ),
  endpoint("countries", { locations: "RO,US" }, {}, "locations"),
  endpoint(
    "a load balancer",
    { type: "LB", scalerType: "REQUEST_COUNT", scalerValue: 2, idleTimeout: 60 },
    {
      type: "LOAD_BALANCER",
      scaling: { type: "REQUEST_COUNT", requestCount: 2 },
      workers: { ...workers, idleTimeout: 60 },
    },
  ),
  endpoint(
    "a load balancer that scaled by delay",
    { type: "LB", scalerType: "QUEUE_DELAY", scalerValue: 2 },
    { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 2 } },
    "scalerType",
  ),
  endpoint(
    "an answer with its template inside",
    {
      id: "jpnw0v75y3qoql",
      userId: "u",
      version: 3,
      createdAt: "2026-01-01",
      template: { imageName: image },
      workers: [],
    },
    {},
  ),
  less(
    endpoint(
      "a template inside alone",
      { templateId: undefined, template: { imageName: image, dockerEntrypoint: ["sh"] }, env: { A: "1" } },
      { image, entrypoint: ["sh"], env: { A: "1" } },
    ),
    "templateId",
  ),

  template("the least that v1 took", {}, {}),
  template(
    "credentials, command and category",
    { containerRegistryAuthId: "REGISTRY", dockerStartCmd: ["serve", "--port=80"], category: "AMD" },
    { registry: "REGISTRY", args: "serve --port=80", category: "AMD" },
  ),
  template(
    "disk and storage",
    { containerDiskInGb: 10, volumeInGb: 40, volumeMountPath: "/data" },
    { disk: 10, mounts: { persistent: { size: 40, path: "/data" } } },
  ),
  less(template("for serverless", { isServerless: true }, { serverless: true }), "mounts", "ports"),
  less(
    template(
      "for serverless, with storage",
      { isServerless: true, volumeInGb: 20 },
      { serverless: true },
      "volumeInGb",
    ),
    "mounts",
    "ports",
  ),
  template(
    "a readme and an entrypoint",
    { readme: "# Hello", dockerEntrypoint: ["sh"] },
    { entrypoint: ["sh"] },
    "readme",
  ),
  less(template("for CPUs", { category: "CPU", volumeInGb: 20 }, { category: "CPU" }, "volumeInGb"), "mounts"),
  template("of an answer", { id: "30zmvf89kd", isRunpod: false, earned: 0, runtimeInMin: 0 }, {}),

  {
    title: "a volume",
    kind: "NetworkVolume",
    body: { name: "models", size: 100, dataCenterId: "EU-RO-1" },
    args: { name: "models", size: 100, dataCenter: "EU-RO-1" },
  },
  {
    title: "a small volume",
    kind: "NetworkVolume",
    body: { id: "agv6w2qcg7", name: "v", size: 5, dataCenterId: "EU-RO-1" },
    args: { name: "v", size: 10, dataCenter: "EU-RO-1" },
    warns: ["size"],
  },
  {
    title: "credentials",
    kind: "Registry",
    body: { name: "hub", username: "ci", password: "change-me" },
    args: { name: "hub", username: "ci", password: "change-me" },
    warns: ["password"],
  },
];
