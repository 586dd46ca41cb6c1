// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface SecretArgs extends CommonArgs {
  /** Unique in the account. Default: the logical name and a short hash. Changing it replaces. */
  name?: Input<string>;
  /**
   * The value, 1 byte to 16 MiB. A value that was set outside of the program is set back by the first run after a
   * refresh. Write-only: a change made elsewhere is seen, but not the value. Always a secret. Updates in place.
   */
  value: Input<string>;
  /** Purpose of the secret. Default: none. Updates in place. */
  description?: Input<string>;
}

/**
 * A value that containers read from their environment when they start. The service never shows it again. Pass
 * `reference` as the value of a variable. A running container keeps the value that it has read.
 *
 * @example A token from the stack's configuration
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Secret } from "pulumi-computecloud";
 *
 * const config = new pulumi.Config();
 * const hfToken = new Secret("hf-token", {
 *   value: config.requireSecret("hfToken"),
 *   description: "Read access to the team's models",
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/account/create-a-secret (POST /v2/account/secrets)
 */
export class Secret extends ComputeCloudResource {
  /** Unique in the account. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** Purpose of the secret. Default: none. */
  declare readonly description: Output<string | undefined>;
  /** Text that stands for the value in `env` of a pod, template, endpoint or cluster. */
  declare readonly reference: Output<string>;
  /** When the value was set last, RFC 3339. */
  declare readonly valueUpdatedAt: Output<string | undefined>;

  constructor(name: string, args: SecretArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "secret",
        type: "Secret",
        outputs: ["name", "description", "reference", "valueUpdatedAt"],
        secrets: ["value"],
      },
      name,
      args,
      options,
    );
  }
}
