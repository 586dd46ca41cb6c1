// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource, type RevisedTemplate } from "./internal/resource";
import type {
  EndpointUrls,
  FlashBoot,
  GpuPoolList,
  PlaceList,
  ScalerType,
  ScheduleArgs,
  ServerlessType,
} from "./types";

export interface ServerlessEndpointArgs extends CommonArgs {
  /** At least 3 characters; need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** A serverless Template, whose changes reach the endpoint in the same run. Give this or `templateId`. */
  template?: RevisedTemplate;
  /**
   * Id of a serverless template. The `id` of a Template in the same program follows that Template's changes, as
   * `template` does. A refresh finds a copy that differs from its template, and the next `up` repairs it. Required
   * without `template`. Updates in place.
   */
  templateId?: Input<string>;
  /**
   * A number whose change copies the template again, such as the template's `revision` from another stack. Default:
   * none. Write-only: changes made elsewhere are not seen.
   */
  templateRevision?: Input<number>;
  /**
   * GPU pools in order of priority, comma separated, minus single GPU types: `AMPERE_16,-NVIDIA RTX A4500`. A change
   * recreates the workers. Updates in place.
   */
  gpuIds: Input<GpuPoolList>;
  /** GPUs of a worker. Default 1. Updates in place. */
  gpuCount?: Input<number>;
  /** Queue (`QB`) or load balancing (`LB`). Default `QB`. Changing it replaces. */
  type?: Input<ServerlessType>;
  /**
   * Where workers may run, country codes or data centers, comma separated; empty: anywhere. Default: none. Updates in
   * place.
   */
  locations?: Input<PlaceList>;
  /**
   * Id of a NetworkVolume, which workers find at `/runpod-volume`; restricts them to its data center. Default: none.
   * Updates in place.
   */
  networkVolumeId?: Input<string>;
  /**
   * Id of a GlobalVolume, which workers find at `/runpod-volume`, wherever they run; not together with
   * `networkVolumeId`. Default: none. Updates in place.
   */
  globalVolumeId?: Input<string>;
  /** Seconds that an idle worker stays, 1 to 3600. Default 10. Updates in place. */
  idleTimeout?: Input<number>;
  /**
   * Whether workers are added by the delay in the queue or by the number of requests. Default `QUEUE_DELAY`. Updates in
   * place.
   */
  scalerType?: Input<ScalerType>;
  /**
   * Seconds of queue delay, or requests a worker, from which workers are added. At least 1. Default 4. Updates in
   * place.
   */
  scalerValue?: Input<number>;
  /** Workers that are always on, and billed. Default 0. Updates in place. */
  workersMin?: Input<number>;
  /** Most workers at a time. Left out, the service may lower it. Default 3. Updates in place. */
  workersMax?: Input<number>;
  /**
   * Workers by the clock, in place of the endpoint's own. A run brings the endpoint to what holds at that moment, so
   * that something has to run at its times: a pipeline's cron. A change of it changes nothing but the workers of now.
   * Default: none.
   */
  schedule?: Input<ScheduleArgs>;
  /**
   * Models that are cached on the machines of its workers, as `https://huggingface.co/<owner>/<model>:<revision>`. Only
   * through GraphQL. Default: the endpoint's present models. Updates in place.
   */
  models?: Input<Input<string>[]>;
  /**
   * How fast stopped workers come back. Left out, an adopted endpoint keeps what it has. Default `OFF`. Updates in
   * place.
   */
  flashBootType?: Input<FlashBoot>;
  /** Whether a run waits until `workersMin` workers are ready. Default false. Changing it alone updates nothing. */
  awaitWorkers?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default `15m`. Changing it alone updates nothing. */
  createTimeout?: Input<string>;
}

/**
 * A serverless endpoint on a template. Workers start and stop with the jobs in its queue. It is scaled to 0 workers
 * before it is deleted.
 *
 * CPU workers, images without a template, CUDA versions, several volumes and request timeouts need ServerlessContainer.
 *
 * @example A queue that follows its template
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import { Registry, ServerlessEndpoint, Template } from "pulumi-computecloud";
 *
 * const config = new pulumi.Config();
 * const registry = new Registry("images", {
 *   username: "ci",
 *   password: config.requireSecret("registryPassword"),
 * });
 * const template = new Template("chat", {
 *   image: "registry.example.com/chat:1.4.0",
 *   registry: registry.id,
 *   serverless: true,
 *   disk: 20,
 *   env: { MODEL_PATH: "/runpod-volume" },
 * });
 * const chat = new ServerlessEndpoint("chat", {
 *   template,
 *   gpuIds: "AMPERE_16,AMPERE_24",
 *   workersMax: 3,
 *   idleTimeout: 5,
 * });
 * ```
 *
 * @see https://docs.runpod.io/serverless/endpoints/endpoint-configurations (GraphQL saveEndpoint)
 */
export class ServerlessEndpoint extends ComputeCloudResource {
  /** At least 3 characters; need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /**
   * Id of a serverless template. The `id` of a Template in the same program follows that Template's changes, as
   * `template` does. A refresh finds a copy that differs from its template, and the next `up` repairs it. Required
   * without `template`.
   */
  declare readonly templateId: Output<string | undefined>;
  /**
   * GPU pools in order of priority, comma separated, minus single GPU types: `AMPERE_16,-NVIDIA RTX A4500`. A change
   * recreates the workers.
   */
  declare readonly gpuIds: Output<string>;
  /** GPUs of a worker. */
  declare readonly gpuCount: Output<number>;
  /** Queue (`QB`) or load balancing (`LB`). */
  declare readonly type: Output<ServerlessType>;
  /** Where workers may run, country codes or data centers, comma separated; empty: anywhere. */
  declare readonly locations: Output<string>;
  /**
   * Id of a NetworkVolume, which workers find at `/runpod-volume`; restricts them to its data center. Default: none.
   */
  declare readonly networkVolumeId: Output<string | undefined>;
  /**
   * Id of a GlobalVolume, which workers find at `/runpod-volume`, wherever they run; not together with
   * `networkVolumeId`. Default: none.
   */
  declare readonly globalVolumeId: Output<string | undefined>;
  /** Seconds that an idle worker stays, 1 to 3600. */
  declare readonly idleTimeout: Output<number>;
  /** Whether workers are added by the delay in the queue or by the number of requests. */
  declare readonly scalerType: Output<ScalerType>;
  /** Seconds of queue delay, or requests a worker, from which workers are added. At least 1. */
  declare readonly scalerValue: Output<number>;
  /** Workers that are always on, and billed. */
  declare readonly workersMin: Output<number>;
  /** Most workers at a time. */
  declare readonly workersMax: Output<number>;
  /** How fast stopped workers come back. */
  declare readonly flashBootType: Output<FlashBoot>;
  /**
   * Addresses of a queue's operations; `{job_id}` stands for the job's id. A load balancer has `base` and `health`
   * alone.
   */
  declare readonly requestUrls: Output<EndpointUrls>;
  /** Changes with every update of the endpoint by this provider. */
  declare readonly revision: Output<number>;

  constructor(name: string, args: ServerlessEndpointArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "serverlessEndpoint",
        type: "ServerlessEndpoint",
        outputs: [
          "name",
          "templateId",
          "gpuIds",
          "gpuCount",
          "type",
          "locations",
          "networkVolumeId",
          "globalVolumeId",
          "idleTimeout",
          "scalerType",
          "scalerValue",
          "workersMin",
          "workersMax",
          "flashBootType",
          "requestUrls",
          "revision",
        ],
        takesTemplate: "follows",
      },
      name,
      args,
      options,
    );
  }
}
