// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { type CommonArgs, ComputeCloudResource, type RevisedTemplate } from "./internal/resource";
import type {
  AnswerExpectation,
  CpuArgs,
  DataCenterId,
  FlashBoot,
  GpuTypeId,
  RequestMethod,
  ScheduleArgs,
  SmokeExpectation,
} from "./types";

export type EndpointType = "QUEUE" | "LOAD_BALANCER";
export const EndpointType = { Queue: "QUEUE", LoadBalancer: "LOAD_BALANCER" } as const;

export type GpuPoolId =
  | "ADA_24"
  | "ADA_32_PRO"
  | "ADA_48_PRO"
  | "ADA_80_PRO"
  | "AMPERE_16"
  | "AMPERE_24"
  | "AMPERE_48"
  | "AMPERE_80"
  | "BLACKWELL_180"
  | "BLACKWELL_96"
  | "HOPPER_141"
  | (string & {});

/** GPUs of an endpoint's workers. */
export interface EndpointGpuArgs {
  /** GPU pools of the catalog in order of priority, at least one. */
  pools: Input<Input<GpuPoolId>[]>;
  /** GPU types taken out of the pools. Default: none. Another order is not a change. */
  excludedTypes?: Input<Input<GpuTypeId>[]>;
  /** GPUs of a worker. Default 1. */
  count?: Input<number>;
  /**
   * CUDA versions such as "12.4"; not together with `minCudaVersion`. Default: any, or the template's. Another order is
   * not a change.
   */
  allowedCudaVersions?: Input<Input<string>[]>;
  /** Lowest CUDA version, such as "12.4". Default: none. */
  minCudaVersion?: Input<string>;
}

/** How many workers there are. Default: those of its members. */
export interface EndpointWorkersArgs {
  /** Workers that are always on, and billed. Default 0. */
  min?: Input<number>;
  /** Most workers at a time. Left out, the service may lower it. Default 3. */
  max?: Input<number>;
  /** Seconds, 1 to 3600. Default 10; not taken by a queue that scales by REQUEST_COUNT. */
  idleTimeout?: Input<number>;
}

/** A job has waited longer than `queueDelay` seconds, at least 0.5. Not for load balancers. */
export interface QueueDelayScalingArgs {
  /** By the delay in the queue. */
  type: Input<"QUEUE_DELAY">;
  /** Seconds, at least 0.5. */
  queueDelay: Input<number>;
}

/** There are more than `requestCount` requests a worker. */
export interface RequestCountScalingArgs {
  /** By the number of requests. */
  type: Input<"REQUEST_COUNT">;
  /** Requests a worker, at least 1. */
  requestCount: Input<number>;
}

/** When workers are added. */
export type ScalingArgs = QueueDelayScalingArgs | RequestCountScalingArgs;

/** A job that shows whether an endpoint serves. */
export interface Verification {
  /** Input of the worker's handler: any JSON except an empty object. */
  input: unknown;
  /** The expected output. Default: any. */
  expect?: SmokeExpectation;
  /** Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. */
  timeout?: string;
  /** How often a failed job is repeated within `timeout`. */
  retries?: number;
}

/** A request, in place of a job: for load balancers, and for language models of a queue. */
export interface ProvingRequest {
  /**
   * Path with its query, from the first slash on. With `chat`: the beginning of OpenAI's routes. Default: `/`, or all
   * of `url`; with `chat` `/v1`, of a queue `/openai/v1`.
   */
  path?: string;
  /** HTTP method. Default: POST with a `body`, else GET. */
  method?: RequestMethod;
  /**
   * What a language model is asked, such as "Say hello". The model that `GET …/models` lists gets it as a streamed chat
   * completion, which must bring tokens and come to its end. Default: none.
   */
  chat?: string;
  /** The model for `chat`. Default: the first that is served. */
  model?: string;
  /** Headers by name. No message shows their values. Default: none. */
  headers?: Record<string, string>;
  /**
   * JSON, or a text that is sent as it is. With `chat`: further members of its body, such as `{ max_tokens: 256 }`.
   * Default: none.
   */
  body?: unknown;
  /** What the answer must be. Default: any with a status from 200 to 299. */
  expect?: AnswerExpectation;
  /** Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. */
  timeout?: string;
  /** How often a request with an unexpected answer is sent again within `timeout`. */
  retries?: number;
}

