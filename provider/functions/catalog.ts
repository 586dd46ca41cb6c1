import { answers } from "../../client";
import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";
import { defineFunction, id } from "./definition";

const { Template } = answers.templates();
const catalog = answers.catalog();

const availability = z
  .array(z.enum(["AVAILABILITY"]))
  .optional()
  .describe("Adds what is free now. Needs `product`.");

const gpuFilters = {
  include: availability,
  product: z
    .array(z.enum(["POD", "CLUSTER", "SERVERLESS"]))
    .min(1)
    .optional()
    .describe("What the GPU is for; availability differs between them. Needs `include`."),
  count: z.int().min(1).optional().describe("GPUs in one pod, for the availability. Default 1. Needs `include`."),
  cloud: z
    .enum(["SECURE", "COMMUNITY"])
    .optional()
    .describe("Cloud that the machines belong to. Default: SECURE. Needs `include`."),
  countryCodes: z
    .array(z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166 country code such as FR"))
    .optional()
    .describe("Only what can be placed in one of these countries (ISO 3166, two capitals). Needs `include`."),
  cudaVersions: z
    .array(z.string().regex(/^\d+\.\d+$/, "must be major.minor, such as 12.8"))
    .optional()
    .describe("Exact CUDA versions, as major.minor. Excludes `minCudaVersion`. Needs `include`."),
  minCudaVersion: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be major or major.minor, such as 12 or 12.8")
    .optional()
    .describe("Lowest CUDA version, as major or major.minor. Excludes `cudaVersions`. Needs `include`."),
};

const cpuFilters = {
  include: availability,
  product: z
    .array(z.enum(["POD", "SERVERLESS"]))
    .min(1)
    .optional()
    .describe("What the CPU is for; availability differs between them. Needs `include`."),
  vcpuCount: z
    .int()
    .min(2)
    .refine((count) => Number.isInteger(Math.log2(count)), "must be a power of two")
    .optional()
    .describe("vCPUs in one instance, for the availability: a power of two. Needs `include`."),
};

const dataCenterInclude = z
  .array(z.enum(["GPU_AVAILABILITY", "CPU_AVAILABILITY"]))
  .optional()
  .describe("Adds which GPUs or CPUs are free in each data center.");

const gpuArgs = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z
    .strictObject({ ...shape, ...gpuFilters })
    .superRefine(onlyWithAvailability)
    .refine(({ cudaVersions, minCudaVersion }: Filters) => cudaVersions === undefined || minCudaVersion === undefined, {
      path: ["minCudaVersion"],
      message: "excludes cudaVersions; give one of them",
    });
const cpuArgs = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject({ ...shape, ...cpuFilters }).superRefine(onlyWithAvailability);

type Filters = Readonly<Record<string, unknown>>;

/** The service refuses `include` or `product` without the other, and the filters without both. */
function onlyWithAvailability({ id: _, include, ...filters }: Filters, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (Array.isArray(include) && include.length > 0) {
    if (filters.product === undefined) issue("product", "is required with include: say what the hardware is for");
    return;
  }
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) issue(name, 'needs include: ["AVAILABILITY"]');
  }
}

const GpuType = named("GpuType", catalog.GpuType);
const CpuType = named("CpuType", catalog.CpuType);
const DataCenter = named("DataCenter", catalog.DataCenter);

export const getGpuTypes = defineFunction({
  description: "GPU types with their prices and, on request, what is free now.",
  args: gpuArgs({}),
  result: z.object({ gpus: z.array(GpuType).describe("All GPU types of the catalog that `countryCodes` allows.") }),
  call: async (client, query, { signal }) => ({ gpus: await client.catalog.gpus(query, { signal }) }),
});

export const getGpuType = defineFunction({
  description: "A GPU type with its price and, on request, what is free now. Fails if the catalog has no such type.",
  args: gpuArgs({ id: id("GPU type, such as `NVIDIA GeForce RTX 4090`") }),
  result: GpuType,
  call: (client, { id, ...query }, { signal }) => client.catalog.gpu(id, query, { signal }),
});

export const getCpuTypes = defineFunction({
  description: "CPU flavors with their prices and, on request, what is free now.",
  args: cpuArgs({}),
  result: z.object({ cpus: z.array(CpuType).describe("All CPU flavors of the catalog.") }),
  call: async (client, query, { signal }) => ({ cpus: await client.catalog.cpus(query, { signal }) }),
});

export const getCpuType = defineFunction({
  description:
    "A CPU flavor with its price and, on request, what is free now. Fails if the catalog has no such flavor.",
  args: cpuArgs({ id: id("CPU flavor, such as `cpu5c`") }),
  result: CpuType,
  call: (client, { id, ...query }, { signal }) => client.catalog.cpu(id, query, { signal }),
});

/** Any text, because the service adds values without notice. */
const values = z.array(z.string().min(1)).optional();

export const getDataCenters = defineFunction({
  description: "Data centers with their region, storage tiers, certificates and, on request, what is free now.",
  args: z.strictObject({
    include: dataCenterInclude,
    regions: values.describe("Only data centers in one of these regions, such as EUROPE. Default: any."),
    networkVolumeTypes: values.describe(
      "Only data centers with all of these storage tiers: STANDARD, HIGH_PERFORMANCE. Default: any.",
    ),
    compliance: values.describe("Only data centers with all of these certificates, such as GDPR. Default: any."),
    globalNetwork: z
      .boolean()
      .optional()
      .describe("Only data centers with (true) or without (false) global networking. Default: all."),
  }),
  result: z.object({ dataCenters: z.array(DataCenter).describe("The data centers that match all arguments.") }),
  call: async (client, query, { signal }) => ({ dataCenters: await client.catalog.dataCenters(query, { signal }) }),
});

export const getDataCenter = defineFunction({
  description: "A data center with, on request, what is free there now. Fails if the catalog has no such data center.",
  args: z.strictObject({ id: id("data center, such as `EU-RO-1`"), include: dataCenterInclude }),
  result: DataCenter,
  call: (client, { id, ...query }, { signal }) => client.catalog.dataCenter(id, query, { signal }),
});

const PublicTemplate = named(
  "PublicTemplateInfo",
  Template.extend({
    env: Template.shape.env.describe("Environment variables."),
    registry: Template.shape.registry.describe(
      "Id of the credentials that pull the image. Null unless they belong to this account.",
    ),
  }),
);

export const getPublicTemplates = defineFunction({
  description: "Public templates of one source, at most 100.",
  args: z.strictObject({
    source: z
      .enum(["official", "verified", "community"])
      .optional()
      .describe("Publisher of the templates. Default: official."),
  }),
  result: z.object({ templates: z.array(PublicTemplate).describe("Templates of that source.") }),
  call: async (client, query, { signal }) => ({ templates: await client.catalog.templates({ ...query, signal }) }),
});
