import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface RegistryArgs extends CommonArgs {
  /** Unique in the account. Default: the logical name and a short hash. Changing it replaces. */
  name?: Input<string>;
  /** Always a secret; the service never returns it. Updates in place. */
  username: Input<string>;
  /** Always a secret; the service never returns it. Updates in place. */
  password: Input<string>;
}

/** Credentials for a private container registry. Templates, pods and endpoints name it by its id. */
export class Registry extends ComputeCloudResource {
  declare readonly name: Output<string>;
  declare readonly username: Output<string>;
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
