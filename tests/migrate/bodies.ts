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
const RTX = "NVIDIA GeForce RTX 4090";
const A5000 = "NVIDIA RTX A5000";
const image = "registry.example.com/app:1";
const persistent = (size: number, path = "/workspace") => ({ mounts: { persistent: { size, path } } });
const v1Defaults = { disk: 50, ports: ["8888/http", "22/tcp"], ...persistent(20) };

type Body = Readonly<Record<string, unknown>>;

/** Rows of a kind, of which each has the same and more. */
const rowsOf =
  (kind: Kind, commonBody: Body, commonArgs: Body) =>
  (title: string, body: Body, args: Body, ...warns: string[]): Row => ({
    title,
    kind,
    body: { ...commonBody, ...body },
    args: { ...commonArgs, ...args },
    warns,
  });

const pod = rowsOf("Pod", { imageName: image, gpuTypeIds: [L4] }, { image, gpu: { id: L4 }, ...v1Defaults });
/** A pod without what v1 would have added. */
const barePod = rowsOf(
  "Pod",
  { cloudType: "SECURE", imageName: image, containerDiskInGb: 20, volumeInGb: 0, ports: ["80/http"] },
  { cloud: "SECURE", image, disk: 20, ports: ["80/http"] },
);

const workers = { min: 0, max: 3, idleTimeout: 5 };
const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const endpointDefaults = { type: "QUEUE", workers, scaling, timeout: 600_000 };
const named = { name: "chat", templateId: "WORKER_TEMPLATE" };
const endpoint = rowsOf(
  "ServerlessContainer",
  { ...named, gpuTypeIds: [RTX], workersMax: 3 },
  { ...named, gpu: { pools: ["ADA_24"] }, ...endpointDefaults },
);
const template = rowsOf(
  "Template",
  { name: "preset", imageName: image, isPublic: false },
  { name: "preset", image, public: false, ...v1Defaults },
);
const volume = rowsOf("NetworkVolume", { dataCenterId: "EU-RO-1" }, { dataCenter: "EU-RO-1" });

/** The same without some of the arguments. */
function less({ args, ...row }: Row, ...names: readonly string[]): Row {
  return { ...row, args: Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name))) };
}

const community = { gpuTypeIds: [A5000], cloudType: "COMMUNITY" };
const onVolume = (path: string) => ({ mounts: { network: [{ volumeId: "VOLUME", path }] } });
const cpus = { computeType: "CPU", cpuFlavorIds: ["cpu3c"] };
const cpu = (vcpuCount: number) => ({ cpu: { id: "cpu3c", vcpuCount } });
const byRequests = (requestCount: number) => ({ scaling: { type: "REQUEST_COUNT", requestCount } });
const bare = { min: 0, max: 3 };
const global = { volumeId: "GLOBAL_VOLUME", volumeType: "OBJECT_STORE_VOLUME" };

