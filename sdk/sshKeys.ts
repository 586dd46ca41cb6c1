// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface SshKeysArgs extends CommonArgs {
  /**
   * Public keys in OpenSSH form: the account's whole list, in order; a file's last line feed does not matter. Updates
   * in place.
   */
  keys: Input<Input<string>[]>;
}

/**
 * The account's SSH keys, which reach pods that are created later with `startSsh`. There is one list in an account:
 * declare it once. Where it holds other keys, `adoptId: "account"` takes it over; deleting the resource empties it.
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
 */
export class SshKeys extends ComputeCloudResource {
  /** Public keys in OpenSSH form: the account's whole list, in order; a file's last line feed does not matter. */
  declare readonly keys: Output<string[]>;

  constructor(name: string, args: SshKeysArgs, options?: CustomResourceOptions) {
    super({ provider: "sshKeys", type: "SshKeys", outputs: ["keys"], named: false }, name, args, options);
  }
}
