import { z } from "zod";
import { named, type Route, route } from "../http/route";
import { replaceSshKeys, SSH_KEY, sshKeysOf } from "../model/sshKeys";

const account = named("Account", z.object({ id: z.string(), email: z.string().nullable() }));

const accountLimits = named(
  "AccountLimits",
  z.object({ spendRate: z.looseObject({}), serverlessWorkers: z.looseObject({}) }),
);
const balance = named(
  "AccountBalance",
  z.object({ balanceAmount: z.number(), billingMode: z.enum(["PREPAID", "POSTPAID"]) }),
);

const sshKeys = named("SshKeys", z.object({ keys: z.array(z.string()) }));
const updateRequest = named("UpdateSshKeysRequest", z.strictObject({ keys: z.array(z.string().regex(SSH_KEY)) }));

export const routes: readonly Route[] = [
  route({
    path: "/v2/account",
    operationId: "getAccount",
    summary: "Get the account that the key belongs to",
    right: "account",
    success: { 200: account },
    handle: ({ service: { settings } }) => settings.account,
  }),
  route({
    path: "/v2/account/limits",
    operationId: "getAccountLimits",
    summary: "Get what the account may spend and run at once",
    right: "account",
    success: { 200: accountLimits },
    // The service does not document the fields inside; these are the emulator's own.
    handle: ({ service: { settings } }) => ({
      spendRate: { limit: settings.spendLimit },
      serverlessWorkers: { limit: settings.workerQuota },
    }),
  }),
  route({
    path: "/v2/billing/balance",
    operationId: "getBalance",
    summary: "Get what the account holds, in USD",
    right: "billing",
    success: { 200: balance },
    handle: ({ service: { settings } }) => ({ balanceAmount: settings.balance, billingMode: "PREPAID" }),
  }),
  route({
    path: "/v2/account/ssh-keys",
    operationId: "getSshKeys",
    summary: "Get the account's SSH public keys",
    right: "authentication",
    success: { 200: sshKeys },
    handle: ({ service }) => ({ keys: sshKeysOf(service) }),
  }),
  route({
    method: "PUT",
    path: "/v2/account/ssh-keys",
    operationId: "updateSshKeys",
    summary: "Replace the account's SSH public keys",
    right: "authentication",
    body: updateRequest,
    success: { 200: sshKeys },
    handle: ({ service, body }) => {
      replaceSshKeys(service, body.keys);
      return body;
    },
  }),
];
