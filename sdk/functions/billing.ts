import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";

export type BucketSize = "hour" | "day" | "week" | "month" | "year";

export interface GetBillingArgs {
  /** RFC 3339; moved down to the start of its bucket. Default 30 days ago. Excludes `lastN`. */
  startTime?: string;
  /** RFC 3339, exclusive; moved up to the end of its bucket. Default now. Excludes `lastN`. */
  endTime?: string;
  /** Length of the time that one record covers. Default day. */
  bucketSize?: BucketSize;
  /** The last buckets, the current one included. Excludes `startTime` and `endTime`. */
  lastN?: number;
}

export interface GetPodBillingArgs extends GetBillingArgs {
  /** Only the pod with this id. */
  podId?: string;
}

export interface GetServerlessBillingArgs extends GetBillingArgs {
  /** Only the endpoint with this id. */
  serverlessId?: string;
}

export interface GetNetworkVolumeBillingArgs extends GetBillingArgs {
  /** Only the network volume with this id. */
  networkVolumeId?: string;
}

export interface GetClusterBillingArgs extends GetBillingArgs {
  /** Only the cluster with this id. */
  clusterId?: string;
}

/** From `startTime` to before `endTime`, RFC 3339. */
export interface TimeRange {
  startTime: string;
  endTime: string;
}

/**
 * A bill: one record for each thing and time bucket, with the totals of all of them.
 *
 * `Amounts` are USD, `Owner` names the thing that a record is about, `Filter` and `Count` describe the whole bill.
 */
export interface Bill<
  Amounts extends object,
  Owner extends object = object,
  Filter extends object = object,
  Count extends object = object,
> {
  records: (TimeRange & Owner & Amounts)[];
  metadata: {
    /** What was asked for, with its defaults. */
    query: TimeRange & { bucketSize: BucketSize } & Filter;
    recordCount: number;
    totals: Amounts;
  } & Count;
}

export type AccountBill = Bill<{
  totalAmount: number;
  podGpuAmount: number;
  podCpuAmount: number;
  podDiskAmount: number;
  serverlessGpuAmount: number;
  serverlessCpuAmount: number;
  serverlessDiskAmount: number;
  serverlessFeeAmount: number;
  storageStandardAmount: number;
  storageHighPerformanceAmount: number;
  endpointAmount: number;
  clusterGpuAmount: number;
  clusterDiskAmount: number;
  clusterNetworkingAmount: number;
}>;

export type PodBill = Bill<
  { totalAmount: number; gpuAmount: number; cpuAmount: number; diskAmount: number },
  { podId: string },
  { podId?: string | null },
  { uniquePodCount: number }
>;

export type ServerlessBill = Bill<
  { totalAmount: number; gpuAmount: number; cpuAmount: number; diskAmount: number; feeAmount: number },
  { serverlessId: string },
  { serverlessId?: string | null },
  { uniqueServerlessCount: number }
>;

export type EndpointBill = Bill<{ totalAmount: number }>;

export type NetworkVolumeBill = Bill<
  { totalAmount: number; standardAmount: number; highPerformanceAmount: number },
  { networkVolumeId: string },
  { networkVolumeId?: string | null },
  { uniqueNetworkVolumeCount: number }
>;

export type ClusterBill = Bill<
  { totalAmount: number; gpuAmount: number; diskAmount: number; networkingAmount: number },
  { clusterId: string },
  { clusterId?: string | null },
  { uniqueClusterCount: number }
>;

/** What the whole account spent, in USD by time bucket and by what was billed, with totals. */
export function getBilling(args: GetBillingArgs = {}, options?: InvokeOptions): Promise<AccountBill> {
  return invoke("getBilling", args, options);
}

/** {@link getBilling} as an output. */
export function getBillingOutput(
  args: OutputArgs<GetBillingArgs> = {},
  options?: InvokeOutputOptions,
): Output<AccountBill> {
  return invokeOutput("getBilling", args, options);
}

/** What pods cost, in USD by pod and time bucket, with totals. */
export function getPodBilling(args: GetPodBillingArgs = {}, options?: InvokeOptions): Promise<PodBill> {
  return invoke("getPodBilling", args, options);
}

/** {@link getPodBilling} as an output. */
export function getPodBillingOutput(
  args: OutputArgs<GetPodBillingArgs> = {},
  options?: InvokeOutputOptions,
): Output<PodBill> {
  return invokeOutput("getPodBilling", args, options);
}

/** What serverless endpoints cost, in USD by endpoint and time bucket, with totals. */
export function getServerlessBilling(
  args: GetServerlessBillingArgs = {},
  options?: InvokeOptions,
): Promise<ServerlessBill> {
  return invoke("getServerlessBilling", args, options);
}

/** {@link getServerlessBilling} as an output. */
export function getServerlessBillingOutput(
  args: OutputArgs<GetServerlessBillingArgs> = {},
  options?: InvokeOutputOptions,
): Output<ServerlessBill> {
  return invokeOutput("getServerlessBilling", args, options);
}

/** What the service's public endpoints cost, in USD by time bucket, with totals. */
export function getEndpointBilling(args: GetBillingArgs = {}, options?: InvokeOptions): Promise<EndpointBill> {
  return invoke("getEndpointBilling", args, options);
}

/** {@link getEndpointBilling} as an output. */
export function getEndpointBillingOutput(
  args: OutputArgs<GetBillingArgs> = {},
  options?: InvokeOutputOptions,
): Output<EndpointBill> {
  return invokeOutput("getEndpointBilling", args, options);
}

/** What network volumes cost, in USD by volume and time bucket, with totals. */
export function getNetworkVolumeBilling(
  args: GetNetworkVolumeBillingArgs = {},
  options?: InvokeOptions,
): Promise<NetworkVolumeBill> {
  return invoke("getNetworkVolumeBilling", args, options);
}

/** {@link getNetworkVolumeBilling} as an output. */
export function getNetworkVolumeBillingOutput(
  args: OutputArgs<GetNetworkVolumeBillingArgs> = {},
  options?: InvokeOutputOptions,
): Output<NetworkVolumeBill> {
  return invokeOutput("getNetworkVolumeBilling", args, options);
}

/** What clusters cost, in USD by cluster and time bucket, with totals. */
export function getClusterBilling(args: GetClusterBillingArgs = {}, options?: InvokeOptions): Promise<ClusterBill> {
  return invoke("getClusterBilling", args, options);
}

/** {@link getClusterBilling} as an output. */
export function getClusterBillingOutput(
  args: OutputArgs<GetClusterBillingArgs> = {},
  options?: InvokeOutputOptions,
): Output<ClusterBill> {
  return invokeOutput("getClusterBilling", args, options);
}
