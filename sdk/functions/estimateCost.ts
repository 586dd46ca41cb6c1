// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type { CostEstimate, EstimateCostArgs } from "./types";

/**
 * Estimates the cost of a pod, cluster, serverless endpoint or network volume, in USD, with the catalog's current
 * prices. Give the arguments of one such resource. Fails for a type that is not in the catalog or has no published
 * price.
 */
export function estimateCost(args: EstimateCostArgs = {}, options?: InvokeOptions): Promise<CostEstimate> {
  return invoke("estimateCost", args, options);
}

/** {@link estimateCost} as an output. */
export function estimateCostOutput(
  args: OutputArgs<EstimateCostArgs> = {},
  options?: InvokeOutputOptions,
): Output<CostEstimate> {
  return invokeOutput("estimateCost", args, options);
}
