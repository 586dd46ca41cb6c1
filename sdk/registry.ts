// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface RegistryArgs extends CommonArgs {
  /** Unique in the account. Default: the logical name and a short hash. Changing it replaces. */
  name?: Input<string>;
  /**
   * Name of the registry's user. Write-only: changes made elsewhere are not seen. Always a secret. Updates in place.
   */
  username: Input<string>;
  /**
   * The user's password or access token. Write-only: changes made elsewhere are not seen. Always a secret. Updates in
   * place.
   */
  password: Input<string>;
}

/**
 * Credentials for a private container registry. Templates, pods and endpoints refer to it by its id.
 *
 * @example Credentials from the stack's configuration
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Registry } from "pulumi-computecloud";
 *
 * const config = new pulumi.Config();
 * const images = new Registry("images", {
 *   username: "ci",
 *   password: config.requireSecret("registryPassword"),
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/registries/create-a-container-registry-credential (POST /v2/registries)
 */
export class Registry extends ComputeCloudResource {
  /** Unique in the account. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** Name of the registry's user. A secret. */
  declare readonly username: Output<string>;
  /** The user's password or access token. A secret. */
  declare readonly password: Output<string>;

  constructor(name: string, args: RegistryArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "registry",
        type: "Registry",
        outputs: ["name", "username", "password"],
        secrets: ["username", "password"],
      },
      name,
      args,
      options,
    );
  }
}
