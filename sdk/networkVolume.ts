// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { DataCenterId } from "./types";

export type VolumeType = "STANDARD" | "HIGH_PERFORMANCE";
export const VolumeType = { Standard: "STANDARD", HighPerformance: "HIGH_PERFORMANCE" } as const;

export interface NetworkVolumeArgs extends CommonArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** GB, 10 to 4096. Grows in place; shrinking is refused, because it would lose the data. */
  size: Input<number>;
  /** Id of a data center of the catalog. A replacement loses the volume's data. Changing it replaces. */
  dataCenter: Input<DataCenterId>;
  /** Default: the data center's primary tier. A replacement loses the volume's data. Changing it replaces. */
  type?: Input<VolumeType>;
}

/**
 * Persistent storage in one data center, shared by the pods and workers that mount it.
 *
 * @example Room for models
 * ```ts
 * import { NetworkVolume } from "pulumi-computecloud";
 *
 * const models = new NetworkVolume("models", { size: 100, dataCenter: "EU-RO-1" });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/network-volumes/create-a-network-volume (POST /v2/network-volumes)
 */
export class NetworkVolume extends ComputeCloudResource {
  /** Need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** GB, 10 to 4096. */
  declare readonly size: Output<number>;
  /** Id of a data center of the catalog. A replacement loses the volume's data. */
  declare readonly dataCenter: Output<string>;
  /** The tier: the declared one, or the one that the data center chose. */
  declare readonly type: Output<VolumeType>;

  constructor(name: string, args: NetworkVolumeArgs, options?: CustomResourceOptions) {
    super(
      { provider: "networkVolume", type: "NetworkVolume", outputs: ["name", "size", "dataCenter", "type"] },
      name,
      args,
      options,
    );
  }
}
