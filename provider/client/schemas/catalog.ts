import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { open } from "./common";

const Availability = open(["NONE", "LOW", "MEDIUM", "HIGH"]);
const Offer = z.object({
  id: z.string(),
  name: z.string(),
  availability: Availability.describe("How much of it is free now."),
});
const offers = (text: string) => z.array(Offer).optional().describe(`${text} With \`include\` only.`);
const CloudPrices = z.object({ secure: z.number(), community: z.number(), serverless: z.number().optional() });

export const GpuType = z.object({
  id: z.string(),
  name: z.string(),
  pool: z.string().nullable().describe("Serverless pool that holds it."),
  manufacturer: open(["NVIDIA", "AMD", "UNKNOWN"]),
  memory: z.int().describe("GB."),
  secure: z.boolean().describe("Whether the SECURE cloud offers it."),
  community: z.boolean().describe("Whether the COMMUNITY cloud offers it."),
  price: CloudPrices.describe("USD an hour for one GPU."),
  maxCount: z
    .object({ secure: z.int(), community: z.int() })
    .describe("Most GPUs in one pod: a ceiling, not the stock."),
  availability: Availability.optional().describe("With `include` only."),
  dataCenters: offers("Where it is offered."),
  cudaVersions: z
    .array(z.object({ version: z.string(), available: z.boolean() }))
    .optional()
    .describe("With `include` only."),
});
export type GpuType = Tolerant<z.infer<typeof GpuType>>;
export const ListGpuTypes = z.object({ gpus: z.array(GpuType) });

export const CpuType = z.object({
  id: z.string(),
  name: z.string(),
  group: z.string(),
  vcpu: z.object({ min: z.int(), max: z.int() }).describe("vCPUs of one instance."),
  ramGbPerVcpu: z.number(),
  price: z.object({ securePerVcpu: z.number(), serverlessPerVcpu: z.number() }).describe("USD an hour for one vCPU."),
  availability: Availability.optional().describe("With `include` only."),
  dataCenters: offers("Where it is offered."),
});
export type CpuType = Tolerant<z.infer<typeof CpuType>>;
export const ListCpuTypes = z.object({ cpus: z.array(CpuType) });

const Region = open([
  "NORTH_AMERICA",
  "SOUTH_AMERICA",
  "EUROPE",
  "ASIA",
  "MIDDLE_EAST",
  "AFRICA",
  "OCEANIA",
  "ANTARCTICA",
  "UNKNOWN",
]);
const Compliance = open([
  "GDPR",
  "ISO_IEC_27001",
  "ISO_14001",
  "PCI_DSS",
  "HITRUST",
  "SOC_1_TYPE_2",
  "SOC_2_TYPE_2",
  "SOC_3_TYPE_2",
  "ITAR",
  "FISMA_HIGH",
  "HIPAA",
  "RENEWABLE",
]);
const VolumeType = open(["STANDARD", "HIGH_PERFORMANCE"]);

export const DataCenter = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  globalNetwork: z.boolean().describe("Whether pods can be given an address in the account's own network."),
  networkVolumeTypes: z.array(VolumeType),
  compliance: z.array(Compliance),
  gpuAvailability: offers("GPU types that it offers."),
  cpuAvailability: offers("CPU flavors that it offers."),
});
export type DataCenter = Tolerant<z.infer<typeof DataCenter>>;
export const ListDataCenters = z.object({ dataCenters: z.array(DataCenter) });

const availabilityQuery = { include: z.array(z.enum(["AVAILABILITY"])).optional() };

export const GpuQuery = z.strictObject({
  ...availabilityQuery,
  /** Goes with `include`, and `include` with it. */
  product: z.array(z.enum(["POD", "CLUSTER", "SERVERLESS"])).optional(),
  count: z.int().optional(),
  cloud: z.enum(["SECURE", "COMMUNITY"]).optional(),
  countryCodes: z.array(z.string()).optional(),
  cudaVersions: z.array(z.string()).optional(),
  minCudaVersion: z.string().optional(),
});
export type GpuQuery = z.infer<typeof GpuQuery>;

export const CpuQuery = z.strictObject({
  ...availabilityQuery,
  product: z.array(z.enum(["POD", "SERVERLESS"])).optional(),
  vcpuCount: z.int().optional(),
});
export type CpuQuery = z.infer<typeof CpuQuery>;

export const DataCenterInclude = z.strictObject({
  include: z.array(z.enum(["GPU_AVAILABILITY", "CPU_AVAILABILITY"])).optional(),
});
export type DataCenterInclude = z.infer<typeof DataCenterInclude>;

export const DataCenterQuery = z.strictObject({
  ...DataCenterInclude.shape,
  regions: z.array(Region).optional(),
  networkVolumeTypes: z.array(VolumeType).optional(),
  compliance: z.array(Compliance).optional(),
  globalNetwork: z.boolean().optional(),
});
export type DataCenterQuery = z.infer<typeof DataCenterQuery>;

export const PublicTemplateQuery = z.strictObject({ source: z.enum(["official", "verified", "community"]).optional() });
export type PublicTemplateQuery = z.infer<typeof PublicTemplateQuery>;
