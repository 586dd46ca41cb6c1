import { MOST_WORKERS } from "../../common/defaults";
import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";

const gpuCount = z.int().min(1).default(1).describe("GPUs of one pod or worker.");
const cpu = z.looseObject({
  id: z.string().describe("CPU flavor."),
  vcpuCount: z.int().describe("vCPUs of one pod or worker."),
});
const disk = z
  .int()
  .min(1)
  .optional()
  .describe("Container disk, GB. Default: none, which leaves the disk out of the estimate.");
const mounts = z
  .looseObject({
    persistent: z
      .looseObject({ size: z.int().describe("Size in GB.") })
      .optional()
      .describe("Storage of the pod's machine. Default: none."),
  })
  .optional()
  .describe("A network volume is priced as a volume of its own.");

const gpuAlternatives = z
  .array(z.string())
  .optional()
  .describe("GPU types to try when the first one is not available. At most, the most expensive one is billed.");

const leastWorkers = z.int().min(0).default(0).describe("Workers that are always on.");
const mostWorkers = z.int().min(0).default(MOST_WORKERS).describe("Most workers at a time.");

// Loose, so that a program can pass the arguments of the resource unchanged.
const subjects = {
  pod: named(
    "PodToEstimate",
    z.looseObject({
      gpu: z
        .looseObject({ id: z.string().describe("GPU type."), count: gpuCount })
        .optional()
        .describe("Exactly one of `gpu` and `cpu`."),
      gpuAlternatives,
      cpu: cpu.optional().describe("Exactly one of `gpu` and `cpu`."),
      cloud: z.enum(["SECURE", "COMMUNITY"]).default("SECURE").describe("Cloud that the machines belong to."),
      disk,
      mounts,
      desiredStatus: z
        .enum(["RUNNING", "EXITED"])
        .default("RUNNING")
        .describe("A stopped pod is billed for its storage only."),
    }),
  )
    .optional()
    .describe("Arguments of a pod."),
  cluster: named(
    "ClusterToEstimate",
    z.looseObject({
      compute: z
        .looseObject({
          gpuTypeId: z.string().describe("GPU type."),
          gpuCountPerPod: z.int().min(1).describe("GPUs of each pod."),
          podCount: z.int().min(1).describe("How many pods."),
        })
        .describe("Hardware of the cluster."),
      gpuAlternatives,
      disk,
      mounts,
    }),
  )
    .optional()
    .describe(
      "Arguments of a cluster. The price of a cluster's network is not published, so the estimate leaves it out.",
    ),
  endpoint: named(
    "EndpointToEstimate",
    z.looseObject({
      gpuIds: z
        .string()
        .optional()
        .describe("GPU pools, comma separated: the first is priced at least, the most expensive at most."),
      gpuCount,
      workersMin: leastWorkers,
      workersMax: mostWorkers,
      gpu: z
        .looseObject({
          pools: z
            .array(z.string())
            .min(1)
            .describe("GPU pools: the first is priced at least, the most expensive at most."),
          count: gpuCount,
        })
        .optional()
        .describe("Instead of `gpuIds`, as a serverless container has it."),
      cpu: z
        .array(cpu)
        .min(1)
        .optional()
        .describe("CPU workers: the first is priced at least, the most expensive at most."),
      workers: z
        .looseObject({ min: leastWorkers, max: mostWorkers })
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
      size: z.int().min(1).describe("Size in GB."),
      type: z
        .enum(["STANDARD", "HIGH_PERFORMANCE"])
        .default("STANDARD")
        .describe("Only the price of STANDARD is published."),
    }),
  )
    .optional()
    .describe("Arguments of a network volume."),
};

/** Exactly one of the subjects. */
export const costArguments = z
  .strictObject(subjects)
  .refine((args) => Object.values(args).filter(Boolean).length === 1, {
    message: `give one of ${Object.keys(subjects).join(", ")}`,
  });
export type Estimated = z.output<typeof costArguments>;

export const Item = named(
  "CostItem",
  z.object({
    name: z.string().describe("What is paid for, such as a GPU type."),
    quantity: z.number().describe("Units that are billed at least. 0 for what is billed only at most."),
    maxQuantity: z
      .number()
      .describe("Units that are billed at most. 0 for a first choice that is not the most expensive."),
    unit: z.string().describe("GPU, vCPU or GB."),
    unitPricePerHour: z.number().describe("Price of one unit, in USD an hour."),
  }),
);
export type Item = z.output<typeof Item>;
