import type { Input } from "@pulumi/pulumi";
import type { RevisedTemplate } from "./internal/resource";

/** Container settings that clusters, pods, endpoints and templates share. They update in place, clusters aside. */
export interface BaseContainerArgs {
  /** Command of the container, one string. Default: the image's own. */
  args?: Input<string>;
  /** Container disk in GB, at least 1; wiped at every restart. Default: the service's. */
  disk?: Input<number>;
  /** `port/protocol`, such as `8888/http` or `22/tcp`, in any order; at most 10 http. Default: none. */
  ports?: Input<Input<string>[]>;
  /**
   * Environment, at most 50 variables; always a secret in the state. Variables that the platform adds are no drift.
   * Default: none.
   */
  env?: Input<Record<string, Input<string>>>;
}

export interface ContainerArgs extends BaseContainerArgs {
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. */
  registry?: Input<string>;
}

/** What is left out comes from the template, where one is named. */
export interface TemplatedContainerArgs extends ContainerArgs {
  /** Container image with its tag. Required without `templateId`. */
  image?: Input<string>;
  /** A Template whose settings are copied, and copied again in the run that changes it. It, or `templateId`. */
  template?: RevisedTemplate;
  /** Id of a template, own or public, whose settings are copied; changing it copies again. Write-only. */
  templateId?: Input<string>;
  /** A number whose change copies the template's settings again. Write-only. */
  templateRevision?: Input<number>;
}