/** A request that shows whether an endpoint serves. */
export interface RequestVerification {
  /** A request, in place of a job: for load balancers, and for language models of a queue. */
  request: ProvingRequest;
}

export interface QueueUrls {
  /** Submits a job. */
  run: string;
  /** Submits a job and waits for its end. */
  runSync: string;
  /** State and output of a job. */
  status: string;
  /** Output of a job, piece by piece. */
  stream: string;
  /** Cancels a job. */
  cancel: string;
  /** Runs a failed job again. */
  retry: string;
  /** Removes the jobs that wait. */
  purgeQueue: string;
  /** Counts of jobs and workers. */
  health: string;
  /** Base URL of OpenAI's clients, of use where the image serves OpenAI's routes. */
  openai: string;
}

/** Addresses of a load balancing endpoint. */
export interface LoadBalancerUrls {
  /** Stands before the paths of the container. */
  base: string;
  /** Answers when a worker is ready. */
  health: string;
}

export interface ServerlessContainerArgs extends CommonArgs {
  /** Need not be unique. Default: the logical name and a short hash. Updates in place. */
  name?: Input<string>;
  /** Whether requests wait in a queue, or go to a worker at once. Changing it replaces. */
  type: Input<EndpointType>;
  /** Container image with its tag. Required without `templateId`. Updates in place. */
  image?: Input<string>;
  /** Command of the container, one string. Default: the template's, or the image's own. Updates in place. */
  args?: Input<string>;
  /**
   * In place of the image's entry point, word by word. Not together with `args`. Default: the template's, or the
   * image's own. Updates in place.
   */
  entrypoint?: Input<Input<string>[]>;
  /**
   * In place of the image's command, word by word. Not together with `args`. Default: the template's, or the image's
   * own. Updates in place.
   */
  cmd?: Input<Input<string>[]>;
  /**
   * Container disk in GB, at least 1; wiped at every restart. Default: the service's; removing it later keeps the size.
   * Updates in place.
   */
  disk?: Input<number>;
  /**
   * `port/protocol`, such as `8888/http` or `22/tcp`; at most 10 http. Default: the template's, or none. Another order
   * is not a change. Updates in place.
   */
  ports?: Input<Input<string>[]>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: the template's, or
   * none. Always a secret. Updates in place.
   */
  env?: Input<Record<string, Input<string>>>;
  /** Id of the Registry whose credentials pull the image. Default: none, the image is public. Updates in place. */
  registry?: Input<string>;
  /** A Template whose settings are copied, and copied again in the run that changes it. Give this or `templateId`. */
  template?: RevisedTemplate;
  /**
   * Id of a template, own or public, whose settings are copied; changing it copies again. Default: none. Write-only:
   * changes made elsewhere are not seen. Updates in place.
   */
  templateId?: Input<string>;
  /**
   * A number whose change copies the template's settings again. Default: none. Write-only: changes made elsewhere are
   * not seen.
   */
  templateRevision?: Input<number>;
  /** Exactly one of `gpu` and `cpu`. Setting or removing it replaces. */
  gpu?: Input<EndpointGpuArgs>;
  /** CPU workers in order of priority. Exactly one of `gpu` and `cpu`. Setting or removing it replaces. */
  cpu?: Input<Input<CpuArgs>[]>;
  /** How many workers there are. Default: those of its members. Updates in place. */
  workers?: Input<EndpointWorkersArgs>;
  /**
   * Workers by the clock, in place of the endpoint's own. A run brings the endpoint to what holds at that moment, so
   * that something has to run at its times: a pipeline's cron. A change of it changes nothing but the workers of now.
   * Default: none.
   */
  schedule?: Input<ScheduleArgs>;
  /** When workers are added. Updates in place. */
  scaling: Input<ScalingArgs>;
  /** Data centers where workers may run; none: any. Default: none. Another order is not a change. Updates in place. */
  dataCenterIds?: Input<Input<DataCenterId>[]>;
  /**
   * Ids of network volumes, at most one in a data center. A worker finds its data center's volume at `/runpod-volume`.
   * Default: none. Another order is not a change. Updates in place.
   */
  networkVolumes?: Input<Input<string>[]>;
  /**
   * Id of a global volume, which GPU workers find at `/runpod-volume`; not together with `networkVolumes`. Workers may
   * run anywhere. Default: none. Updates in place.
   */
  globalVolumes?: Input<Input<string>[]>;
  /** Milliseconds that a request may take; 0: no limit. Default 300000. Updates in place. */
  timeout?: Input<number>;
  /**
   * How fast stopped workers come back. Left out, an adopted endpoint keeps what it has. Default `OFF`. Updates in
   * place.
   */
  flashboot?: Input<FlashBoot>;
  /** Whether a run waits until `workers.min` workers are ready. Default false. Changing it alone updates nothing. */
  awaitWorkers?: Input<boolean>;
  /** How long it waits, such as "90s" or "15m". Default `15m`. Changing it alone updates nothing. */
  createTimeout?: Input<string>;
  /**
   * A job, or a `request`, that must succeed after the endpoint is created, and after each update that replaces its
   * workers. If it fails after an update, the endpoint's previous arguments are restored and the update fails with its
   * error. Load balancers take a `request`. Default: none. Changing it alone updates nothing.
   */
  verify?: Input<Verification | RequestVerification>;
}

