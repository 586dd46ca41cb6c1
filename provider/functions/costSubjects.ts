import { z } from "zod";
import { named } from "../lifecycle/fields";
import { MOST_WORKERS } from "../resources/defaults";

const gpuCount = z.int().min(1).default(1).describe("GPUs of one pod or worker.");
const cpu = z.looseObject({ id: z.string().describe("CPU flavor."), vcpuCount: z.int() });
const disk = z.int().min(1).optional().describe("Container disk, GB. Left out of the estimate where it is not given.");
const mounts = z
  .looseObject({ persistent: z.looseObject({ size: z.int().describe("GB.") }).optional() })
  .optional()
  .describe("A network volume is priced as a volume of its own.");

// Loose, so that a program can hand over the very arguments that it declares the resource with.
const subjects = {
  pod: named(
    "PodToEstimate",
    z.looseObject({
      gpu: z.looseObject({ id: z.string().describe("GPU type."), count: gpuCount }).optional(),
      cpu: cpu.optional(),
      cloud: z.enum(["SECURE", "COMMUNITY"]).default("SECURE").describe("Whose machines."),
      disk,
      mounts,
      desiredStatus: z.enum(["RUNNING", "EXITED"]).default("RUNNING").describe("A stopped pod pays for its storage."),
    }),
  )
    .optional()
    .describe("Arguments of a pod."),
  cluster: named(
    "ClusterToEstimate",
    z.looseObject({
      compute: z.looseObject({
        gpuTypeId: z.string(),
        gpuCountPerPod: z.int().min(1),
        podCount: z.int().min(1),
      }),
      disk,
      mounts,
    }),
  )
    .optional()
    .describe("Arguments of a cluster. What its network costs is not published, and not part of the estimate."),
  endpoint: named(
    "EndpointToEstimate",
    z.looseObject({
      gpuIds: z.string().optional().describe("GPU pools, comma separated; the first one is priced."),
      gpuCount,
      workersMin: z.int().min(0).default(0).describe("Workers that are always on."),
      workersMax: z.int().min(0).default(MOST_WORKERS).describe("Most workers at a time."),
      gpu: z
        .looseObject({ pools: z.array(z.string()).min(1), count: gpuCount })
        .optional()
        .describe("Instead of `gpuIds`, as a serverless container has it."),
      cpu: z.array(cpu).min(1).optional().describe("CPU workers; the first one is priced."),
      workers: z
        .looseObject({ min: z.int().min(0).default(0), max: z.int().min(0).default(MOST_WORKERS) })
        .optional()
        .describe("Instead of `workersMin` and `workersMax`."),
      disk,
    }),
  )
    .optional()
    .describe("Arguments of a serverless endpoint."),
  networkVolume: named(
    "NetworkVolumeToEstimate",
    z.looseObject({
      size: z.int().min(1).describe("GB."),
      type: z
        .enum(["STANDARD", "HIGH_PERFORMANCE"])
        .default("STANDARD")
        .describe("Only the price of STANDARD is published."),
    }),
  )
    .optional()
    .describe("Arguments of a network volume."),
};

/** One of them. */
export const costArguments = z
  .strictObject(subjects)
  .refine((given) => Object.values(given).filter(Boolean).length === 1, {
    message: `give one of ${Object.keys(subjects).join(", ")}`,
  });
export type Estimated = z.output<typeof costArguments>;

export const Item = named(
  "CostItem",
  z.object({
    name: z.string().describe("What is paid for, such as a GPU type."),
    quantity: z.number().describe("How many of it run at least."),
    maxQuantity: z.number().describe("How many of it run at most."),
    unit: z.string().describe("GPU, vCPU or GB."),
    unitPricePerHour: z.number().describe("USD."),
  }),
);
export type Item = z.output<typeof Item>;
