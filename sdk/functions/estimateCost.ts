// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type { CostEstimate, EstimateCostArgs } from "./types";

/**
 * What a pod, cluster, serverless endpoint or network volume costs, in USD, by the catalog's prices of today. Give one
 * of them, with the arguments that it is declared with.
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
