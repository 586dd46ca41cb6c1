import { randomBytes } from "node:crypto";
import { z } from "../../../common/zod";
import { type Context, defineResource } from "../../lifecycle/definition";
import { from } from "../../lifecycle/fields/example";
import { type Controls, control, type Desired, json, named, secretWith } from "../../lifecycle/fields/fields";
import { boundFields, boundProblems, boundsIn, measured } from "../../smoke/bounds";
import { expectation } from "../../smoke/expectation";
import { expectProblem, gate, inputProblem, isLoadBalancer, jsonText, keepable, provingFields } from "./smokeFields";
import { withWorkers } from "./temporaryWorkers";

const inputs = z.strictObject({
  endpointId: z.string().min(1).describe("Id of the endpoint to try."),
  input: json(z.unknown(), jsonText(inputProblem)).describe(
    "Input of the worker's handler: any JSON except an empty object. A change runs the job again.",
  ),
  expect: json(named("SmokeExpectation", expectation), jsonText(expectProblem).optional()).describe(
    "The expected output. Default: any. A change runs the job again.",
  ),
  ...boundFields,
  ...provingFields({
    repeats: "runs the job",
    isRepeated: "the job runs",
    retries: "How often a job that failed or returned an unexpected output is repeated within `timeout`.",
    meanwhile: "the job runs",
  }),
  endpointType: control(z.string().optional()).describe(
    "The endpoint's `type`: a load balancer, which has no queue, is an error in the preview. Default: not checked.",
  ),
  secretOutput: control(z.boolean().default(false)).describe(
    "Makes `output` a secret, and keeps it and the texts of `input` and `expect` out of error messages. A secret " +
      "`input` or `expect` does the same.",
  ),
});

type Wanted = Desired<typeof inputs> & Controls<typeof inputs>;

const onLoadBalancer = {
  property: "endpointId",
  reason:
    "is a load balancing endpoint, which has no queue and runs no jobs. Use a SmokeRequest, which sends it a request " +
    "and waits for its answer",
};

/** What the state holds of a passed smoke job. */
const outputs = z.object({
  jobId: z.string().describe("Id of the last run."),
  status: z.literal("COMPLETED").describe("Status of the last run."),
  delayTime: z.number().optional().describe("Milliseconds from the submission until a worker took the job."),
  executionTime: z.number().optional().describe("Milliseconds that the worker took."),
  measured: named("SmokeFigures", measured.describe("Measurements of the last run's jobs.")).optional(),
  output: secretWith(["input", "expect"], z.unknown().optional()).describe(
    "Output of the job. The state does not keep an output of more than 100,000 characters of JSON.",
  ),
});
type Passed = z.output<typeof outputs>;

/**
 * The state holds the last run that passed. A failed run throws and leaves the state as it is, so the next `up` runs the
 * job again. A partly made resource would not do: after a refresh the engine would take it for a created one.
 */
export const smokeJob = defineResource({
  kind: "SmokeJob",
  noun: "Endpoint",
  rights: { preview: "nothing", up: "write: queue; read: serverless, for the reason of a failure" },
  priced: false,
  uses: ["serverlessContainer", "serverlessEndpoint"],
  // A finished job leaves nothing in the account.
  adoption: "none",
  orphans: "none",
  source: { operation: "POST /v2/{endpoint}/run", page: "serverless/endpoints/send-requests" },
  description:
    "A job that must succeed for the deployment to succeed. It runs when it is created and when `input`, `expect`, " +
    "`triggers`, a bound or the endpoint changes; never in a preview. The deployment fails if the job fails, " +
    "exceeds its time and is " +
    "cancelled, or returns another output than expected. The error names the likely cause. With bounds, such as `delay` and " +
    "`execution`, several `jobs` run, and the deployment fails with a table if a bound is exceeded. A failed " +
    "job runs again in the next `pulumi up`. Deleting a SmokeJob changes nothing in the account.",
  inputs,
  shows: ["endpointId"],
  outputs,
  examples: [
    {
      title: "An endpoint that has to answer",
      name: "answers",
      args: {
        endpointId: from("serverlessContainer"),
        endpointRevision: from("serverlessContainer", "revision"),
        input: JSON.stringify({ text: "A green deployment that serves nothing is a failure." }),
        timeout: "10m",
      },
    },
    {
      title: "An endpoint that has to answer fast enough",
      name: "fast",
      args: {
        endpointId: from("serverlessContainer"),
        endpointRevision: from("serverlessContainer", "revision"),
        input: JSON.stringify({ text: "ping" }),
        jobs: 20,
        concurrency: 4,
        delay: { p95: "5s" },
        execution: { p95: "2s" },
        gpu: ["NVIDIA L4"],
        cost: { perJobMax: 0.002 },
      },
    },
  ],

  takes: [
    {
      argument: "endpoint",
      byId: "stays",
      description: "The endpoint to try. The job runs again when its id or its `revision` changes.",
    },
  ],
  rules: ({ endpointType = "", ...declared }, isUnknown) => [
    ...(isLoadBalancer(endpointType) ? [onLoadBalancer] : []),
    ...boundProblems(declared, isUnknown),
  ],
  create: async (context, wanted, _, controls) => ({
    id: `smoke-${randomBytes(5).toString("hex")}`,
    ...(await run(context, { ...wanted, ...controls })),
  }),
  update: async (context, id, wanted, { old }, controls) => ({
    id,
    ...(await run(context, { ...wanted, ...controls }, old.measured)),
  }),
  read: async (_, id, state) => {
    if (state.jobId === undefined) {
      throw new Error(
        `SmokeJob ${id} can't be read by its id: the service keeps no record of its run. Declare a SmokeJob to run it.`,
      );
    }
    return { id, ...outputs.parse(state) };
  },
  // The job has ended, and the queue forgets it.
  delete: async () => true,
  observe: () => ({}),
  computed: ({ jobId, status, delayTime, executionTime, measured, output }) => ({
    jobId,
    status,
    delayTime,
    executionTime,
    measured,
    output,
  }),
});

async function run(context: Context, wanted: Wanted, before?: unknown): Promise<Passed> {
  const { endpointId, expect, timeout, retries, secretOutput, workersMax } = wanted;
  const declared = {
    endpointId,
    input: JSON.parse(wanted.input),
    expect: expect === undefined ? undefined : expectation.parse(JSON.parse(expect)),
    timeout,
    retries,
    secretOutput,
  };
  const proof = () => gate(context, "SmokeJob", declared, boundsIn(wanted), before);
  const { job, measured } = await withWorkers(context, endpointId, workersMax, proof);
  const { id: jobId, status, delayTime, executionTime } = job;
  const output = keepable(`SmokeJob ${jobId}: its output`, job.output, context.log);
  return { jobId, status, delayTime, executionTime, measured, output };
}
