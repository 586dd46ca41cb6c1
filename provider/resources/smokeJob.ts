import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type CompletedJob, NotFoundError } from "../client";
import { parseJson } from "../client/json";
import { milliseconds } from "../duration";
import { type Context, defineResource } from "../lifecycle/definition";
import { duration } from "../lifecycle/duration";
import { computedWhenOmitted, control } from "../lifecycle/fields";
import { expectation, schemaProblem } from "../smoke/expectation";
import { runSmoke } from "../smoke/runSmoke";

const inputs = z.strictObject({
  endpointId: z.string().min(1),
  input: jsonText((input) => (isEmpty(input) ? "is empty: workers refuse a job without input" : undefined)),
  expect: jsonText((value) => {
    const result = expectation.safeParse(value);
    if (!result.success) return result.error.issues.map(({ message }) => message).join("; ");
    const problem = result.data.schema === undefined ? undefined : schemaProblem(result.data.schema);
    return problem && `schema is no JSON Schema: ${problem}`;
  }).optional(),
  triggers: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
  endpointRevision: computedWhenOmitted(z.number().optional()),
  timeout: control(duration.default("5m")),
  retries: control(z.int().min(0).default(0)),
  secretOutput: control(z.boolean().default(false)),
});

type Inputs = z.output<typeof inputs>;

/** What a passed smoke job leaves in the state. */
interface Passed {
  id: string;
  jobId: unknown;
  status: unknown;
  delayTime: unknown;
  executionTime: unknown;
  output: unknown;
}

/** The engine rewrites the whole state after every step: a large output would slow down all of them. */
const largestOutput = 100_000;

/**
 * Smoke job: a job that has to go well for the deployment to go well. The state holds the last run that passed. A run
 * that fails is an error that leaves the state alone, so that the next `up` runs it again, whatever happens between: a
 * partly made resource would count as made after the next refresh.
 */
export const smokeJob = defineResource({
  kind: "SmokeJob",
  inputs,
  create: async (context, wanted) => ({
    id: `smoke-${randomBytes(5).toString("hex")}`,
    ...(await run(context, wanted)),
  }),
  update: async (context, id, wanted) => ({ id, ...(await run(context, wanted)) }),
  read: async (_, id, state): Promise<Passed> => {
    const { jobId, status, delayTime, executionTime, output } = state;
    return { id, jobId, status, delayTime, executionTime, output };
  },
  // The job is over, and the queue forgets it by itself.
  delete: async () => {},
  observe: () => ({}),
  outputs: ({ id: _, ...outputs }) => outputs,
});

async function run({ client, log }: Context, wanted: Inputs): Promise<Omit<Passed, "id">> {
  const { endpointId, expect, retries, secretOutput } = wanted;
  const seconds = (ms: number) => Math.round(ms / 1000);
  try {
    const job = await runSmoke(client, {
      endpointId,
      input: JSON.parse(wanted.input),
      expect: expect === undefined ? undefined : expectation.parse(JSON.parse(expect)),
      timeoutMs: milliseconds(wanted.timeout),
      retries,
      secretOutput,
      onProgress: ({ id, status }, elapsed) => log.status(`SmokeJob ${id}`, `${status} for ${seconds(elapsed)} s`),
    });
    return { ...facts(job), output: kept(job, log) };
  } catch (error) {
    // To the lifecycle a 404 in an update means that the resource itself is gone.
    if (error instanceof NotFoundError) throw new Error(error.message, { cause: error });
    throw error;
  }
}

function facts({ id, status, delayTime, executionTime }: CompletedJob) {
  return { jobId: id, status, delayTime, executionTime };
}

function kept({ id, output }: CompletedJob, log: Context["log"]): unknown {
  const length = (JSON.stringify(output) ?? "").length;
  if (length <= largestOutput) return output;
  log.warn(`SmokeJob ${id}: its output of ${length} characters is not kept in the state; at most ${largestOutput} are`);
  return undefined;
}

/** JSON as text: the engine drops nulls from objects that it hands on, and a job's input may need them. */
function jsonText(problemOf: (value: unknown) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const value = parseJson(text);
    const problem = value === undefined ? "is no JSON" : problemOf(value);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

function isEmpty(input: unknown): boolean {
  return input === null || (typeof input === "object" && Object.keys(input).length === 0);
}
