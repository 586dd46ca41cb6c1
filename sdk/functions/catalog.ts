// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type OutputArgs } from "../internal/invoke";
import type {
  CpuType,
  DataCenter,
  GetCpuTypeArgs,
  GetCpuTypesArgs,
  GetCpuTypesResult,
  GetDataCenterArgs,
  GetDataCentersArgs,
  GetDataCentersResult,
  GetGpuTypeArgs,
  GetGpuTypesArgs,
  GetGpuTypesResult,
  GetPublicTemplatesArgs,
  GetPublicTemplatesResult,
  GpuType,
} from "./types";

/** GPU types with their prices and, on request, what is free now. */
export function getGpuTypes(args: GetGpuTypesArgs = {}, options?: InvokeOptions): Promise<GetGpuTypesResult> {
  return invoke("getGpuTypes", args, options);
}

/** {@link getGpuTypes} as an output. */
export function getGpuTypesOutput(
  args: OutputArgs<GetGpuTypesArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetGpuTypesResult> {
  return invokeOutput("getGpuTypes", args, options);
}

/** A GPU type with its price and, on request, what is free now. Fails if the catalog has no such type. */
export function getGpuType(args: GetGpuTypeArgs, options?: InvokeOptions): Promise<GpuType> {
  return invoke("getGpuType", args, options);
}

/** {@link getGpuType} as an output. */
export function getGpuTypeOutput(args: OutputArgs<GetGpuTypeArgs>, options?: InvokeOutputOptions): Output<GpuType> {
  return invokeOutput("getGpuType", args, options);
}

/** CPU flavors with their prices and, on request, what is free now. */
export function getCpuTypes(args: GetCpuTypesArgs = {}, options?: InvokeOptions): Promise<GetCpuTypesResult> {
  return invoke("getCpuTypes", args, options);
}

/** {@link getCpuTypes} as an output. */
export function getCpuTypesOutput(
  args: OutputArgs<GetCpuTypesArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetCpuTypesResult> {
  return invokeOutput("getCpuTypes", args, options);
}

/** A CPU flavor with its price and, on request, what is free now. Fails if the catalog has no such flavor. */
export function getCpuType(args: GetCpuTypeArgs, options?: InvokeOptions): Promise<CpuType> {
  return invoke("getCpuType", args, options);
}

/** {@link getCpuType} as an output. */
export function getCpuTypeOutput(args: OutputArgs<GetCpuTypeArgs>, options?: InvokeOutputOptions): Output<CpuType> {
  return invokeOutput("getCpuType", args, options);
}

/** Data centers with their region, storage tiers, certificates and, on request, what is free now. */
export function getDataCenters(args: GetDataCentersArgs = {}, options?: InvokeOptions): Promise<GetDataCentersResult> {
  return invoke("getDataCenters", args, options);
}

/** {@link getDataCenters} as an output. */
export function getDataCentersOutput(
  args: OutputArgs<GetDataCentersArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetDataCentersResult> {
  return invokeOutput("getDataCenters", args, options);
}

/** A data center with, on request, what is free there now. Fails if the catalog has no such data center. */
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
): Promise<GetPublicTemplatesResult> {
  return invoke("getPublicTemplates", args, options);
}

/** {@link getPublicTemplates} as an output. */
export function getPublicTemplatesOutput(
  args: OutputArgs<GetPublicTemplatesArgs> = {},
  options?: InvokeOutputOptions,
): Output<GetPublicTemplatesResult> {
  return invokeOutput("getPublicTemplates", args, options);
}
