import { container, cuda, instances, isOnCpus, vcpus } from "./container";
import { Fields, stated } from "./fields";
import { poolsOf } from "./pools";

/** v1's defaults. v2's defaults differ, or do not exist. */
const DEFAULTS = {
  timeout: 600_000,
  idleTimeout: 5,
  min: 0,
  max: 3,
  scalerType: "QUEUE_DELAY",
  scalerValue: 4,
} as const;

const COMPUTED = ["createdAt", "id", "userId", "version", "workers", "workersStandby", "pods", "aiKey", "computeType"];

/** A name with this suffix turned FlashBoot on. */
const FLASHBOOT_SUFFIX = / ?-fb$/;

export function endpoint(fields: Fields): Record<string, unknown> {
  fields.ignore(...COMPUTED);
  fields.lost("modelReferences", "REST has no cached models: declare them as models of a ServerlessEndpoint");
  const type = fields.isUpdate ? undefined : typeOf(fields);
  const name = fields.text("name");
  const scaling = scalingOf(fields, type);
  const templateId = fields.text("templateId");
  const inline = inlineTemplate(fields, templateId);
  return stated({
    name: name?.replace(FLASHBOOT_SUFFIX, ""),
    type,
    templateId,
    ...inline,
    env: fields.variables("env") ?? inline.env,
    ...(isOnCpus(fields) ? cpu(fields) : gpu(fields)),
    workers: workersOf(fields, type, scaling),
    scaling,
    dataCenterIds: places(fields),
    networkVolumes: volumes(fields),
    globalVolumes: fields.objects("volumes")?.map(({ volumeId }) => volumeId),
    timeout: fields.integer("executionTimeoutMs") ?? (fields.isUpdate ? undefined : DEFAULTS.timeout),
    flashboot: flashbootOf(fields, name),
  });
}

function typeOf(fields: Fields): string {
  const type = fields.text("type");
  return type === "LB" || type === "LOAD_BALANCER" ? "LOAD_BALANCER" : "QUEUE";
}

/** The settings of a template inside the endpoint. With a `templateId` they are ignored: v1's answers repeat that template. */
function inlineTemplate(fields: Fields, templateId: string | undefined): Record<string, unknown> {
  const template = fields.object("template");
  if (templateId !== undefined) return {};
  if (template === undefined) {
    if (!fields.isUpdate) fields.warn("templateId", "v2 needs an image, or a template: name it in image or templateId");
    return {};
  }
  const inner = new Fields(template, fields.isUpdate, "template.");
  inner.ignore("name", "id", "volumeInGb", "volumeMountPath", "isServerless", "isPublic", "category", "readme");
  const settings = container(inner);
  fields.warnings.push(...inner.finish());
  return settings;
}

function gpu(fields: Fields): Record<string, unknown> {
  fields.ignore("cpuFlavorIds", "vcpuCount", "instanceIds");
  const types = fields.list("gpuTypeIds") ?? [];
  const named = fields.list("gpuIds") ?? [];
  const count = fields.integer("gpuCount");
  const versions = cuda(fields);
  const choice =
    types.length > 0
      ? poolsOf(types)
      : {
          pools: named.filter((id) => !id.startsWith("-")),
          excludedTypes: named.filter((id) => id.startsWith("-")).map((id) => id.slice(1).trim()),
          unplaced: [],
        };
  if (choice.unplaced.length > 0)
    fields.warn(
      "gpuTypeIds",
      `v2 takes pools, and the one of ${choice.unplaced.join(", ")} is not known here: name it in gpu.pools`,
    );
  if (types.length > 0 && choice.excludedTypes.length > 0)
    fields.warn(
      "gpuTypeIds",
      "v2 takes pools: their other types are in gpu.excludedTypes, but types that a pool gets later are used",
    );
  if (choice.pools.length === 0 && !fields.isUpdate && types.length === 0)
    fields.warn("gpuTypeIds", "v1 took any GPU type, v2 needs a pool: name it in gpu.pools");
  const gpu = stated({
    pools: choice.pools.length > 0 ? choice.pools : undefined,
    excludedTypes: choice.excludedTypes.length > 0 ? choice.excludedTypes : undefined,
    count,
    ...versions,
  });
  return Object.keys(gpu).length > 0 && (fields.isUpdate || choice.pools.length > 0) ? { gpu } : {};
}

