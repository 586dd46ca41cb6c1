import { operation } from "../calls/operation";
import type { AccountCalls } from "../nouns";
import type { CallOptions } from "../options";
import { Account, AccountLimits, Balance } from "../schemas/account";
import { needed } from "../values/tolerant";
import type { Rest } from "./rest";

const KIND = "Account";

/*
 * Not part of the contract's operations: the service got them later, and for two of them we found no documented address.
 * Callers must do without an answer of the first.
 */
const get = operation({ method: "GET", path: "/v2/account", kind: KIND, reply: Account });

const limits = operation({
  method: "GET",
  path: "/v2/account/limits",
  kind: KIND,
  reply: AccountLimits,
});
const balance = operation({
  method: "GET",
  path: "/v2/billing/balance",
  kind: "Billing",
  reply: Balance,
});

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
