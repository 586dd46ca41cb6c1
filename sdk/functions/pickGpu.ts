// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type { GpuPick, PickGpuArgs } from "./types";

/**
 * The cheapest GPU type that is free now and fits, and its alternatives by price. Fails if no GPU type fits; the error
 * names the argument to change.
 */
export function pickGpu(args: PickGpuArgs = {}, options?: InvokeOptions): Promise<GpuPick> {
  return invoke("pickGpu", args, options);
}

/** {@link pickGpu} as an output. */
export function pickGpuOutput(args: OutputArgs<PickGpuArgs> = {}, options?: InvokeOutputOptions): Output<GpuPick> {
  return invokeOutput("pickGpu", args, options);
}
