// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type NoArgs } from "../internal/invoke";
import type { ServerlessDiscount } from "./types";

/** The account's public SSH keys, which pods with startSsh let in. */
export function getSshKeys(
  args: NoArgs = {},
  options?: InvokeOptions,
): Promise<{
  /** The keys, each as a line of an `authorized_keys` file. */
  keys: string[];
}> {
  return invoke("getSshKeys", args, options);
}

/** {@link getSshKeys} as an output. */
export function getSshKeysOutput(
  args: NoArgs = {},
  options?: InvokeOutputOptions,
): Output<{
  /** The keys, each as a line of an `authorized_keys` file. */
  keys: string[];
}> {
  return invokeOutput("getSshKeys", args, options);
}

/** The account's discount on serverless prices; without one, all properties are absent. */
export function getServerlessDiscount(args: NoArgs = {}, options?: InvokeOptions): Promise<ServerlessDiscount> {
  return invoke("getServerlessDiscount", args, options);
}

/** {@link getServerlessDiscount} as an output. */
export function getServerlessDiscountOutput(
  args: NoArgs = {},
  options?: InvokeOutputOptions,
): Output<ServerlessDiscount> {
  return invokeOutput("getServerlessDiscount", args, options);
}
