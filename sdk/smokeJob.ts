// Made from the definitions in provider/ by `npm run generate`: change them, not this file.

import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import type { EndpointOrId } from "./internal/endpoint";
import { ComputeCloudResource } from "./internal/resource";
import type { SmokeExpectation } from "./types";

interface OwnSmokeJobArgs {
  /**
   * What the worker's handler is given: any JSON but an empty object. A change runs the job again. Updates in place.
   */
  input: Input<unknown>;
  /** What its output must be. Default: anything. A change runs the job again. Updates in place. */
  expect?: Input<SmokeExpectation>;
  /** Values whose change runs the job again, such as an image's digest. Default: none. */
  triggers?: Input<Input<unknown>[] | Record<string, Input<unknown>>>;
  /**
   * Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. Default `5m`. Changing it alone
   * updates nothing.
   */
  timeout?: Input<string>;
  /**
   * How often a job that failed, or whose output was not as expected, is run again within `timeout`. Default 0.
   * Changing it alone updates nothing.
   */
  retries?: Input<number>;
  /**
   * For an endpoint that rests at no workers: how many it may start while the job runs; afterwards none again. Default:
   * what the endpoint says. Changing it alone updates nothing.
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
 * A job that has to go well for the deployment to go well. It runs when it is created and when `input`, `expect`,
 * `triggers` or the endpoint changes; never in a preview. The deployment fails when the job fails, is not finished in
 * time (it is cancelled then) or puts out something else than expected; the error tells the likely cause. A failed job
 * runs again in the next `pulumi up`. Deleting a SmokeJob touches nothing.
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
 */
export class SmokeJob extends ComputeCloudResource {
  /** Id of the endpoint to try. */
  declare readonly endpointId: Output<string>;
  /** Id of the last run. */
  declare readonly jobId: Output<string>;
  /** Of the last run. */
  declare readonly status: Output<"COMPLETED">;
  /** Milliseconds from the submission until a worker took the job. */
  declare readonly delayTime: Output<number | undefined>;
  /** Milliseconds that the worker took. */
  declare readonly executionTime: Output<number | undefined>;
  /** What the job put out; absent above 100,000 characters of JSON, which the state does not keep. */
  declare readonly output: Output<unknown>;

  constructor(name: string, args: SmokeJobArgs, options?: CustomResourceOptions) {
    super(
      {
        provider: "smokeJob",
        type: "SmokeJob",
        outputs: ["endpointId", "jobId", "status", "delayTime", "executionTime", "output"],
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
