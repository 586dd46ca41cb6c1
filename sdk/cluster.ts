// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { DataCenterId, GpuTypeId, MountsArgs } from "./types";

export type ClusterType = "APPLICATION" | "TRAINING" | "SLURM" | "RAY";
export const ClusterType = { Application: "APPLICATION", Training: "TRAINING", Slurm: "SLURM", Ray: "RAY" } as const;

/** Hardware of a cluster: pods that are all alike. */
export interface ClusterComputeArgs {
  /** GPU type of the catalog. */
  gpuTypeId: Input<GpuTypeId>;
  /** GPUs in each pod. */
  gpuCountPerPod: Input<number>;
  /** Pods, 2 to 250. */
  podCount: Input<number>;
}

export interface ClusterNetwork {
  /** Its addresses, such as `10.1.0.0/24`. */
  cidr: string;
  /** Number of its VXLAN. */
  vxlanId?: number;
  /** UDP port of its VXLAN. */
  vxlanPort?: number;
}

export interface ClusterPrimary {
  /** Id of the pod. */
  podId: string;
  /** Address for a shell, where it declares 22/tcp. */
  sshEndpoint?: string;
}

export interface ClusterArgs extends CommonArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** What is set up on its pods: nothing, a training network, Slurm or Ray. Changing it replaces. */
  type: Input<ClusterType>;
  /** Hardware of a cluster: pods that are all alike. Changing it replaces. */
  compute: Input<ClusterComputeArgs>;
  /**
   * GPU types to try, in order, when `compute.gpuTypeId` is not available. The output `gpuTypeId` names the chosen
   * type. Default: none. Changing it alone updates nothing.
   */
  gpuAlternatives?: Input<Input<GpuTypeId>[]>;
  /**
   * Container image with its tag. Required without `templateId`. Write-only: changes made elsewhere are not seen.
   * Changing it replaces.
   */
  image?: Input<string>;
  /**
   * Command of the container, one string. Default: the template's, or the image's own. Write-only: changes made
   * elsewhere are not seen. Changing it replaces.
   */
  args?: Input<string>;
  /**
   * In place of the image's entry point, word by word. Not together with `args`. Default: the template's, or the
   * image's own. Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  entrypoint?: Input<Input<string>[]>;
  /**
   * In place of the image's command, word by word. Not together with `args`. Default: the template's, or the image's
   * own. Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  cmd?: Input<Input<string>[]>;
  /**
   * Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.
   * Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  disk?: Input<number>;
  /**
   * `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Default: the template's, or none. Another order
   * is not a change. Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  ports?: Input<Input<string>[]>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: the template's, or
   * none. Write-only: changes made elsewhere are not seen. Always a secret. Changing it replaces.
   */
  env?: Input<Record<string, Input<string>>>;
  /**
   * Id of a Template for pods, own or public, in place of image, command, disk, ports, env and mounts. A private image
   * needs a template. Default: none. Changing it replaces.
   */
  templateId?: Input<string>;
  /**
   * Storage that outlives a restart: at most one of `persistent` and `network`, and a global volume. Default: none.
   * Write-only: changes made elsewhere are not seen. Changing it replaces.
   */
  mounts?: Input<MountsArgs>;
  /**
   * Data centers to try, in order; none: any. Default: none. Another order is not a change. Write-only: changes made
   * elsewhere are not seen. Changing it replaces.
   */
  dataCenterIds?: Input<Input<DataCenterId>[]>;
  /**
   * Whether its pods accept the account's SSH keys. Default false. Write-only: changes made elsewhere are not seen.
   * Changing it replaces.
   */
  startSsh?: Input<boolean>;
  /**
   * Whether its pods start Jupyter. Default false. Write-only: changes made elsewhere are not seen. Changing it
   * replaces.
   */
  startJupyter?: Input<boolean>;
  /**
   * How long to wait for free hardware, such as "2h": the create is repeated with every GPU type and data center in
   * turn until one has room. `createTimeout` begins once it is created. Default: not at all. Changing it alone updates
   * nothing.
   */
  waitForCapacity?: Input<string>;
  /**
   * Whether a run waits until all pods run and the primary is known. Default true. Changing it alone updates nothing.
   */
  awaitRunning?: Input<boolean>;
  /** How long it waits, such as "90s" or "30m". Default `30m`. Changing it alone updates nothing. */
  createTimeout?: Input<string>;
}

/**
 * Several pods of the same kind in one network. Only `name` updates in place.
 *
 * @example Slurm on two pods of eight GPUs
 * ```ts
 * import { Cluster } from "pulumi-computecloud";
 *
 * const training = new Cluster("training", {
 *   type: "SLURM",
 *   image: "registry.example.com/slurm:24.05",
 *   compute: {
 *     gpuTypeId: "NVIDIA H100 80GB HBM3",
 *     gpuCountPerPod: 8,
 *     podCount: 2,
 *   },
 *   ports: ["22/tcp"],
 *   startSsh: true,
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/clusters/create-a-cluster (POST /v2/clusters)
 */
export class Cluster extends ComputeCloudResource {
  /** Need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** What is set up on its pods: nothing, a training network, Slurm or Ray. */
  declare readonly type: Output<ClusterType>;
  /** Container image with its tag. Required without `templateId`. */
  declare readonly image: Output<string | undefined>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: the template's, or
   * none. A secret.
   */
  declare readonly env: Output<Record<string, string> | undefined>;
  /** The chosen GPU type. */
  declare readonly gpuTypeId: Output<string>;
  /** Data center of its pods. */
  declare readonly dataCenterId: Output<string | undefined>;
  /** The network between its pods. */
  declare readonly network: Output<ClusterNetwork | undefined>;
  /** The pod of rank 0; `sshEndpoint` where it declares 22/tcp. `getCluster` also shows its status. */
  declare readonly primary: Output<ClusterPrimary | undefined>;
  /** Member pods, where the run waited for them. `getCluster` shows how many are in each status. */
  declare readonly podIds: Output<string[] | undefined>;
  /** USD for all pods when the cluster was created. Undefined if the run did not wait for the pods. */
  declare readonly costPerHour: Output<number | undefined>;
  /** When it was created, RFC 3339. */
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
