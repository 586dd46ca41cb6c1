// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { EndpointOrId } from "./internal/endpoint";
import { ComputeCloudResource } from "./internal/resource";
import type { GpuTypeId, SmokeExpectation } from "./types";

/** How long the first job may wait for a worker, where none stands ready before it. Default: not judged. */
export interface ColdStartBoundArgs {
  /** Such as `90s`. */
  max: Input<string>;
}

/** Largest percentiles (nearest rank) of a time, such as `500ms`, `2s` or `3m`. */
export interface PercentileBoundsArgs {
  /** What half of the jobs may take at most: `500ms`, `2s`. */
  p50?: Input<string>;
  /** What 90 % of the jobs may take at most. */
  p90?: Input<string>;
  /** What 95 % of the jobs may take at most. */
  p95?: Input<string>;
  /** What 99 % of the jobs may take at most. */
  p99?: Input<string>;
  /** What no job may exceed. */
  max?: Input<string>;
}

/**
 * What a job may cost on average: the time that workers took, at the catalog's serverless price of the GPUs that it ran
 * on. Starting and idling are not in it. Default: not judged.
 */
export interface JobCostBoundArgs {
  /** USD. */
  perJobMax: Input<number>;
}

/**
 * How much slower the median and the 95th percentile of the execution may be: 1.2 is a fifth slower. Default: not
 * judged.
 */
export interface ReferenceBoundArgs {
  /** Times that of `liveEndpointId`, which does as many jobs in turns with this endpoint. */
  live?: Input<number>;
  /** Times that of the run that passed last; the first run has nothing to be compared with. */
  last?: Input<number>;
}

/** Percentiles (nearest rank) of a time. */
export interface TimePercentiles {
  /** Milliseconds of the median. */
  p50: number;
  /** Milliseconds. */
  p90: number;
  /** Milliseconds. */
  p95: number;
  /** Milliseconds. */
  p99: number;
  /** Milliseconds of the longest. */
  max: number;
}

/** Measurements of the last run's jobs. */
export interface SmokeFigures {
  /** Jobs that were run. */
  jobs: number;
  /** Milliseconds that the first job waited for a worker; absent where one stood ready. */
  coldStart?: number;
  /** How long jobs waited for a worker, without a cold start. */
  delay?: TimePercentiles;
  /** How long workers took. */
  execution?: TimePercentiles;
  /** Jobs by the GPU type that they ran on, `unknown` where the service did not show it. */
  gpus?: Record<string, number>;
  /** USD that a job cost on average; absent where no price is known. */
  costPerJob?: number;
  /** How long the workers of `liveEndpointId` took. */
  live?: TimePercentiles;
}

interface OwnSmokeJobArgs {
  /** Input of the worker's handler: any JSON except an empty object. A change runs the job again. Updates in place. */
  input: Input<unknown>;
  /** The expected output. Default: any. A change runs the job again. Updates in place. */
  expect?: Input<SmokeExpectation>;
  /** How many jobs are run, each with the same input: 1 to 1000. Default 1. Updates in place. */
  jobs?: Input<number>;
  /** Jobs at a time, 1 to 100, once the first one is done. Default 1. Updates in place. */
  concurrency?: Input<number>;
  /**
   * How long the first job may wait for a worker, where none stands ready before it. Default: not judged. Updates in
   * place.
   */
  coldStart?: Input<ColdStartBoundArgs>;
  /** How long jobs may wait for a worker; a cold start is not counted. Default: not judged. Updates in place. */
  delay?: Input<PercentileBoundsArgs>;
  /** How long workers may take for a job. Default: not judged. Updates in place. */
  execution?: Input<PercentileBoundsArgs>;
  /**
   * GPU types that the jobs may run on, such as `NVIDIA L4`. Default: any. Another order is not a change. Updates in
   * place.
   */
  gpu?: Input<Input<GpuTypeId>[]>;
  /**
   * What a job may cost on average: the time that workers took, at the catalog's serverless price of the GPUs that it
   * ran on. Starting and idling are not in it. Default: not judged. Updates in place.
   */
  cost?: Input<JobCostBoundArgs>;
  /**
   * How much slower the median and the 95th percentile of the execution may be: 1.2 is a fifth slower. Default: not
   * judged. Updates in place.
   */
  notSlowerThan?: Input<ReferenceBoundArgs>;
  /** Id of the endpoint for `notSlowerThan.live`. It really does these jobs. Default: none. Updates in place. */
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
   * endpoint's own maximum. Changing it alone updates nothing.
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
