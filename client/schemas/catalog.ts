import { z } from "../../common/zod";
import type { Tolerant } from "../values/tolerant";
import { idOf, open } from "./common";

const Availability = open(["NONE", "LOW", "MEDIUM", "HIGH"]);
const title = z.string().describe("Display name.");
const included = Availability.optional().describe("How much of it is free now; absent without `include`.");
const offers = (id: z.ZodString, text: string) =>
  z
    .array(z.object({ id, name: title, availability: Availability.describe("How much is free there now.") }))
    .optional()
    .describe(`${text}; absent without \`include\`, and where there is none.`);

const gpuTypeId = idOf("GPU type", "`gpu.id` of a pod");
const cpuFlavorId = idOf("CPU flavor", "`cpu.id` of a pod or endpoint");
const dataCenterId = idOf("data center", "`dataCenterIds` of a pod or endpoint");
const offeredAt = offers(dataCenterId, "Data centers that offer it");

export const GpuType = z.object({
  id: gpuTypeId,
  name: title,
  pool: z.string().nullable().describe("Serverless pool that holds it, as endpoints take it; null: none."),
  manufacturer: open(["NVIDIA", "AMD", "UNKNOWN"]).describe("Who makes it."),
  memory: z.int().describe("Memory of one GPU in GB."),
  secure: z.boolean().describe("Whether the SECURE cloud offers it."),
  community: z.boolean().describe("Whether the COMMUNITY cloud offers it."),
  price: z
    .object({
      secure: z.number().describe("For a pod in the SECURE cloud, in USD an hour for one GPU."),
      community: z.number().describe("For a pod in the COMMUNITY cloud, in USD an hour for one GPU."),
      serverless: z
        .number()
        .optional()
        .describe("For a serverless worker, in USD an hour for one GPU; absent where no pool holds it."),
    })
    .describe("List prices, without a discount of the account."),
  maxCount: z
    .object({
      secure: z.int().describe("In the SECURE cloud."),
      community: z.int().describe("In the COMMUNITY cloud."),
    })
    .describe("Most GPUs in one pod: a ceiling, not the stock."),
  availability: included,
  dataCenters: offeredAt,
  cudaVersions: z
    .array(
      z.object({
        version: z.string().describe("The version, as major.minor."),
        available: z.boolean().describe("Whether a machine with it is free now."),
      }),
    )
    .optional()
    .describe("CUDA versions of machines that have it; absent without `include`, and where none is known."),
});
export type GpuType = Tolerant<z.infer<typeof GpuType>>;

export const CpuType = z.object({
  id: cpuFlavorId,
  name: title,
  group: z.string().describe("Generation of CPUs that it belongs to."),
  vcpu: z
    .object({ min: z.int().describe("Fewest vCPUs."), max: z.int().describe("Most vCPUs.") })
    .describe("How many vCPUs one pod or worker can have."),
  ramGbPerVcpu: z.number().describe("Memory in GB that comes with each vCPU; may be a fraction."),
  price: z
    .object({
      securePerVcpu: z.number().describe("For a pod in the SECURE cloud, in USD an hour for one vCPU."),
      serverlessPerVcpu: z.number().describe("For a serverless worker, in USD an hour for one vCPU."),
    })
    .describe("List prices."),
  availability: included,
  dataCenters: offeredAt,
});
export type CpuType = Tolerant<z.infer<typeof CpuType>>;

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
  id: dataCenterId,
  name: title,
  region: Region.describe("Part of the world that it is in."),
  globalNetwork: z.boolean().describe("Whether pods can be given an address in the account's own network."),
  networkVolumeTypes: z.array(VolumeType).describe("Storage tiers of the network volumes that it offers; empty: none."),
  compliance: z.array(Compliance).describe("Certificates that it holds."),
  gpuAvailability: offers(gpuTypeId, "GPU types that it offers"),
  cpuAvailability: offers(cpuFlavorId, "CPU flavors that it offers"),
});
export type DataCenter = Tolerant<z.infer<typeof DataCenter>>;

const availabilityQuery = { include: z.array(z.enum(["AVAILABILITY"])).optional() };

export const GpuQuery = z.strictObject({
  ...availabilityQuery,
  /** Required with `include`, and only valid with it. */
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
