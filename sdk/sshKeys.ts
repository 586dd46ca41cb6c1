import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface SshKeysArgs extends CommonArgs {
  /**
   * Public keys in OpenSSH form: the account's whole list, in order; a file's last line feed is no matter. Updates
   * in place.
   */
  keys: Input<Input<string>[]>;
}

/**
 * The account's SSH keys. There is one list in an account: declare it once. Where it holds other keys, `adoptId: "account"`
 * takes it over; deleting the resource empties it.
 */
export class SshKeys extends ComputeCloudResource {
  declare readonly keys: Output<string[]>;

  constructor(name: string, args: SshKeysArgs, options?: CustomResourceOptions) {
    super({ provider: "sshKeys", type: "SshKeys", outputs: ["keys"], named: false }, name, args, options);
  }
}