function cpu(fields: Fields): Record<string, unknown> {
  fields.ignore("gpuTypeIds", "gpuCount", "gpuIds");
  fields.lost("allowedCudaVersions", "CPU workers have no CUDA versions");
  fields.lost("minCudaVersion", "CPU workers have no CUDA version");
  const flavors = fields.list("cpuFlavorIds") ?? [];
  const vcpuCount = flavors.length > 0 ? vcpus(fields) : undefined;
  fields.ignore("vcpuCount");
  const cpu = vcpuCount === undefined ? instances(fields) : flavors.map((id) => ({ id, vcpuCount }));
  fields.ignore("instanceIds");
  if (cpu.length > 0) return { cpu };
  fields.warn("cpuFlavorIds", "v1 took any CPU flavor, v2 needs one: name it in cpu");
  return {};
}

function scalingOf(fields: Fields, type: string | undefined): Record<string, unknown> | undefined {
  const scaler = fields.text("scalerType");
  const scalerValue = fields.integer("scalerValue");
  if (fields.isUpdate && (scaler === undefined || scalerValue === undefined)) {
    if (scaler !== undefined || scalerValue !== undefined)
      fields.warn("scalerType", "v2 takes scalerType and scalerValue together, in scaling: they are left out");
    return undefined;
  }
  const value = scalerValue ?? DEFAULTS.scalerValue;
  const kind = scaler ?? DEFAULTS.scalerType;
  if (type === "LOAD_BALANCER" && kind !== "REQUEST_COUNT")
    fields.warn("scalerType", "v2 scales load balancers by REQUEST_COUNT: it is taken");
  return kind === "REQUEST_COUNT" || type === "LOAD_BALANCER"
    ? { type: "REQUEST_COUNT", requestCount: Math.max(1, value) }
    : { type: "QUEUE_DELAY", queueDelay: Math.max(1, value) };
}

function workersOf(
  fields: Fields,
  type: string | undefined,
  scaling: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  const idleTimeout = fields.integer("idleTimeout");
  const takesIdle = scaling?.type !== "REQUEST_COUNT" || type === "LOAD_BALANCER";
  if (!takesIdle && idleTimeout !== undefined)
    fields.warn("idleTimeout", "v2 takes none for a queue that scales by REQUEST_COUNT: it is left out");
  const fallback = fields.isUpdate ? undefined : DEFAULTS;
  const workers = stated({
    min: fields.integer("workersMin") ?? fallback?.min,
    max: fields.integer("workersMax") ?? fallback?.max,
    idleTimeout: takesIdle ? (idleTimeout ?? fallback?.idleTimeout) : undefined,
  });
  return Object.keys(workers).length > 0 ? workers : undefined;
}

/** The data centers. The oldest bodies list countries in `locations` too, which v2 does not take. */
function places(fields: Fields): string[] | undefined {
  const ids = fields.list("dataCenterIds");
  const locations = fields.list("locations") ?? [];
  const countries = locations.filter((place) => /^[A-Z]{2}$/.test(place));
  if (countries.length > 0)
    fields.warn("locations", "v2 places by data center: name those of these countries in dataCenterIds");
  const others = locations.filter((place) => !countries.includes(place));
  return ids ?? (others.length > 0 ? others : undefined);
}

function volumes(fields: Fields): string[] | undefined {
  const all = [...new Set([fields.text("networkVolumeId") ?? [], fields.list("networkVolumeIds") ?? []].flat())];
  return all.length > 0 ? all : undefined;
}

function flashbootOf(fields: Fields, name: string | undefined): string | undefined {
  const mode = fields.text("flashBootType");
  const isOn = fields.flag("flashboot");
  if (mode !== undefined) return mode;
  if (isOn !== undefined) return isOn ? "FLASHBOOT" : "OFF";
  return name !== undefined && FLASHBOOT_SUFFIX.test(name) ? "FLASHBOOT" : undefined;
}
