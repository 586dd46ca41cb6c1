import type { AccountCalls } from "../nouns";
import { operation } from "../operation";
import type { CallOptions } from "../options";
import { Account, AccountLimits, Balance } from "../schemas/account";
import { needed } from "../values/tolerant";
import type { Rest } from "./rest";

const KIND = "Account";

/*
 * Not among the operations of the contract: the service learnt them later, and the addresses of two stand on no page that was
 * read. What asks for the first goes on without an answer.
 */
const get = operation({ method: "GET", path: "/v2/account", kind: KIND, reply: Account });

const limits = operation({
  method: "GET",
  path: "/v2/account/limits",
  kind: KIND,
  scope: "account:read",
  reply: AccountLimits,
});
const balance = operation({
  method: "GET",
  path: "/v2/billing/balance",
  kind: "Billing",
  scope: "billing:read",
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
