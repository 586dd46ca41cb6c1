// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

/** Storage of a pod's machine, under a path in the container. */
export interface TemplateMountArgs {
  /** GB, at least 10. */
  size: Input<number>;
  /** Path in the container. */
  path: Input<string>;
}

/** Storage that pods of a template get. */
export interface TemplateMountsArgs {
  /** Storage of the pod's machine. Not with `serverless`. Removing it replaces. */
  persistent?: Input<TemplateMountArgs>;
}

export type TemplateCategory = "CPU" | "NVIDIA" | "AMD";
export const TemplateCategory = { Cpu: "CPU", Nvidia: "NVIDIA", Amd: "AMD" } as const;

/** Storage of a pod's machine, under a path in the container. */
export interface TemplateMount {
  /** GB, at least 10. */
  size: number;
  /** Path in the container. */
  path: string;
}

/** Storage that pods of a template get. */
export interface TemplateMounts {
  /** Storage of the pod's machine. Not with `serverless`. */
  persistent?: TemplateMount;
}

export interface TemplateArgs extends CommonArgs {
  /** Unique in the account. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** Container image with its tag. Updates in place. */
  image: Input<string>;
  /** Command of the container, one string; empty: the image's own. Default: none. Updates in place. */
  args?: Input<string>;
  /** In place of the image's entry point, word by word. Not together with `args`. Default: none. Updates in place. */
  entrypoint?: Input<Input<string>[]>;
  /** In place of the image's command, word by word. Not together with `args`. Default: none. Updates in place. */
  cmd?: Input<Input<string>[]>;
  /**
   * Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.
   * Updates in place.
   */
  disk?: Input<number>;
  /**
   * `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Default: none. Another order is not a change.
   * Updates in place.
   */
  ports?: Input<Input<string>[]>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: none. Always a secret.
   * Updates in place.
   */
  env?: Input<Record<string, Input<string>>>;
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. Updates in place. */
  registry?: Input<string>;
  /** Storage that pods of a template get. Default: none. Updates in place. */
  mounts?: Input<TemplateMountsArgs>;
  /** For serverless endpoints (true) or for pods. Default false. Updates in place. */
  serverless?: Input<boolean>;
  /** Whether all users of the service see it. Default false. Updates in place. */
  public?: Input<boolean>;
  /** Hardware that it is for. Default `NVIDIA`. Updates in place. */
  category?: Input<TemplateCategory>;
  /** Whether pods accept the account's SSH keys. Default true. Updates in place. */
  startSsh?: Input<boolean>;
  /** Whether pods start Jupyter. Default true. Updates in place. */
  startJupyter?: Input<boolean>;
  /** CUDA versions such as "12.4"; none: any. Default: none. Another order is not a change. Updates in place. */
  allowedCudaVersions?: Input<Input<string>[]>;
}

/**
 * A named set of container settings. Pods and endpoints get a copy, so later changes don't reach running ones.
 *
 * @example For a serverless endpoint, from a private registry
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Registry, Template } from "pulumi-computecloud";
 *
 * const config = new pulumi.Config();
 * const registry = new Registry("images", {
 *   username: "ci",
 *   password: config.requireSecret("registryPassword"),
 * });
 * const chat = new Template("chat", {
 *   image: "registry.example.com/chat:1.4.0",
 *   registry: registry.id,
 *   serverless: true,
 *   disk: 20,
 *   env: { MODEL_PATH: "/runpod-volume" },
 * });
 * ```
 *
 * @example For pods, with storage that outlives a restart
 * ```ts
 * import { Template } from "pulumi-computecloud";
 *
 * const notebook = new Template("notebook", {
 *   image: "registry.example.com/notebook:2.1.0",
 *   ports: ["8888/http", "22/tcp"],
 *   mounts: { persistent: { size: 50, path: "/workspace" } },
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/templates/create-a-template (POST /v2/templates)
 */
export class Template extends ComputeCloudResource {
  /** Unique in the account. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** Container image with its tag. */
  declare readonly image: Output<string>;
  /** Command of the container, one string; empty: the image's own. */
  declare readonly args: Output<string>;
  /** In place of the image's entry point, word by word. Not together with `args`. */
  declare readonly entrypoint: Output<string[]>;
  /** In place of the image's command, word by word. Not together with `args`. */
  declare readonly cmd: Output<string[]>;
  /** `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. */
  declare readonly ports: Output<string[]>;
  /** Environment, at most 50 variables. Variables that the platform adds are not drift. A secret. */
  declare readonly env: Output<Record<string, string>>;
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. */
  declare readonly registry: Output<string | undefined>;
  /** Storage that pods of a template get. */
  declare readonly mounts: Output<TemplateMounts>;
  /** For serverless endpoints (true) or for pods. */
  declare readonly serverless: Output<boolean>;
  /** Whether all users of the service see it. */
  declare readonly public: Output<boolean>;
  /** Hardware that it is for. */
  declare readonly category: Output<TemplateCategory>;
  /** Whether pods accept the account's SSH keys. */
  declare readonly startSsh: Output<boolean>;
  /** Whether pods start Jupyter. */
  declare readonly startJupyter: Output<boolean>;
  /** CUDA versions such as "12.4"; none: any. */
  declare readonly allowedCudaVersions: Output<string[]>;
  /** Container disk in GB. */
  declare readonly disk: Output<number>;
  /** Changes with every update of the template by this provider. */
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
          "entrypoint",
          "cmd",
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
          "disk",
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
