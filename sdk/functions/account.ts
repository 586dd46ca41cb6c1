import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type NoArgs } from "../internal/invoke";

/** Without a discount, all properties are absent. */
export interface ServerlessDiscount {
  /** What the service multiplies prices with, as it shows it. */
  discountFactor?: number;
  type?: string | null;
  /** RFC 3339. */
  expirationDate?: string | null;
}

/** The account's public SSH keys, which pods with startSsh let in. */
export function getSshKeys(args: NoArgs = {}, options?: InvokeOptions): Promise<{ keys: string[] }> {
  return invoke("getSshKeys", args, options);
}

/** {@link getSshKeys} as an output. */
export function getSshKeysOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<{ keys: string[] }> {
  return invokeOutput("getSshKeys", args, options);
}

/** The account's discount on serverless prices. */
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
