import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";

/** Storage tier of a network volume. */
export type VolumeType = "STANDARD" | "HIGH_PERFORMANCE";

export interface NetworkVolumeArgs extends CommonArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** GB, 10 to 4096. Grows in place; shrinking is refused, for it would lose the data. */
  size: Input<number>;
  /** Id of a data center of the catalog. Changing it replaces the volume, and its data is lost. */
  dataCenter: Input<string>;
  /** Default: the data center's primary tier. Changing it replaces the volume, and its data is lost. */
  type?: Input<VolumeType>;
}

/** Persistent storage in one data center, shared by the pods and workers that mount it. */
export class NetworkVolume extends ComputeCloudResource {
  declare readonly name: Output<string>;
  /** GB. */
  declare readonly size: Output<number>;
  declare readonly dataCenter: Output<string>;
  /** The tier, also where it was left to the data center. */
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
