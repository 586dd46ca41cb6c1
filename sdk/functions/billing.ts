// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type {
  AccountBill,
  ClusterBill,
  EndpointBill,
  GetBillingArgs,
  GetClusterBillingArgs,
  GetEndpointBillingArgs,
  GetNetworkVolumeBillingArgs,
  GetPodBillingArgs,
  GetServerlessBillingArgs,
  NetworkVolumeBill,
  PodBill,
  ServerlessBill,
} from "./types";

/** What the whole account spent, in USD, by time bucket and kind of resource, with totals. */
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
export function getEndpointBilling(args: GetEndpointBillingArgs = {}, options?: InvokeOptions): Promise<EndpointBill> {
  return invoke("getEndpointBilling", args, options);
}

/** {@link getEndpointBilling} as an output. */
export function getEndpointBillingOutput(
  args: OutputArgs<GetEndpointBillingArgs> = {},
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
