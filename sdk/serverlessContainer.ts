import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { TemplatedContainerArgs } from "./container";
import { type CommonArgs, ComputeCloudResource } from "./internal/resource";
import type { CpuArgs } from "./pod";
import type { FlashBoot, QueueUrls } from "./serverlessEndpoint";

export type EndpointType = "QUEUE" | "LOAD_BALANCER";

export interface EndpointGpuArgs {
  /** GPU pools of the catalog in order of priority, at least one. */
  pools: Input<Input<string>[]>;
  /** GPU types taken out of the pools, in any order. Default: none. */
  excludedTypes?: Input<Input<string>[]>;
  /** GPUs of a worker. Default 1. */
  count?: Input<number>;
  /** Versions such as "12.4", in any order; not together with `minCudaVersion`. Default: any, or the template's. */
  allowedCudaVersions?: Input<Input<string>[]>;
  /** Such as "12.4". Default: none. */
  minCudaVersion?: Input<string>;
}

export interface EndpointWorkersArgs {
  /** Workers that are always on, and billed. Default 0. */
  min?: Input<number>;
  /** Default 3; left out, the service may lower it. */
  max?: Input<number>;
  /** Seconds, 1 to 3600. Default 10; not taken by a queue that scales by REQUEST_COUNT. */
  idleTimeout?: Input<number>;
}

/** When workers are added. */
export type ScalingArgs =
  /** A job has waited longer than `queueDelay` seconds, at least 0.5. Not for load balancers. */
  | { type: Input<"QUEUE_DELAY">; queueDelay: Input<number> }
  /** There are more than `requestCount` requests a worker. */
  | { type: Input<"REQUEST_COUNT">; requestCount: Input<number> };

/** Everything but `type`, and the choice between `gpu` and `cpu`, updates in place. */
export interface ServerlessContainerArgs extends CommonArgs, TemplatedContainerArgs {
  /** Need not be unique. Default: the logical name and a short hash. */
  name?: Input<string>;
  /** Changing it replaces. */
  type: Input<EndpointType>;
  /** Exactly one of `gpu` and `cpu`. Switching replaces. */
  gpu?: Input<EndpointGpuArgs>;
  /** CPU workers in order of priority. Exactly one of `gpu` and `cpu`. Switching replaces. */
  cpu?: Input<Input<CpuArgs>[]>;
  workers?: Input<EndpointWorkersArgs>;
  scaling: Input<ScalingArgs>;
  /** In any order. Default: any. */
  dataCenterIds?: Input<Input<string>[]>;
  /** Ids of network volumes, at most one in a data center. Default: none. */
  networkVolumes?: Input<Input<string>[]>;
  /** Milliseconds that a request may take. Default 300000. */
  timeout?: Input<number>;
  /** Default OFF. */
  flashboot?: Input<FlashBoot>;
  /** Whether a run waits until `workers.min` workers are ready. Default false. */
  awaitWorkers?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default "15m". */
  createTimeout?: Input<string>;
}

/** Addresses of a load balancing endpoint. */
export interface LoadBalancerUrls {
  base: string;
  health: string;
}

/** A serverless endpoint with all that REST offers: GPU or CPU workers, with or without a template. */
export class ServerlessContainer extends ComputeCloudResource {
  declare readonly name: Output<string>;
  declare readonly type: Output<EndpointType>;
  declare readonly image: Output<string | undefined>;
  /** GB. */
  declare readonly disk: Output<number | undefined>;
  declare readonly env: Output<Record<string, string> | undefined>;
  declare readonly dataCenterIds: Output<string[]>;
  declare readonly networkVolumes: Output<string[]>;
  /** Milliseconds. */
  declare readonly timeout: Output<number>;
  declare readonly flashboot: Output<FlashBoot>;
  declare readonly requestUrls: Output<QueueUrls | LoadBalancerUrls>;
  declare readonly createdAt: Output<string>;
  /** Changes whenever an update of ours changed the endpoint. */
  declare readonly revision: Output<number>;

  constructor(name: string, args: ServerlessContainerArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "serverlessContainer",
        type: "ServerlessContainer",
        takesTemplate: "follows",
        outputs: [
          "name",
          "type",
          "image",
          "disk",
          "env",
          "dataCenterIds",
          "networkVolumes",
          "timeout",
          "flashboot",
          "requestUrls",
          "createdAt",
          "revision",
        ],
        secrets: ["env"],
      },
      name,
      args,
      options,
    );
  }
}
