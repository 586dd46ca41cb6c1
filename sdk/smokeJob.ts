// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { EndpointOrId } from "./internal/endpoint";
import { ComputeCloudResource } from "./internal/resource";
import type {
  ColdStartBoundArgs,
  GpuTypeId,
  PercentileBoundsArgs,
  ReferenceBoundArgs,
  SmokeExpectation,
  TimePercentiles,
} from "./types";

/**
 * Average cost of a job: the workers' execution time at the catalog's serverless price of their GPUs. Start and idle
 * time are not included. Default: not checked.
 */
export interface JobCostBoundArgs {
  /** USD. */
  perJobMax: Input<number>;
}

/** Measurements of the last run's jobs. */
export interface SmokeFigures {
  /** Number of jobs. */
  jobs: number;
  /** Milliseconds that the first job waited for a worker; absent if one was ready. */
  coldStart?: number;
  /** How long jobs waited for a worker, without a cold start. */
  delay?: TimePercentiles;
  /** How long workers took. */
  execution?: TimePercentiles;
  /** Number of jobs by the GPU type that they ran on; `unknown` if the service did not show it. */
  gpus?: Record<string, number>;
  /** Average cost of a job in USD; absent if a price is not known. */
  costPerJob?: number;
  /** How long the workers of `liveEndpointId` took. */
  live?: TimePercentiles;
}

interface OwnSmokeJobArgs {
  /** Input of the worker's handler: any JSON except an empty object. A change runs the job again. Updates in place. */
  input: Input<unknown>;
  /** The expected output. Default: any. A change runs the job again. Updates in place. */
  expect?: Input<SmokeExpectation>;
  /** Number of jobs, 1 to 1000, all with the same input. Default 1. Updates in place. */
  jobs?: Input<number>;
  /** Jobs at a time, 1 to 100, after the first one. Default 1. Updates in place. */
  concurrency?: Input<number>;
  /**
   * How long the first one may wait for a worker if none was ready before it. Default: not checked. Updates in place.
   */
  coldStart?: Input<ColdStartBoundArgs>;
  /** How long jobs may wait for a worker, without a cold start. Default: not checked. Updates in place. */
  delay?: Input<PercentileBoundsArgs>;
  /** How long workers may take for a job. Default: not checked. Updates in place. */
  execution?: Input<PercentileBoundsArgs>;
  /**
   * GPU types that the jobs may run on, such as `NVIDIA L4`. Default: any. Another order is not a change. Updates in
   * place.
   */
  gpu?: Input<Input<GpuTypeId>[]>;
  /**
   * Average cost of a job: the workers' execution time at the catalog's serverless price of their GPUs. Start and idle
   * time are not included. Default: not checked. Updates in place.
   */
  cost?: Input<JobCostBoundArgs>;
  /**
   * How much slower the execution may be than a reference: 1.2 is 20 % slower. Default: not checked. Updates in place.
   */
  notSlowerThan?: Input<ReferenceBoundArgs>;
  /** Id of the endpoint for `notSlowerThan.live`. The jobs really run there. Default: none. Updates in place. */
  liveEndpointId?: Input<string>;
  /** Values whose change runs the job again, such as an image's digest. Default: none. */
  triggers?: Input<Input<unknown>[] | Record<string, Input<unknown>>>;
  /**
   * Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. Default `5m`. Changing it alone
   * updates nothing.
   */
  timeout?: Input<string>;
  /**
   * How often a job that failed or returned an unexpected output is repeated within `timeout`. Default 0. Changing it
   * alone updates nothing.
   */
  retries?: Input<number>;
  /**
   * For an endpoint with a maximum of 0 workers: the maximum while the job runs. Afterwards it is 0 again. Default: the
   * endpoint's own maximum; 1 while its `schedule` sets 0 workers. Changing it alone updates nothing.
   */
  workersMax?: Input<number>;
  /**
   * Makes `output` a secret, and keeps it and the texts of `input` and `expect` out of error messages. A secret `input`
   * or `expect` does the same. Default false. Changing it alone updates nothing.
   */
  secretOutput?: Input<boolean>;
}

export type SmokeJobArgs = OwnSmokeJobArgs & EndpointOrId;

/**
 * A job that must succeed for the deployment to succeed. It runs when it is created and when `input`, `expect`,
 * `triggers`, a bound or the endpoint changes; never in a preview. The deployment fails if the job fails, exceeds its
 * time and is cancelled, or returns another output than expected. The error names the likely cause. With bounds, such
 * as `delay` and `execution`, several `jobs` run, and the deployment fails with a table if a bound is exceeded. A
 * failed job runs again in the next `pulumi up`. Deleting a SmokeJob changes nothing in the account.
 *
 * @example An endpoint that has to answer
 * ```ts
 * import { ServerlessContainer, SmokeJob } from "pulumi-computecloud";
 *
 * const serverlessContainer = new ServerlessContainer("summarizer", {
 *   type: "QUEUE",
 *   image: "registry.example.com/summarizer:2.1.0",
 *   gpu: { pools: ["AMPERE_24", "ADA_24"] },
 *   workers: { max: 2 },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 * });
 * const answers = new SmokeJob("answers", {
 *   endpoint: serverlessContainer,
 *   input: { text: "A green deployment that serves nothing is a failure." },
 *   timeout: "10m",
 * });
 * ```
 *
 * @example An endpoint that has to answer fast enough
 * ```ts
 * import { ServerlessContainer, SmokeJob } from "pulumi-computecloud";
 *
 * const serverlessContainer = new ServerlessContainer("summarizer", {
 *   type: "QUEUE",
 *   image: "registry.example.com/summarizer:2.1.0",
 *   gpu: { pools: ["AMPERE_24", "ADA_24"] },
 *   workers: { max: 2 },
 *   scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
 * });
 * const fast = new SmokeJob("fast", {
 *   endpoint: serverlessContainer,
 *   input: { text: "ping" },
 *   jobs: 20,
 *   concurrency: 4,
 *   delay: { p95: "5s" },
 *   execution: { p95: "2s" },
 *   gpu: ["NVIDIA L4"],
 *   cost: { perJobMax: 0.002 },
 * });
 * ```
 *
 * @see https://docs.runpod.io/serverless/endpoints/send-requests (POST /v2/{endpoint}/run)
 */
export class SmokeJob extends ComputeCloudResource {
  /** Id of the endpoint to try. */
  declare readonly endpointId: Output<string>;
  /** Id of the last run. */
  declare readonly jobId: Output<string>;
  /** Status of the last run. */
  declare readonly status: Output<"COMPLETED">;
  /** Milliseconds from the submission until a worker took the job. */
  declare readonly delayTime: Output<number | undefined>;
  /** Milliseconds that the worker took. */
  declare readonly executionTime: Output<number | undefined>;
  /** Measurements of the last run's jobs. */
  declare readonly measured: Output<SmokeFigures | undefined>;
  /** Output of the job. The state does not keep an output of more than 100,000 characters of JSON. */
  declare readonly output: Output<unknown>;

  constructor(name: string, args: SmokeJobArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "smokeJob",
        type: "SmokeJob",
        outputs: ["endpointId", "jobId", "status", "delayTime", "executionTime", "measured", "output"],
        named: false,
        takesEndpoint: true,
        json: ["input", "expect"],
        secretWith: { output: "output", inputs: ["input", "expect"] },
      },
      name,
      args,
      options,
    );
  }
}
