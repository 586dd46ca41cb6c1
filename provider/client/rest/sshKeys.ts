import { operation } from "../operation";
import type { CallOptions } from "../options";
import { SshKeys } from "../schemas/sshKeys";
import { needed } from "../tolerant";
import { alwaysThere, type Rest } from "./rest";

const kind = "SshKeys";
const path = "/v2/account/ssh-keys";

export const sshKeyOperations = {
  get: operation({ method: "GET", path, kind, reply: SshKeys }),
  put: operation({ method: "PUT", path, kind, body: SshKeys, reply: SshKeys }),
};

/** Public keys of the account: one list, put as a whole. */
export function sshKeys(rest: Rest) {
  return {
    get: async (options?: CallOptions) =>
      needed(kind, await alwaysThere(path, () => rest.call(sshKeyOperations.get, options)), "keys"),
    /** Replaces all keys; an empty list removes them. */
    put: async (keys: string[], options?: CallOptions) =>
      needed(
        kind,
        await alwaysThere(path, () => rest.call(sshKeyOperations.put, { body: { keys }, ...options })),
        "keys",
      ),
  };
}
