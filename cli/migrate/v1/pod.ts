import { container, cuda, isOnCpus, persistentMount, V1_DEFAULTS, vcpus } from "./container";
import { type Fields, stated } from "./fields";

/** Fields of v1's answers that the service sets. */
const COMPUTED = (
  "adjustedCostPerHr aiApiKey aiApiId consumerUserId costPerHr createdAt endpointId id lastStartedAt " +
  "lastStatusChange machine machineId memoryInGb networkVolume podType portMappings publicIp savingsPlans " +
  "slsVersion template uptimeSeconds userId volumeEncrypted"
).split(" ");

export function pod(fields: Fields): Record<string, unknown> {
  fields.ignore(...COMPUTED, "dataCenterPriority");
  fields.lost("interruptible", "v2 has no spot pods: this one is not interrupted, and costs the full price");
  fields.lost("bidPerGpu", "v2 has no spot pods, and no bids");
  fields.lost("countryCodes", "v2 places by data center: name those of these countries in dataCenterIds");
  for (const floor of ["minDiskBandwidthMBps", "minDownloadMbps", "minUploadMbps"])
    fields.lost(floor, "v2 asks for no such minimum");
  const templateId = fields.text("templateId");
  const addsDefaults = !fields.isUpdate && templateId === undefined;
  const onCpus = isOnCpus(fields);
  const compute = onCpus ? cpu(fields) : gpu(fields);
  const cloud = cloudOf(fields);
  const mounts = mountsOf(fields, onCpus, addsDefaults);
  const needsSecure = mounts !== undefined && "network" in mounts && cloud === "COMMUNITY";
  if (needsSecure) fields.warn("cloudType", "v2 mounts network volumes in the SECURE cloud only: SECURE is taken");
  return stated({
    name: fields.text("name"),
    ...container(fields, addsDefaults ? V1_DEFAULTS : {}),
    templateId,
    ...compute,
    cloud: needsSecure ? "SECURE" : cloud,
    dataCenterIds: fields.list("dataCenterIds", "dataCenterId"),
    mounts,
    globalNetworking: fields.flag("globalNetworking"),
    startSsh: fields.flag("startSsh"),
    startJupyter: fields.flag("startJupyter"),
    locked: fields.flag("locked"),
    desiredStatus: status(fields),
  });
}

function gpu(fields: Fields): Record<string, unknown> {
  fields.ignore("cpuFlavorIds", "cpuFlavorPriority", "vcpuCount");
  // v1's answers show the actual GPU in `gpu`.
  const actualGpu = fields.object("gpu");
  const actualId = typeof actualGpu?.id === "string" ? [actualGpu.id] : undefined;
  const actualCount = typeof actualGpu?.count === "number" ? actualGpu.count : undefined;
  const [id, ...others] = fields.list("gpuTypeIds", "gpuTypeId") ?? actualId ?? [];
  const count = fields.integer("gpuCount") ?? actualCount;
  const versions = cuda(fields);
  const floors = fields.isUpdate
    ? lostFloors(fields, "v2 takes it for a new pod only")
    : { minRamPerGpu: fields.integer("minRAMPerGPU"), minVcpuCountPerGpu: fields.integer("minVCPUPerGPU") };
  fields.ignore("gpuTypePriority");
  if (id === undefined) {
    if (!fields.isUpdate) fields.warn("gpuTypeIds", "v1 took any GPU type, v2 needs one: name it in gpu.id");
    return {};
  }
  if (others.length > 0)
    fields.warn(
      "gpuTypeIds",
      "v2 takes one GPU type: the others are in gpuAlternatives, which are tried in this order whatever gpuTypePriority said",
    );
  return stated({
    gpu: stated({ id, count, ...versions, ...floors }),
    gpuAlternatives: others.length > 0 ? others : undefined,
  });
}

function lostFloors(fields: Fields, why: string): object {
  fields.lost("minRAMPerGPU", why);
  fields.lost("minVCPUPerGPU", why);
  return {};
}

function cpu(fields: Fields): Record<string, unknown> {
  lostFloors(fields, "a CPU pod has no GPUs");
  fields.ignore("gpuTypeIds", "gpuCount", "gpuTypePriority", "gpu", "cpuFlavorPriority");
  fields.lost("allowedCudaVersions", "a CPU pod has no CUDA versions");
  fields.lost("minCudaVersion", "a CPU pod has no CUDA version");
  const [id, ...others] = fields.list("cpuFlavorIds") ?? [];
  const vcpuCount = vcpus(fields);
  if (id === undefined) {
    fields.warn("cpuFlavorIds", "v1 took any CPU flavor, v2 needs one: name it in cpu.id");
    return {};
  }
  if (others.length > 0) fields.warn("cpuFlavorIds", `v2 takes one CPU flavor: ${id}, without ${others.join(", ")}`);
  return { cpu: { id, vcpuCount } };
}

function cloudOf(fields: Fields): string | undefined {
  const cloud = fields.text("cloudType");
  const wantsIp = fields.flag("supportPublicIp");
  if (wantsIp === true && cloud !== undefined && cloud !== "SECURE")
    fields.warn("supportPublicIp", "v2 can't ask for a public address; pods of the SECURE cloud have one");
  if (cloud === undefined || cloud === "SECURE" || cloud === "COMMUNITY") return cloud;
  fields.warn("cloudType", "v2 takes SECURE or COMMUNITY: SECURE is taken");
  return "SECURE";
}

function mountsOf(fields: Fields, onCpus: boolean, addsDefaults: boolean): Record<string, unknown> | undefined {
  const volumes = fields.objects("volumeMounts") ?? [];
  const mountsOfType = (type: string) =>
    volumes
      .filter(({ volumeType }) => volumeType === type)
      .map(({ volumeId, mountPath = V1_DEFAULTS.volumeMountPath }) => ({ volumeId, path: mountPath }));
  const volumeId = fields.text("networkVolumeId");
  const network =
    volumeId === undefined
      ? mountsOfType("NETWORK_VOLUME")[0]
      : { volumeId, path: fields.text("volumeMountPath") ?? V1_DEFAULTS.volumeMountPath };
  if (network !== undefined) fields.ignore("volumeInGb");
  const fallback = addsDefaults ? V1_DEFAULTS.volumeInGb : undefined;
  const others = network === undefined ? persistentMount(fields, onCpus, fallback) : { network: [network] };
  const global = mountsOfType("OBJECT_STORE_VOLUME");
  return global.length === 0 ? others : { ...others, global };
}

function status(fields: Fields): string | undefined {
  const wanted = fields.text("desiredStatus");
  if (wanted === "TERMINATED") fields.warn("desiredStatus", "the pod is gone: leave it out of the program");
  return wanted === "EXITED" ? wanted : undefined;
}
