// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { AttachedResourceArgs } from "./types";

export interface TagArgs extends CommonArgs {
  /** Key of the tag, 1 to 191 characters. Updates in place. */
  key: Input<string>;
  /** Value of the tag, 0 to 191 characters. Updates in place. */
  value: Input<string>;
  /**
   * The resources with this tag. Changes made outside of the program are undone by the first run after a refresh, as
   * far as the service shows them. Default: none. Another order is not a change. Updates in place.
   */
  resources?: Input<Input<AttachedResourceArgs>[]>;
}

/**
 * A key and a value on pods, clusters, serverless endpoints and network volumes. The tag lists its resources; the
 * resources don't show their tags.
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
 *
 * @see https://docs.runpod.io/api-reference-v2/tags/create-a-tag (POST /v2/tags)
 */
export class Tag extends ComputeCloudResource {
  /** Key of the tag, 1 to 191 characters. */
  declare readonly key: Output<string>;
  /** Value of the tag, 0 to 191 characters. */
  declare readonly value: Output<string>;
  /** When it was created, RFC 3339. */
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: TagArgs, options?: CustomResourceOptions) {
    super({ provider: "tag", type: "Tag", outputs: ["key", "value", "createdAt"], named: false }, name, args, options);
  }
}
