import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type { Cloud } from "../pod";
import type { TemplateInfo } from "./fleetTypes";

/** One of the values known today; the service adds others at will. */
export type Open<Known extends string> = Known | (string & {});

export type Availability = Open<"NONE" | "LOW" | "MEDIUM" | "HIGH">;
export type Product = "POD" | "CLUSTER" | "SERVERLESS";
export type Region = Open<
  | "NORTH_AMERICA"
  | "SOUTH_AMERICA"
  | "EUROPE"
  | "ASIA"
  | "MIDDLE_EAST"
  | "AFRICA"
  | "OCEANIA"
  | "ANTARCTICA"
  | "UNKNOWN"
>;
export type Compliance = Open<
  | "GDPR"
  | "ISO_IEC_27001"
  | "ISO_14001"
  | "PCI_DSS"
  | "HITRUST"
  | "SOC_1_TYPE_2"
  | "SOC_2_TYPE_2"
  | "SOC_3_TYPE_2"
  | "ITAR"
  | "FISMA_HIGH"
  | "HIPAA"
  | "RENEWABLE"
>;
export type StorageTier = Open<"STANDARD" | "HIGH_PERFORMANCE">;

/** A place where hardware is offered, or hardware that a place offers, and how much of it is free now. */
export interface Offer {
  id: string;
  name: string;
  availability: Availability;
}

export interface GpuType {
  id: string;
  name: string;
  /** Serverless pool that holds it. */
  pool: string | null;
  manufacturer: Open<"NVIDIA" | "AMD" | "UNKNOWN">;
  /** GB. */
  memory: number;
  /** Whether the SECURE cloud offers it. */
  secure: boolean;
  /** Whether the COMMUNITY cloud offers it. */
  community: boolean;
  /** USD an hour for one GPU. */
  price: { secure: number; community: number; serverless?: number };
  /** Most GPUs in one pod: a ceiling, not the stock. */
  maxCount: { secure: number; community: number };
  /** With `include` only, as are the following. */
  availability?: Availability;
  /** Where it is offered. */
  dataCenters?: Offer[];
  cudaVersions?: { version: string; available: boolean }[];
}

export interface CpuType {
  id: string;
  name: string;
  group: string;
  /** vCPUs of one instance. */
  vcpu: { min: number; max: number };
  ramGbPerVcpu: number;
  /** USD an hour for one vCPU. */
  price: { securePerVcpu: number; serverlessPerVcpu: number };
  /** With `include` only, as is the following. */
  availability?: Availability;
  /** Where it is offered. */
  dataCenters?: Offer[];
}

export interface DataCenter {
  id: string;
  name: string;
  region: Region;
  /** Whether pods can be given an address in the account's own network. */
  globalNetwork: boolean;
  networkVolumeTypes: StorageTier[];
  compliance: Compliance[];
  /** With `include` only. */
  gpuAvailability?: Offer[];
  /** With `include` only. */
  cpuAvailability?: Offer[];
}

export interface GetGpuTypesArgs {
  /** Adds what is free now. Needs `product`. */
  include?: "AVAILABILITY"[];
  /** What the GPU is for: availability differs between them. Needs `include`, as all that follows. */
  product?: Product[];
  /** GPUs in one pod, for the availability. Default 1. */
  count?: number;
  /** Default SECURE. */
  cloud?: Cloud;
  /** Only what can be placed in one of these countries: ISO 3166, two capitals. */
  countryCodes?: string[];
  /** Exact CUDA versions, as major.minor. Excludes `minCudaVersion`. */
  cudaVersions?: string[];
  /** Lowest CUDA version, as major or major.minor. Excludes `cudaVersions`. */
  minCudaVersion?: string;
}

export interface GetGpuTypeArgs extends GetGpuTypesArgs {
  /** Id of a GPU type, such as `NVIDIA GeForce RTX 4090`. */
  id: string;
}

export interface GetCpuTypesArgs {
  /** Adds what is free now. Needs `product`. */
  include?: "AVAILABILITY"[];
  /** What the CPU is for: availability differs between them. Needs `include`, as what follows. */
  product?: ("POD" | "SERVERLESS")[];
  /** vCPUs in one instance, for the availability: a power of two. */
  vcpuCount?: number;
}

export interface GetCpuTypeArgs extends GetCpuTypesArgs {
  /** Id of a CPU flavor, such as `cpu5c`. */
  id: string;
}