/** Fields of which none has to do with another stand in one body. */
export const BODIES: readonly Row[] = [
  pod("the least that v1 took, with what it added itself", {}, {}),
  pod(
    "a name, GPUs, a disk, a command, ports, variables and data centers in an order",
    {
      ...{ name: "dev", gpuCount: 2, allowedCudaVersions: ["12.4", "12.8"], containerDiskInGb: 80 },
      ...{ dockerStartCmd: ["python", "-m", "app"], ports: ["8080/http", "22/tcp"], env: { MODE: "test", EMPTY: "" } },
      ...{ containerRegistryAuthId: "REGISTRY", dataCenterIds: ["EU-RO-1", "US-KS-2"], dataCenterPriority: "custom" },
      ...{ globalNetworking: false, locked: false },
    },
    {
      ...{ name: "dev", gpu: { id: L4, count: 2, allowedCudaVersions: ["12.4", "12.8"] }, disk: 80 },
      ...{ args: "python -m app", ports: ["8080/http", "22/tcp"], env: { MODE: "test", EMPTY: "" } },
      ...{ registry: "REGISTRY", dataCenterIds: ["EU-RO-1", "US-KS-2"], globalNetworking: false, locked: false },
    },
  ),
  pod(
    "the names of an answer",
    { imageName: undefined, image, gpuTypeIds: undefined, gpu: { id: L4, count: 2 }, costPerHr: 0.4 },
    { gpu: { id: L4, count: 2 } },
  ),
  pod(
    "the forms of the oldest bodies",
    {
      ...{ gpuTypeIds: undefined, gpuTypeId: L4, ports: "8080/http, 22/tcp", env: [{ key: "MODE", value: "test" }] },
      dockerArgs: "python app.py",
    },
    { ports: ["8080/http", "22/tcp"], env: { MODE: "test" }, args: "python app.py" },
  ),
  pod(
    "several GPU types",
    { gpuTypeIds: [L4, "NVIDIA A40", A5000], gpuTypePriority: "custom" },
    { gpuAlternatives: ["NVIDIA A40", A5000] },
    "gpuTypeIds",
  ),
  pod(
    "a lowest CUDA version, and minimums of the machine",
    { minCudaVersion: "12.4", minRAMPerGPU: 16, minVCPUPerGPU: 8 },
    { gpu: { id: L4, minCudaVersion: "12.4", minRamPerGpu: 16, minVcpuCountPerGpu: 8 } },
  ),
  pod(
    "both choices of CUDA versions",
    { allowedCudaVersions: ["12.8"], minCudaVersion: "12.4" },
    { gpu: { id: L4, allowedCudaVersions: ["12.8"] } },
    "minCudaVersion",
  ),
  pod(
    "a start command that needs quotes",
    { dockerStartCmd: ["bash", "-c", "echo 'hi' && sleep 1", ""] },
    { args: "bash -c 'echo '\\''hi'\\'' && sleep 1' ''" },
  ),
  pod(
    "what is empty or off",
    {
      ...{ dockerStartCmd: [], dockerEntrypoint: [], ports: [], containerRegistryAuthId: "", dataCenterIds: [] },
      ...{ interruptible: false, supportPublicIp: true },
    },
    { ports: [], dataCenterIds: [] },
  ),
  pod("an entrypoint", { dockerEntrypoint: ["bash"], dockerStartCmd: ["a b"] }, { entrypoint: ["bash"], cmd: ["a b"] }),
  pod("an entrypoint and a text", { dockerEntrypoint: ["sh"], dockerArgs: "a b" }, { args: "a b" }, "dockerEntrypoint"),
  pod("no container disk", { containerDiskInGb: 0 }, {}, "containerDiskInGb"),
  pod("storage of its own", { volumeInGb: 60, volumeMountPath: "/data" }, persistent(60, "/data")),
  pod("too small a storage", { volumeInGb: 5 }, persistent(10), "volumeInGb"),
  less(pod("no storage", { volumeInGb: 0 }, {}), "mounts"),
  pod(
    "a network volume",
    { networkVolumeId: "VOLUME", volumeMountPath: "/models", dataCenterIds: ["EU-RO-1"] },
    { ...onVolume("/models"), dataCenterIds: ["EU-RO-1"] },
  ),
  pod("a network volume, beside a size", { networkVolumeId: "VOLUME", volumeInGb: 20 }, onVolume("/workspace")),
  pod(
    "volumes of both kinds",
    {
      volumeMounts: [
        { volumeId: "VOLUME", volumeType: "NETWORK_VOLUME", mountPath: "/workspace" },
        { ...global, mountPath: "/global" },
      ],
    },
    { mounts: { ...onVolume("/workspace").mounts, global: [{ volumeId: "GLOBAL_VOLUME", path: "/global" }] } },
  ),
  pod(
    "a network volume in the community cloud",
    { networkVolumeId: "VOLUME", cloudType: "COMMUNITY" },
    { ...onVolume("/workspace"), cloud: "SECURE" },
    "cloudType",
  ),
  pod("a UDP port", { ports: ["53/udp", "22/tcp"] }, { ports: ["22/tcp"] }, "ports"),
  pod("an environment of numbers", { env: { PORT: 80 } }, {}, "env"),
  pod("the community cloud", community, { gpu: { id: A5000 }, cloud: "COMMUNITY" }),
  pod("any cloud", { cloudType: "ALL" }, { cloud: "SECURE" }, "cloudType"),
  pod(
    "a public address in the community cloud",
    { ...community, supportPublicIp: true },
    { gpu: { id: A5000 }, cloud: "COMMUNITY" },
    "supportPublicIp",
  ),
  pod("a spot pod", { interruptible: true }, {}, "interruptible"),
  pod("countries", { countryCodes: ["RO"] }, {}, "countryCodes"),
  pod(
    "minimums of its connection",
    { minDownloadMbps: 100, minUploadMbps: 100, minDiskBandwidthMBps: 500 },
    {},
    ...["minDiskBandwidthMBps", "minDownloadMbps", "minUploadMbps"],
  ),
  pod(
    "a stopped pod of an answer",
    {
      ...{ id: "xedezhzb9la3ye", desiredStatus: "EXITED", machineId: "m" },
      ...{ publicIp: "192.0.2.1", lastStartedAt: "2026-01-01" },
    },
    { desiredStatus: "EXITED" },
  ),
  pod("a running one, answered", { id: "xedezhzb9la3ye", desiredStatus: "RUNNING", portMappings: { "22": 10341 } }, {}),
  pod("a field that nobody knows", { gpuTypes: 1 }, {}, "gpuTypes"),
  less(
    pod(
      "a template, which brings the rest",
      { imageName: undefined, templateId: "POD_TEMPLATE", locked: false },
      { templateId: "POD_TEMPLATE", locked: false },
    ),
    ...["image", "disk", "ports", "mounts"],
  ),
  barePod("CPUs", { ...cpus, vcpuCount: 4 }, cpu(4)),
  barePod("CPUs by their flavor alone", { cpuFlavorIds: ["cpu5c"] }, { cpu: { id: "cpu5c", vcpuCount: 2 } }),
  barePod("several CPU flavors", { ...cpus, cpuFlavorIds: ["cpu3c", "cpu5c"] }, cpu(2), "cpuFlavorIds"),
  barePod("an odd number of CPUs", { ...cpus, vcpuCount: 3 }, cpu(4), "vcpuCount"),
  barePod(
    "CPUs with what only GPUs have",
    { ...cpus, volumeInGb: 20, allowedCudaVersions: ["12.4"], gpuCount: 1 },
    cpu(2),
    ...["allowedCudaVersions", "volumeInGb"],
  ),

  endpoint("with all that v1 added itself", {}, {}),
  endpoint("with models", { modelReferences: ["https://huggingface.co/acme/chat:main"] }, {}, "modelReferences"),
  endpoint(
    "workers, delay scaling, a time limit, flashboot, CUDA versions, data centers and a volume",
    {
      ...{ workersMin: 1, workersMax: 5, idleTimeout: 30, scalerType: "QUEUE_DELAY", scalerValue: 10 },
      ...{ executionTimeoutMs: 60_000, flashboot: true, allowedCudaVersions: ["12.4"] },
      ...{ dataCenterIds: ["EU-RO-1"], networkVolumeId: "VOLUME" },
    },
    {
      ...{ workers: { min: 1, max: 5, idleTimeout: 30 }, scaling: { type: "QUEUE_DELAY", queueDelay: 10 } },
      ...{ timeout: 60_000, flashboot: "FLASHBOOT", gpu: { pools: ["ADA_24"], allowedCudaVersions: ["12.4"] } },
      ...{ dataCenterIds: ["EU-RO-1"], networkVolumes: ["VOLUME"] },
    },
  ),
  endpoint("request scaling", { scalerType: "REQUEST_COUNT", scalerValue: 8 }, { ...byRequests(8), workers: bare }),
  endpoint(
    "request scaling with an idle timeout",
    { scalerType: "REQUEST_COUNT", scalerValue: 8, idleTimeout: 60 },
    { ...byRequests(8), workers: bare },
    "idleTimeout",
  ),
  endpoint("no flashboot", { flashboot: false }, { flashboot: "OFF" }),
  endpoint("flashboot by its name", { name: "chat -fb" }, { flashboot: "FLASHBOOT" }),
  endpoint("a whole pool", { gpuTypeIds: ["NVIDIA A40", "NVIDIA RTX A6000"] }, { gpu: { pools: ["AMPERE_48"] } }),
  endpoint(
    "types of several pools, in their order",
    { gpuTypeIds: ["NVIDIA H200", L4], gpuCount: 2 },
    { gpu: { pools: ["HOPPER_141", "AMPERE_24"], excludedTypes: [A5000, "NVIDIA GeForce RTX 3090"], count: 2 } },
    "gpuTypeIds",
  ),
  endpoint("a type without a pool beside another", { gpuTypeIds: [RTX, "NVIDIA A30"] }, {}, "gpuTypeIds"),
  endpoint(
    "pools and exclusions as one text",
    { gpuTypeIds: undefined, gpuIds: "AMPERE_16,-NVIDIA RTX A4500" },
    { gpu: { pools: ["AMPERE_16"], excludedTypes: ["NVIDIA RTX A4500"] } },
  ),
  less(
    endpoint(
      "CPUs",
      { gpuTypeIds: undefined, computeType: "CPU", cpuFlavorIds: ["cpu3c", "cpu5c"], vcpuCount: 4 },
      { cpu: ["cpu3c", "cpu5c"].map((id) => ({ id, vcpuCount: 4 })) },
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
  endpoint("a global volume", { volumes: [global] }, { globalVolumes: ["GLOBAL_VOLUME"] }),
  endpoint("countries", { locations: "RO,US" }, {}, "locations"),
  endpoint(
    "a load balancer",
    { type: "LB", scalerType: "REQUEST_COUNT", scalerValue: 2, idleTimeout: 60 },
    { type: "LOAD_BALANCER", ...byRequests(2), workers: { ...workers, idleTimeout: 60 } },
  ),
  endpoint(
    "a load balancer that scaled by delay",
    { type: "LB", scalerType: "QUEUE_DELAY", scalerValue: 2 },
    { type: "LOAD_BALANCER", ...byRequests(2) },
    "scalerType",
  ),
  endpoint(
    "an answer with its template inside",
    {
      ...{ id: "jpnw0v75y3qoql", userId: "u", version: 3, createdAt: "2026-01-01" },
      ...{ template: { imageName: image }, workers: [] },
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
    "credentials, command, category, disk and storage",
    {
      ...{ containerRegistryAuthId: "REGISTRY", dockerStartCmd: ["serve", "--port=80"], category: "AMD" },
      ...{ containerDiskInGb: 10, volumeInGb: 40, volumeMountPath: "/data" },
    },
    { registry: "REGISTRY", args: "serve --port=80", category: "AMD", disk: 10, ...persistent(40, "/data") },
  ),
  less(template("for serverless", { isServerless: true }, { serverless: true }), "mounts", "ports"),
  less(
    template("storage of serverless", { isServerless: true, volumeInGb: 20 }, { serverless: true }, "volumeInGb"),
    ...["mounts", "ports"],
  ),
  template("a readme", { readme: "# Hello", dockerEntrypoint: ["sh"] }, { entrypoint: ["sh"] }, "readme"),
  less(template("for CPUs", { category: "CPU", volumeInGb: 20 }, { category: "CPU" }, "volumeInGb"), "mounts"),
  template("of an answer", { id: "30zmvf89kd", isRunpod: false, earned: 0, runtimeInMin: 0 }, {}),

  volume("a volume", { name: "models", size: 100 }, { name: "models", size: 100 }),
  volume("a small volume", { id: "agv6w2qcg7", name: "v", size: 5 }, { name: "v", size: 10 }, "size"),
  {
    title: "credentials",
    kind: "Registry",
    body: { name: "hub", username: "ci", password: "change-me" },
    args: { name: "hub", username: "ci", password: "change-me" },
    warns: ["password"],
  },
];
