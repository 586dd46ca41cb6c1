// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { InvokeOptions, InvokeOutputOptions, Output } from "@pulumi/pulumi";
import { invoke, invokeOutput, type NoArgs } from "../internal/invoke";
import type { AccountBalance, AccountInfo, AccountLimits, GetSshKeysResult, ServerlessDiscount } from "./types";

/** The account that the API key belongs to. A team's key belongs to the account of the team's owner. */
export function getAccount(args: NoArgs = {}, options?: InvokeOptions): Promise<AccountInfo> {
  return invoke("getAccount", args, options);
}

/** {@link getAccount} as an output. */
export function getAccountOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<AccountInfo> {
  return invokeOutput("getAccount", args, options);
}

/** How much the account may spend and run at once. The service does not document the properties of this answer. */
export function getAccountLimits(args: NoArgs = {}, options?: InvokeOptions): Promise<AccountLimits> {
  return invoke("getAccountLimits", args, options);
}

/** {@link getAccountLimits} as an output. */
export function getAccountLimitsOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<AccountLimits> {
  return invokeOutput("getAccountLimits", args, options);
}

/** The account's balance, in USD. */
export function getBalance(args: NoArgs = {}, options?: InvokeOptions): Promise<AccountBalance> {
  return invoke("getBalance", args, options);
}

/** {@link getBalance} as an output. */
export function getBalanceOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<AccountBalance> {
  return invokeOutput("getBalance", args, options);
}

/** The account's public SSH keys, which pods with `startSsh` accept. */
export function getSshKeys(args: NoArgs = {}, options?: InvokeOptions): Promise<GetSshKeysResult> {
  return invoke("getSshKeys", args, options);
}

/** {@link getSshKeys} as an output. */
export function getSshKeysOutput(args: NoArgs = {}, options?: InvokeOutputOptions): Output<GetSshKeysResult> {
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
