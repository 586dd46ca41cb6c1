import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type { Cloud } from "../pod";
import type { Availability, Product } from "./catalog";

export interface PickGpuArgs {
  /** GB that one GPU must have at least. */
  memory?: number;
  /** GPUs in one pod or worker. Default 1. */
  count?: number;
  /** USD an hour, for all `count` GPUs together. */
  maxPricePerHour?: number;
  /** COMMUNITY is for pods only. Default SECURE. */
  cloud?: Cloud;
  /** Data centers of which at least one must have the GPU free. Default: any. */
  dataCenterIds?: string[];
  /** What the GPU is for. Default POD. */
  product?: Product;
}

export interface GpuCandidate {
  /** GPU type, as `gpu.id` of a Pod or `compute.gpuTypeId` of a Cluster takes it. */
  id: string;
  name: string;
  /** Serverless pool that holds it, as `gpuIds` of a ServerlessEndpoint takes it. */
  pool: string | null;
  /** GB of one GPU. */
  memory: number;
  /** USD, for all GPUs together. */
  pricePerHour: number;
  availability: Availability;
  /** Where it is free now; of those asked for, if any were. */
  dataCenterIds: string[];
}

export interface GpuPick extends GpuCandidate {
  /** Ids of the others that fit, cheapest first, as `gpuAlternatives` of a Pod or Cluster takes them. */
  gpuAlternatives: string[];
  /** All that fit, the pick included, cheapest first. */
  candidates: GpuCandidate[];
}

export interface StorageToEstimate {
  /** Container disk, GB. Left out of the estimate where it is not given. */
  disk?: number;
  /** A network volume is priced as a volume of its own. */
  mounts?: { persistent?: { size: number } };
}

export interface PodToEstimate extends StorageToEstimate {
  gpu?: { id: string; count?: number };
  cpu?: { id: string; vcpuCount: number };
  /** Default SECURE. */
  cloud?: Cloud;
  /** A stopped pod pays for its storage alone. Default RUNNING. */
  desiredStatus?: "RUNNING" | "EXITED";
}

export interface ClusterToEstimate extends StorageToEstimate {
  compute: { gpuTypeId: string; gpuCountPerPod: number; podCount: number };
}

/** Arguments of a ServerlessEndpoint or of a ServerlessContainer. */
export interface EndpointToEstimate {
  /** GPU pools, comma separated; the first one is priced. */
  gpuIds?: string;
  /** Default 1. */
  gpuCount?: number;
  /** Default 0. */
  workersMin?: number;
  /** Default 3. */
  workersMax?: number;
  /** Instead of `gpuIds`; the first pool is priced. */
  gpu?: { pools: string[]; count?: number };
  /** CPU workers; the first flavor is priced. */
  cpu?: { id: string; vcpuCount: number }[];
  /** Instead of `workersMin` and `workersMax`. */
  workers?: { min?: number; max?: number };
  /** Container disk of a worker, GB. Left out of the estimate where it is not given. */
  disk?: number;
}

export interface NetworkVolumeToEstimate {
  /** GB. */
  size: number;
  /** Default STANDARD, the only one whose price is published. */
  type?: "STANDARD" | "HIGH_PERFORMANCE";
}

/** One of them, with the arguments that it is declared with; what costs nothing may be left out, or stay. */
export interface EstimateCostArgs {
  pod?: PodToEstimate;
  /** Its network is not part of the estimate: no price is published. */
  cluster?: ClusterToEstimate;
  endpoint?: EndpointToEstimate;
  networkVolume?: NetworkVolumeToEstimate;
}

/** USD. A month has 730 hours. */
export interface CostEstimate {
  /** At least: for an endpoint, with the workers that are always on. */
  hourly: number;
  monthly: number;
  /** At most: for an endpoint, with all its workers. */
  hourlyMax: number;
  monthlyMax: number;
  items: {
    /** What is paid for, such as a GPU type. */
    name: string;
    /** How many of it run at least, and at most. */
    quantity: number;
    maxQuantity: number;
    /** GPU, vCPU or GB. */
    unit: string;
    unitPricePerHour: number;
  }[];
}

/** The cheapest GPU type that is free now and fits, and the alternatives in order of their price. Fails when there is none. */
export function pickGpu(args: PickGpuArgs = {}, options?: InvokeOptions): Promise<GpuPick> {
  return invoke("pickGpu", args, options);
}

/** {@link pickGpu} as an output. */
export function pickGpuOutput(args: OutputArgs<PickGpuArgs> = {}, options?: InvokeOutputOptions): Output<GpuPick> {
  return invokeOutput("pickGpu", args, options);
}

/** What a pod, cluster, serverless endpoint or network volume costs by the catalog's prices of today. */
export function estimateCost(args: EstimateCostArgs, options?: InvokeOptions): Promise<CostEstimate> {
  return invoke("estimateCost", args, options);
}

/** {@link estimateCost} as an output. */
export function estimateCostOutput(
  args: OutputArgs<EstimateCostArgs>,
  options?: InvokeOutputOptions,
): Output<CostEstimate> {
  return invokeOutput("estimateCost", args, options);
}
