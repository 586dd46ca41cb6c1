import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import type { CallOptions } from "../options";
import { needed, type Tolerant } from "../values/tolerant";
import type { Rest } from "./rest";

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

/** The account of the key. */
export interface AccountCalls {
  /**
   * The account's id and owner. `GET /v2/account`.
   *
   * @throws PermissionError when the key may not ask
   * @example
   * const { id, email } = await client.account.get();
   */
  get(options?: CallOptions): Promise<Account>;
  /**
   * The account's limits. `GET /v2/account/limits`; no page of the service names the fields inside.
   *
   * @throws PermissionError without the right `account:read`
   * @example
   * const { serverlessWorkers } = await client.account.limits();
   */
  limits(options?: CallOptions): Promise<AccountLimits>;
  /**
   * The account's balance, in USD. `GET /v2/billing/balance`.
   *
   * @throws PermissionError without the right `billing:read`
   * @example
   * const { balanceAmount } = await client.account.balance();
   */
  balance(options?: CallOptions): Promise<Balance>;
}

const KIND = "Account";

/*
 * Not part of the contract's operations: the service got them later, and for two of them we found no documented address.
 */
const get = operation({ method: "GET", path: "/v2/account", kind: KIND, reply: Account });

const limits = operation({ method: "GET", path: "/v2/account/limits", kind: KIND, reply: AccountLimits });
const balance = operation({ method: "GET", path: "/v2/billing/balance", kind: "Billing", reply: Balance });

export function account(rest: Rest): AccountCalls {
  return {
    get: async (options?: CallOptions): Promise<Account> => {
      const { id, email } = await rest.call(get, options);
      return { id: needed(KIND, { id }, "id"), email: email ?? null };
    },
    limits: (options?: CallOptions) => rest.call(limits, options),
    balance: (options?: CallOptions) => rest.call(balance, options),
  };
}
