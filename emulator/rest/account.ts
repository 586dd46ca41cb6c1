import { z } from "zod";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";

const account = named("Account", z.object({ id: z.string(), email: z.string().nullable() }));

const accountLimits = named(
  "AccountLimits",
  z.object({ spendRate: z.looseObject({}), serverlessWorkers: z.looseObject({}) }),
);
const balance = named(
  "AccountBalance",
  z.object({ balanceAmount: z.number(), billingMode: z.enum(["PREPAID", "POSTPAID"]) }),
);

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/account",
    operationId: "getAccount",
    summary: "Get the account that the key belongs to",
    right: "account",
    success: { 200: account },
    handle: ({ service: { settings } }) => settings.account,
  }),
  route({
    method: "GET",
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
    method: "GET",
    path: "/v2/billing/balance",
    operationId: "getBalance",
    summary: "Get what the account holds, in USD",
    right: "billing",
    success: { 200: balance },
    handle: ({ service: { settings } }) => ({ balanceAmount: settings.balance, billingMode: "PREPAID" }),
  }),
];
