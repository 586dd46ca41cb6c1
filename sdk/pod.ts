import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { TemplatedContainerArgs } from "./container";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { Mounts, MountsArgs } from "./mounts";

export type Cloud = "SECURE" | "COMMUNITY";

export interface PodGpuArgs {
  /** GPU type of the catalog, such as `NVIDIA L4`. Changing it replaces. */
  id: Input<string>;
  /** Default 1. Changing it replaces. */
  count?: Input<number>;
  /** Versions such as "12.4", in any order; not together with `minCudaVersion`. Write-only. Changing it replaces. */
  allowedCudaVersions?: Input<Input<string>[]>;
  /** Such as "12.4". Write-only. Changing it replaces. */
  minCudaVersion?: Input<string>;
}

export interface CpuArgs {
  /** CPU flavor of the catalog, such as `cpu5c`. */
  id: Input<string>;
  /** A power of two from 2. Memory comes with it. */
  vcpuCount: Input<number>;
}

export interface PodArgs extends CommonArgs, TemplatedContainerArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** Exactly one of `gpu` and `cpu`. Switching replaces. */
  gpu?: Input<PodGpuArgs>;
  /** GPU types to try, in order, when there is no room for `gpu.id`; `gpuTypeId` tells which one it became. */
  gpuAlternatives?: Input<Input<string>[]>;
  /** Exactly one of `gpu` and `cpu`. Changing it replaces. */
  cpu?: Input<CpuArgs>;
  /** Default SECURE; network volumes need it. Changing it replaces. */
  cloud?: Input<Cloud>;
  /** Data centers to try, in order. Default: any. Only a list that leaves out the present one replaces. */
  dataCenterIds?: Input<Input<string>[]>;
  /** Default: none. */
  mounts?: Input<MountsArgs>;
  /** Needs an NVIDIA GPU and a data center that offers it; takes effect at the next start. Default false. */
  globalNetworking?: Input<boolean>;
  /** Injects the account's SSH keys. Default false, or the template's. Write-only. Changing it replaces. */
  startSsh?: Input<boolean>;
  /** Starts Jupyter with a generated password. Default false, or the template's. Write-only. Changing it replaces. */
  startJupyter?: Input<boolean>;
  /** Refuses stop, restart and delete. Default false. Updates in place. */
  locked?: Input<boolean>;
  /** Started or stopped; a stopped pod keeps only its mounts. Default RUNNING. Updates in place. */
  desiredStatus?: Input<"RUNNING" | "EXITED">;
  /** Whether a run waits until the pod runs. Default true. */
  awaitRunning?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default "15m". */
  createTimeout?: Input<string>;
}

/** A port that reaches the internet. */
export interface PublicPort {
  /** As declared in `ports`. */
  port: number;
  protocol?: string;
  /** `ip:port`. A start of the pod deals a new number. */
  address: string;
}

/** One machine with GPUs or CPUs that runs one container. */
export class Pod extends ComputeCloudResource {
  declare readonly name: Output<string>;
  declare readonly image: Output<string | undefined>;
  /** GB. */
  declare readonly disk: Output<number>;
  declare readonly env: Output<Record<string, string> | undefined>;
  declare readonly mounts: Output<Mounts>;
  declare readonly cloud: Output<Cloud>;
  declare readonly locked: Output<boolean>;
  declare readonly desiredStatus: Output<"RUNNING" | "EXITED">;
  /** The GPU type it became: `gpu.id` or one of `gpuAlternatives`. Undefined on CPU pods. */
  declare readonly gpuTypeId: Output<string | undefined>;
  /** Where it was placed. */
  declare readonly dataCenterId: Output<string | undefined>;
  /** GB of a CPU pod. */
  declare readonly memory: Output<number | undefined>;
  /** Commands for a shell: through the proxy, and to the pod itself where port 22/tcp is public. */
  declare readonly ssh: Output<{ proxy?: string; direct?: string }>;
  /** TCP ports that reach the internet. */
  declare readonly publicPorts: Output<PublicPort[]>;
  /** Addresses of the http ports by port, such as `{ "8888": "https://…" }`; undefined where the cloud's proxy is not known. */
  declare readonly proxyUrls: Output<Record<string, string> | undefined>;
  /** Name in the global network, where enabled. */
  declare readonly internalDns: Output<string | undefined>;
  /** USD, when it was created. */
  declare readonly costPerHour: Output<number>;
  declare readonly createdAt: Output<string>;

  constructor(name: string, args: PodArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "pod",
        type: "Pod",
        takesTemplate: "onRequest",
        outputs: [
          "name",
          "image",
          "disk",
          "env",
          "mounts",
          "cloud",
          "locked",
          "desiredStatus",
          "gpuTypeId",
          "dataCenterId",
          "memory",
          "ssh",
          "publicPorts",
          "proxyUrls",
          "internalDns",
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
