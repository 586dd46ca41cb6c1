// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

export interface GlobalVolumeArgs extends CommonArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
}

/**
 * Persistent storage that is not bound to a data center and has no size to declare. Pods with GPUs mount it by
 * `mounts.global`, endpoints with GPUs by `globalVolumeId` or `globalVolumes`.
 *
 * @example Room for models everywhere
 * ```ts
 * import { GlobalVolume } from "pulumi-computecloud";
 *
 * const models = new GlobalVolume("models", {  });
 * ```
 *
 * @see https://docs.runpod.io/storage/globalvolume (POST /v2/global-volumes)
 */
export class GlobalVolume extends ComputeCloudResource {
  /** Need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** When it was created, RFC 3339. */
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: GlobalVolumeArgs, options?: CustomResourceOptions) {
    super({ provider: "globalVolume", type: "GlobalVolume", outputs: ["name", "createdAt"] }, name, args, options);
  }
}
