import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { BaseContainerArgs } from "./container";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { MountsArgs } from "./mounts";

export type ClusterType = "APPLICATION" | "TRAINING" | "SLURM" | "RAY";

export interface ClusterComputeArgs {
  /** GPU type of the catalog. */
  gpuTypeId: Input<string>;
  gpuCountPerPod: Input<number>;
  /** 2 to 250. */
  podCount: Input<number>;
}

/** Only `name` updates in place; every other change replaces the cluster. */
export interface ClusterArgs extends CommonArgs, BaseContainerArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  type: Input<ClusterType>;
  compute: Input<ClusterComputeArgs>;
  /** GPU types to try, in order, when there is no room for `compute.gpuTypeId`; `gpuTypeId` tells which one it became. */
  gpuAlternatives?: Input<Input<string>[]>;
  image: Input<string>;
  /** Default: none. */
  mounts?: Input<MountsArgs>;
  /** Data centers to try, in order. Default: any. */
  dataCenterIds?: Input<Input<string>[]>;
  /** Default false. */
  startSsh?: Input<boolean>;
  /** Default false. */
  startJupyter?: Input<boolean>;
  /** Whether a run waits until all pods run and the primary is known. Default true. */
  awaitRunning?: Input<boolean>;
  /** How long it waits, such as "90s" or "30m". Default "30m". */
  createTimeout?: Input<string>;
}

/** Several pods of the same kind in one network. */
export class Cluster extends ComputeCloudResource {
  declare readonly name: Output<string>;
  declare readonly type: Output<ClusterType>;
  declare readonly image: Output<string>;
  declare readonly env: Output<Record<string, string>>;
  /** The GPU type it became. */
  declare readonly gpuTypeId: Output<string>;
  declare readonly dataCenterId: Output<string | undefined>;
  declare readonly network: Output<{ cidr: string } | undefined>;
  /** The pod of rank 0; `sshEndpoint` where it declares 22/tcp. */
  declare readonly primary: Output<{ podId: string; sshEndpoint?: string } | undefined>;
  /** Member pods, where the run waited for them. */
  declare readonly podIds: Output<string[] | undefined>;
  /** USD of all pods, when it was created and waited for. */
  declare readonly costPerHour: Output<number | undefined>;
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: ClusterArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "cluster",
        type: "Cluster",
        outputs: [
          "name",
          "type",
          "image",
          "env",
          "gpuTypeId",
          "dataCenterId",
          "network",
          "primary",
          "podIds",
          "costPerHour",
          "createdAt",
        ],
        secrets: ["env"],
      },
      name,
      args,
      options,
    );
  }
}
