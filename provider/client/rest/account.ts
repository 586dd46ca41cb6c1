import { operation } from "../operation";
import type { CallOptions } from "../options";
import { Account } from "../schemas/account";
import { needed } from "../values/tolerant";
import type { Rest } from "./rest";

const KIND = "Account";

/** Not among the operations of the contract: the service learnt it later, and what asks goes on without an answer. */
const get = operation({ method: "GET", path: "/v2/account", kind: KIND, reply: Account });

/** The account itself. */
export function account(rest: Rest) {
  return {
    /** Whose the key is. A key may lack the right to ask (PermissionError), and an older service the path. */
    get: async (options?: CallOptions): Promise<Account> => {
      const { id, email } = await rest.call(get, options);
      return { id: needed(KIND, { id }, "id"), email: email ?? null };
    },
  };
}
