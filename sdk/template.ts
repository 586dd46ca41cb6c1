import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { ContainerArgs } from "./container";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { PersistentMountArgs } from "./mounts";

export type TemplateCategory = "CPU" | "NVIDIA" | "AMD";

export interface TemplateMountsArgs {
  /** Updates in place; removing it replaces the template. Not with `serverless`. */
  persistent?: Input<PersistentMountArgs>;
}

export interface TemplateArgs extends CommonArgs, ContainerArgs {
  /** Unique in the account. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** Container image with its tag. Updates in place. */
  image: Input<string>;
  /** Default: none. */
  mounts?: Input<TemplateMountsArgs>;
  /** For serverless endpoints (true) or for pods. Default false. Updates in place. */
  serverless?: Input<boolean>;
  /** Shown to everybody. Default false. Updates in place. */
  public?: Input<boolean>;
  /** Default NVIDIA. Updates in place. */
  category?: Input<TemplateCategory>;
  /** Default true. Updates in place. */
  startSsh?: Input<boolean>;
  /** Default true. Updates in place. */
  startJupyter?: Input<boolean>;
  /** Versions such as "12.4", in any order. Default: any. Updates in place. */
  allowedCudaVersions?: Input<Input<string>[]>;
}

/** A container's settings under a name. Who uses it takes a copy: later changes don't reach running pods or endpoints. */
export class Template extends ComputeCloudResource {
  declare readonly name: Output<string>;
  declare readonly image: Output<string>;
  declare readonly args: Output<string>;
  /** GB. */
  declare readonly disk: Output<number>;
  declare readonly ports: Output<string[]>;
  declare readonly env: Output<Record<string, string>>;
  declare readonly registry: Output<string | undefined>;
  declare readonly mounts: Output<{ persistent?: { size: number; path: string } }>;
  declare readonly serverless: Output<boolean>;
  declare readonly public: Output<boolean>;
  declare readonly category: Output<TemplateCategory>;
  declare readonly startSsh: Output<boolean>;
  declare readonly startJupyter: Output<boolean>;
  declare readonly allowedCudaVersions: Output<string[]>;
  /** Changes whenever an update of ours changed the template. */
  declare readonly revision: Output<number>;

  constructor(name: string, args: TemplateArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "template",
        type: "Template",
        outputs: [
          "name",
          "image",
          "args",
          "disk",
          "ports",
          "env",
          "registry",
          "mounts",
          "serverless",
          "public",
          "category",
          "startSsh",
          "startJupyter",
          "allowedCudaVersions",
          "revision",
        ],
        secrets: ["env"],
      },
      name,
      args,
      options,
    );
  }
}
