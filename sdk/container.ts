import type { Input } from "@pulumi/pulumi";

/** Container settings that clusters, pods, endpoints and templates share. */
export interface BaseContainerArgs {
  /** Command of the container, one string. Default: the image's own. */
  args?: Input<string>;
  /** Container disk in GB, at least 1; wiped at every restart. Default: the service's. */
  disk?: Input<number>;
  /** `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Default: none. */
  ports?: Input<Input<string>[]>;
  /** Environment, at most 50 variables; always a secret in the state. Variables that the platform adds are no drift. Default: none. */
  env?: Input<Record<string, Input<string>>>;
}

export interface ContainerArgs extends BaseContainerArgs {
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. */
  registry?: Input<string>;
}

/** Storage of one machine, under a path in the container. */
export interface PersistentMountArgs {
  /** GB, at least 10. Grows in place. */
  size: Input<number>;
  path: Input<string>;
}
