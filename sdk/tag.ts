// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { AttachedResourceArgs } from "./types";

export interface TagArgs extends CommonArgs {
  /** What it tells, 1 to 191 characters. Updates in place. */
  key: Input<string>;
  /** What it tells of it, 0 to 191 characters. Updates in place. */
  value: Input<string>;
  /**
   * What bears it. What somebody else has put it on or taken it off is set back by the run after a refresh, as far as
   * the service shows that. Default: none. Another order is not a change. Updates in place.
   */
  resources?: Input<Input<AttachedResourceArgs>[]>;
}

/**
 * A key and a value on pods, clusters, serverless endpoints and network volumes. These don't show their tags: the tag
 * lists what bears it.
 *
 * @example Whose volume it is
 * ```ts
 * import { NetworkVolume, Tag } from "pulumi-computecloud";
 *
 * const networkVolume = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" });
 * const team = new Tag("team", {
 *   key: "team",
 *   value: "research",
 *   resources: [{ type: "NETWORK_VOLUME", id: networkVolume.id }],
 * });
 * ```
 */
export class Tag extends ComputeCloudResource {
  /** What it tells, 1 to 191 characters. */
  declare readonly key: Output<string>;
  /** What it tells of it, 0 to 191 characters. */
  declare readonly value: Output<string>;
  /** When it was created, RFC 3339. */
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: TagArgs, options?: CustomResourceOptions) {
    super({ provider: "tag", type: "Tag", outputs: ["key", "value", "createdAt"], named: false }, name, args, options);
  }
}
