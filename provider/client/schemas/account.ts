import { z } from "zod";
import type { Tolerant } from "../values/tolerant";

/** The account of a key. For a team's key, it is the team owner's. */
export const Account = z.object({
  id: z.string().min(1).describe("Its id."),
  email: z.string().nullable().optional().describe("E-mail address of its owner; null where none is known."),
});
export type Account = z.infer<typeof Account>;

/** The service does not document the fields inside. */
const unnamed = z.record(z.string(), z.unknown());

export const AccountLimits = z.object({
  spendRate: unnamed.optional().describe("What the account may spend in an hour; pods and workers start within it."),
  serverlessWorkers: unnamed.optional().describe("How many workers all endpoints together may have."),
});
export type AccountLimits = z.infer<typeof AccountLimits>;

export const Balance = z.object({
  balanceAmount: z.number().describe("What the account holds, in USD."),
  billingMode: z.enum(["PREPAID", "POSTPAID"]).describe("Whether the service is paid for before or after."),
});
export type Balance = Tolerant<z.infer<typeof Balance>>;
