import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface EcrDelegationArgs extends CommonArgs {
  /** ARN of the ECR repository. Always a secret in the state. Changing it replaces. */
  resource: Input<string>;
  /** Default: none. Changing it replaces. */
  name?: Input<string>;
}

/** Leave for the service to pull images from a private ECR repository. */
export class EcrDelegation extends ComputeCloudResource {
  declare readonly resource: Output<string>;
  declare readonly name: Output<string | undefined>;
  /** A secret. */
  declare readonly delegatorUserId: Output<string>;
  /** A secret. */
  declare readonly awsUser: Output<string>;
  declare readonly repository: Output<string>;
  declare readonly tag: Output<string>;
  declare readonly awsRegion: Output<string>;
  declare readonly dockerRegistryUri: Output<string | undefined>;
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: EcrDelegationArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "ecrDelegation",
        type: "EcrDelegation",
        outputs: [
          "resource",
          "name",
          "delegatorUserId",
          "awsUser",
          "repository",
          "tag",
          "awsRegion",
          "dockerRegistryUri",
          "createdAt",
        ],
        secrets: ["resource", "delegatorUserId", "awsUser", "dockerRegistryUri"],
        named: false,
      },
      name,
      args,
      options,
    );
  }
}
