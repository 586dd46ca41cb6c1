import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import type { CallOptions } from "../options";
import { needed } from "../values/tolerant";
import { alwaysThere, type Rest } from "./rest";

/** The account's public keys, in order. */
export const SshKeys = z.object({ keys: z.array(z.string()) });
export type SshKeys = z.infer<typeof SshKeys>;

/** Public SSH keys of the account: one list, replaced as a whole. `/v2/account/ssh-keys`. */
export interface SshKeyCalls {
  /**
   * All keys, in order. `GET /v2/account/ssh-keys`.
   *
   * @example
   * const keys = await client.sshKeys.get();
   */
  get(options?: CallOptions): Promise<string[]>;
  /**
   * Replaces all keys; an empty list removes them. A change that somebody makes between your `get` and `put` is lost.
   * `PUT /v2/account/ssh-keys`.
   *
   * @throws ValidationError (422) for a key that the service refuses
   * @example
   * await client.sshKeys.put([...(await client.sshKeys.get()), "ssh-ed25519 AAAA… me@example.com"]);
   */
  put(keys: string[], options?: CallOptions): Promise<string[]>;
}

const KIND = "SshKeys";
const PATH = "/v2/account/ssh-keys";

export const operations = {
  get: operation({ method: "GET", path: PATH, kind: KIND, reply: SshKeys }),
  put: operation({ method: "PUT", path: PATH, kind: KIND, body: SshKeys, reply: SshKeys }),
};

export function calls(rest: Rest): SshKeyCalls {
  return {
    get: async (options?: CallOptions) =>
      needed(KIND, await alwaysThere(PATH, () => rest.call(operations.get, options)), "keys"),
    put: async (keys: string[], options?: CallOptions) =>
      needed(KIND, await alwaysThere(PATH, () => rest.call(operations.put, { body: { keys }, ...options })), "keys"),
  };
}