/**
 * A serverless endpoint with all that REST offers: GPU or CPU workers, with or without a template. Everything but
 * `type`, and the choice between `gpu` and `cpu`, updates in place.
 *
 * @example A queue on GPUs
 * ```ts
 * import { ServerlessContainer } from "pulumi-computecloud";
 *
 * const summarizer = new ServerlessContainer("summarizer", {
 *   type: "QUEUE",
 *   image: "registry.example.com/summarizer:2.1.0",
 *   gpu: { pools: ["AMPERE_24", "ADA_24"] },
 *   workers: { max: 2 },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 * });
 * ```
 *
 * @example A load balancer on CPUs
 * ```ts
 * import { ServerlessContainer } from "pulumi-computecloud";
 *
 * const embedder = new ServerlessContainer("embedder", {
 *   type: "LOAD_BALANCER",
 *   image: "registry.example.com/embedder:3",
 *   cpu: [{ id: "cpu5c", vcpuCount: 4 }],
 *   workers: { max: 4, idleTimeout: 30 },
 *   scaling: { type: "REQUEST_COUNT", requestCount: 16 },
 *   ports: ["80/http"],
 *   timeout: 60000,
 * });
 * ```
 *
 * @see https://docs.runpod.io/api-reference-v2/serverless/create-a-serverless-endpoint (POST /v2/serverless)
 */
export class ServerlessContainer extends ComputeCloudResource {
  /** Need not be unique. Default: the logical name and a short hash. */
  declare readonly name: Output<string>;
  /** Whether requests wait in a queue, or go to a worker at once. */
  declare readonly type: Output<EndpointType>;
  /** Container image with its tag. Required without `templateId`. */
  declare readonly image: Output<string | undefined>;
  /**
   * Environment, at most 50 variables. Variables that the platform adds are not drift. Default: the template's, or
   * none. A secret.
   */
  declare readonly env: Output<Record<string, string> | undefined>;
  /** Data centers where workers may run; none: any. */
  declare readonly dataCenterIds: Output<string[]>;
  /**
   * Ids of network volumes, at most one in a data center. A worker finds its data center's volume at `/runpod-volume`.
   */
  declare readonly networkVolumes: Output<string[]>;
  /** Milliseconds that a request may take; 0: no limit. */
  declare readonly timeout: Output<number>;
  /** Container disk in GB. */
  declare readonly disk: Output<number | undefined>;
  /** How fast stopped workers come back. */
  declare readonly flashboot: Output<FlashBoot>;
  /** Addresses for requests: of a queue's operations, or of the load balancer. */
  declare readonly requestUrls: Output<QueueUrls | LoadBalancerUrls | undefined>;
  /** When it was created, RFC 3339. */
  declare readonly createdAt: Output<string>;
  /** Changes with every update of the endpoint by this provider. */
  declare readonly revision: Output<number>;

  constructor(name: string, args: ServerlessContainerArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "serverlessContainer",
        type: "ServerlessContainer",
        outputs: [
          "name",
          "type",
          "image",
          "env",
          "dataCenterIds",
          "networkVolumes",
          "timeout",
          "disk",
          "flashboot",
          "requestUrls",
          "createdAt",
          "revision",
        ],
        secrets: ["env"],
        takesTemplate: "follows",
        json: ["verify"],
      },
      name,
      args,
      options,
    );
  }
}
