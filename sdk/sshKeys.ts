// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface SshKeysArgs extends CommonArgs {
  /**
   * The account's whole list of public keys, in OpenSSH form and in order. A line feed at the end of a key is ignored.
   * Updates in place.
   */
  keys: Input<Input<string>[]>;
}

/**
 * The account's SSH keys, for pods that are created later with `startSsh`. An account has one list, so declare it once.
 * If the list has other keys, `adoptId: "account"` adopts it. Deleting the resource removes its keys; keys that others
 * have added stay.
 *
 * @example The keys of a team
 * ```ts
 * import { SshKeys } from "pulumi-computecloud";
 *
 * const team = new SshKeys("team", {
 *   keys: [
 *     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ6BjJHuWMn5fM2qv5b5kVx0Z6Cq3kWDH9m3c6X5V9oE ops",
 *   ],
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/account/replace-registered-ssh-public-keys (PUT /v2/account/ssh-keys)
 */
export class SshKeys extends ComputeCloudResource {
  /**
   * The account's whole list of public keys, in OpenSSH form and in order. A line feed at the end of a key is ignored.
   */
  declare readonly keys: Output<string[]>;

  constructor(name: string, args: SshKeysArgs, options?: CustomResourceOptions) {
    super({ provider: "sshKeys", type: "SshKeys", outputs: ["keys"], named: false }, name, args, options);
  }
}
