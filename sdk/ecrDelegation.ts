// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface EcrDelegationArgs extends CommonArgs {
  /** ARN of the ECR repository. Always a secret. Changing it replaces. */
  resource: Input<string>;
  /** Need not be unique. Default: the logical name and a short hash. Changing it replaces. */
  name?: Input<string>;
}

/**
 * Permission for the service to pull images from a private ECR repository.
 *
 * @example One repository
 * ```ts
 * import { EcrDelegation } from "pulumi-computecloud";
 *
 * const images = new EcrDelegation("images", {
 *   resource: "arn:aws:ecr:eu-west-1:123456789012:repository/embedder",
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/registries/register-an-ecr-delegation (POST /v2/registries/delegations)
 */
export class EcrDelegation extends ComputeCloudResource {
  /** ARN of the ECR repository. A secret. */
  declare readonly resource: Output<string>;
  /** Need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** Id of the user that gave the permission. A secret. */
  declare readonly delegatorUserId: Output<string>;
  /** AWS account of the repository. A secret. */
  declare readonly awsUser: Output<string>;
  /** Name of the ECR repository. */
  declare readonly repository: Output<string>;
  /** Tag of the image. */
  declare readonly tag: Output<string>;
  /** AWS region of the repository. */
  declare readonly awsRegion: Output<string>;
  /** Address of the registry, with which image names begin. A secret. */
  declare readonly dockerRegistryUri: Output<string | undefined>;
  /** When it was created, RFC 3339. */
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
      },
      name,
      args,
      options,
    );
  }
}
