import { operation } from "../calls/operation";
import type { SshKeyCalls } from "../nouns";
import type { CallOptions } from "../options";
import { SshKeys } from "../schemas/sshKeys";
import { needed } from "../values/tolerant";
import { alwaysThere, type Rest } from "./rest";

const KIND = "SshKeys";
const PATH = "/v2/account/ssh-keys";

export const sshKeyOperations = {
  get: operation({ method: "GET", path: PATH, kind: KIND, reply: SshKeys }),
  put: operation({ method: "PUT", path: PATH, kind: KIND, body: SshKeys, reply: SshKeys }),
};

export function sshKeys(rest: Rest): SshKeyCalls {
  return {
    get: async (options?: CallOptions) =>
      needed(KIND, await alwaysThere(PATH, () => rest.call(sshKeyOperations.get, options)), "keys"),
    put: async (keys: string[], options?: CallOptions) =>
      needed(
        KIND,
        await alwaysThere(PATH, () => rest.call(sshKeyOperations.put, { body: { keys }, ...options })),
        "keys",
      ),
  };
}
