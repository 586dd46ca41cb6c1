import * as pulumi from "@pulumi/pulumi";
import { ComputeCloudResource } from "./internal/resource";

/** A ServerlessEndpoint or ServerlessContainer: the job runs again whenever an update of ours changed it. */
export interface RevisedEndpoint {
  readonly id: pulumi.Output<string>;
  readonly revision: pulumi.Output<number>;
  /** Only a queue runs jobs: a load balancer is an error in the preview. */
  readonly type?: pulumi.Output<string>;
}

/** What the job's output must be; where both are given, both must hold. */
export interface SmokeExpectation {
  /**
   * Compared deeply. Objects may have more members than named here; lists and plain values must be the same:
   * `{ output: { status: "ok" } }`.
   */
  output?: unknown;
  /** JSON Schema, draft 2020-12 unless its `$schema` names draft 7: `{ schema: z.toJSONSchema(Reply) }`. */
  schema?: boolean | object;
}

interface SmokeTest {
  /** What the worker's handler is given: any JSON but an empty object. A change runs the job again. */
  input: pulumi.Input<unknown>;
  /** What its output must be. Default: anything. A change runs the job again. */
  expect?: pulumi.Input<SmokeExpectation>;
  /** Time for everything, cold start and further attempts included: `90s`, `5m`, `1h`. Default 5m. */
  timeout?: pulumi.Input<string>;
  /** Values whose change runs the job again, such as an image's digest. */
  triggers?: pulumi.Input<pulumi.Input<unknown>[] | Record<string, pulumi.Input<unknown>>>;
  /** How often a job that failed, or whose output was not as expected, is run again within `timeout`. Default 0. */
  retries?: pulumi.Input<number>;
  /**
   * Makes `output` a secret, and keeps it and the texts of `input` out of error messages. Default: whether `input` or
   * `expect` is a secret.
   */
  secretOutput?: boolean;
}

/** Exactly one of `endpoint` and `endpointId`. */
export type SmokeJobArgs = SmokeTest &
  (
    | {
        /** The endpoint to try. The job runs again when its id or its `revision` changes. */
        endpoint: RevisedEndpoint;
        endpointId?: undefined;
      }
    | {
        /** Id of the endpoint to try, made elsewhere. The job runs again when it changes. */
        endpointId: pulumi.Input<string>;
        endpoint?: undefined;
      }
  );

/**
 * A job that has to go well for the deployment to go well. It runs when it is created and when `input`, `expect`,
 * `triggers` or the endpoint changes; never in a preview. The deployment fails when the job fails, is not finished in
 * time (it is cancelled then) or puts out something else than expected; the error tells the likely cause. A failed job
 * runs again in the next `pulumi up`. Deleting a SmokeJob touches nothing.
 */
export class SmokeJob extends ComputeCloudResource {
  declare readonly endpointId: pulumi.Output<string>;
  /** Of the last run. */
  declare readonly jobId: pulumi.Output<string>;
  declare readonly status: pulumi.Output<"COMPLETED">;
  /** Milliseconds from the submission until a worker took the job. */
  declare readonly delayTime: pulumi.Output<number | undefined>;
  /** Milliseconds that the worker took. */
  declare readonly executionTime: pulumi.Output<number | undefined>;
  /** What the job put out; absent above 100,000 characters of JSON, which the state does not keep. */
  declare readonly output: pulumi.Output<unknown>;

  constructor(name: string, args: SmokeJobArgs, options?: pulumi.CustomResourceOptions) {
    const { endpoint, endpointId = endpoint?.id, input, expect, ...rest } = args;
    super(
      {
        provider: "smokeJob",
        type: "SmokeJob",
        named: false,
        outputs: ["endpointId", "jobId", "status", "delayTime", "executionTime", "output"],
        secretWith: { output: "output", inputs: ["input", "expect"] },
      },
      name,
      {
        ...rest,
        endpointId,
        input: pulumi.jsonStringify(input),
        ...(expect !== undefined && { expect: pulumi.jsonStringify(expect) }),
        ...(endpoint !== undefined && { endpointRevision: endpoint.revision, endpointType: endpoint.type }),
      },
      options,
    );
  }
}
