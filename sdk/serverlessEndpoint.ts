import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource, type RevisedTemplate } from "./internal/resource";

export type ServerlessType = "QB" | "LB";
export type ScalerType = "QUEUE_DELAY" | "REQUEST_COUNT";
export type FlashBoot = "OFF" | "FLASHBOOT" | "PRIORITY_FLASHBOOT";

export interface ServerlessEndpointArgs extends CommonArgs {
  /** At least 3 characters; need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** A serverless Template, whose changes reach the endpoint in the same run. It, or `templateId`. Updates in place. */
  template?: RevisedTemplate;
  /**
   * Id of a serverless template; of a Template of the same program, `template.id` follows it like `template`. A copy that
   * differs from a template made elsewhere is found by a refresh, and mended by the next `up`. Updates in place.
   */
  templateId?: Input<string>;
  /** A number whose change takes the template over again, such as its `revision` from another stack. */
  templateRevision?: Input<number>;
  /**
   * GPU pools in order of priority, comma separated, minus single GPU types: `AMPERE_16,-NVIDIA RTX A4500`. Updates in
   * place, and recreates the workers.
   */
  gpuIds: Input<string>;
  /** GPUs of a worker. Default 1. Updates in place. */
  gpuCount?: Input<number>;
  /** Queue (`QB`) or load balancing (`LB`). Default QB. Changing it replaces. */
  type?: Input<ServerlessType>;
  /** Where workers may run, comma separated. Default "": anywhere. Updates in place. */
  locations?: Input<string>;
  /** Id of a NetworkVolume; restricts workers to its data center. Default: none. Updates in place. */
  networkVolumeId?: Input<string>;
  /** Seconds that a worker without work stays, 1 to 3600. Default 10. Updates in place. */
  idleTimeout?: Input<number>;
  /** Default QUEUE_DELAY. Updates in place. */
  scalerType?: Input<ScalerType>;
  /** Seconds of queue delay, or requests a worker, from which workers are added. At least 1, default 4. Updates in place. */
  scalerValue?: Input<number>;
  /** Workers that are always on, and billed. Default 0. Updates in place. */
  workersMin?: Input<number>;
  /** Default 3; left out, the service may lower it. Updates in place. */
  workersMax?: Input<number>;
  /** Default OFF. Updates in place. */
  flashBootType?: Input<FlashBoot>;
  /** Whether a run waits until `workersMin` workers are ready. Default false. */
  awaitWorkers?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default "15m". */
  createTimeout?: Input<string>;
}

/** Addresses of a queue's operations; `{job_id}` stands for the job's id. */
export interface QueueUrls {
  run: string;
  runSync: string;
  status: string;
  stream: string;
  cancel: string;
  retry: string;
  purgeQueue: string;
  health: string;
}

/**
 * A serverless endpoint on a template: workers that come and go with the jobs in its queue. Before it is deleted its
 * workers are scaled to 0.
 *
 * CPU workers, images without a template, CUDA versions, several volumes and request timeouts need ServerlessContainer.
 */
export class ServerlessEndpoint extends ComputeCloudResource {
  declare readonly name: Output<string>;
  declare readonly templateId: Output<string>;
  declare readonly gpuIds: Output<string>;
  declare readonly gpuCount: Output<number>;
  declare readonly type: Output<ServerlessType>;
  declare readonly locations: Output<string>;
  declare readonly networkVolumeId: Output<string | undefined>;
  /** Seconds. */
  declare readonly idleTimeout: Output<number>;
  declare readonly scalerType: Output<ScalerType>;
  declare readonly scalerValue: Output<number>;
  declare readonly workersMin: Output<number>;
  declare readonly workersMax: Output<number>;
  declare readonly flashBootType: Output<FlashBoot>;
  declare readonly requestUrls: Output<QueueUrls>;
  /** Changes whenever an update of ours changed the endpoint. */
  declare readonly revision: Output<number>;

  constructor(name: string, args: ServerlessEndpointArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "serverlessEndpoint",
        type: "ServerlessEndpoint",
        takesTemplate: "follows",
        outputs: [
          "name",
          "templateId",
          "gpuIds",
          "gpuCount",
          "type",
          "locations",
          "networkVolumeId",
          "idleTimeout",
          "scalerType",
          "scalerValue",
          "workersMin",
          "workersMax",
          "flashBootType",
          "requestUrls",
          "revision",
        ],
      },
      name,
      args,
      options,
    );
  }
}