export interface GetDataCentersArgs {
  /** Adds which GPUs or CPUs are free in each. */
  include?: ("GPU_AVAILABILITY" | "CPU_AVAILABILITY")[];
  /** Any of these. */
  regions?: Region[];
  /** All of these. */
  networkVolumeTypes?: StorageTier[];
  /** All of these. */
  compliance?: Compliance[];
  /** Only those with, or only those without, global networking. */
  globalNetwork?: boolean;
}

export interface GetDataCenterArgs {
  /** Id of a data center, such as `EU-RO-1`. */
  id: string;
  /** Adds which GPUs or CPUs are free there. */
  include?: ("GPU_AVAILABILITY" | "CPU_AVAILABILITY")[];
}

export interface GetPublicTemplatesArgs {
  /** Whose templates. Default official. */
  source?: "official" | "verified" | "community";
}

/** GPU types with their prices and, on request, what is free now. */
export function getGpuTypes(args: GetGpuTypesArgs = {}, options?: InvokeOptions): Promise<{ gpus: GpuType[] }> {
  return invoke("getGpuTypes", args, options);
}

/** {@link getGpuTypes} as an output. */
export function getGpuTypesOutput(
  args: OutputArgs<GetGpuTypesArgs> = {},
  options?: InvokeOutputOptions,
): Output<{ gpus: GpuType[] }> {
  return invokeOutput("getGpuTypes", args, options);
}

/** A GPU type with its price and, on request, what is free now. */
export function getGpuType(args: GetGpuTypeArgs, options?: InvokeOptions): Promise<GpuType> {
  return invoke("getGpuType", args, options);
}

/** {@link getGpuType} as an output. */
export function getGpuTypeOutput(args: OutputArgs<GetGpuTypeArgs>, options?: InvokeOutputOptions): Output<GpuType> {
  return invokeOutput("getGpuType", args, options);
}

/** CPU flavors with their prices and, on request, what is free now. */
export function getCpuTypes(args: GetCpuTypesArgs = {}, options?: InvokeOptions): Promise<{ cpus: CpuType[] }> {
  return invoke("getCpuTypes", args, options);
}

/** {@link getCpuTypes} as an output. */
export function getCpuTypesOutput(
  args: OutputArgs<GetCpuTypesArgs> = {},
  options?: InvokeOutputOptions,
): Output<{ cpus: CpuType[] }> {
  return invokeOutput("getCpuTypes", args, options);
}

/** A CPU flavor with its price and, on request, what is free now. */
export function getCpuType(args: GetCpuTypeArgs, options?: InvokeOptions): Promise<CpuType> {
  return invoke("getCpuType", args, options);
}

/** {@link getCpuType} as an output. */
export function getCpuTypeOutput(args: OutputArgs<GetCpuTypeArgs>, options?: InvokeOutputOptions): Output<CpuType> {
  return invokeOutput("getCpuType", args, options);
}

/** Data centers with their region, storage tiers, certificates and, on request, what is free now. */
export function getDataCenters(
  args: GetDataCentersArgs = {},
  options?: InvokeOptions,
): Promise<{ dataCenters: DataCenter[] }> {
  return invoke("getDataCenters", args, options);
}

/** {@link getDataCenters} as an output. */
export function getDataCentersOutput(
  args: OutputArgs<GetDataCentersArgs> = {},
  options?: InvokeOutputOptions,
): Output<{ dataCenters: DataCenter[] }> {
  return invokeOutput("getDataCenters", args, options);
}

/** A data center with, on request, what is free there now. */
export function getDataCenter(args: GetDataCenterArgs, options?: InvokeOptions): Promise<DataCenter> {
  return invoke("getDataCenter", args, options);
}

/** {@link getDataCenter} as an output. */
export function getDataCenterOutput(
  args: OutputArgs<GetDataCenterArgs>,
  options?: InvokeOutputOptions,
): Output<DataCenter> {
  return invokeOutput("getDataCenter", args, options);
}

/** Public templates of one source, at most 100. */
export function getPublicTemplates(
  args: GetPublicTemplatesArgs = {},
  options?: InvokeOptions,
): Promise<{ templates: TemplateInfo[] }> {
  return invoke("getPublicTemplates", args, options);
}

/** {@link getPublicTemplates} as an output. */
export function getPublicTemplatesOutput(
  args: OutputArgs<GetPublicTemplatesArgs> = {},
  options?: InvokeOutputOptions,
): Output<{ templates: TemplateInfo[] }> {
  return invokeOutput("getPublicTemplates", args, options);
}
