import { z } from "zod";
import { NotFoundError } from "../../../client";
import { inSeconds, milliseconds } from "../../../common/duration";
import { parseJson } from "../../../common/json";
import type { Context } from "../../lifecycle/definition";
import type { Bounds } from "../../smoke/bounds";
import { expectation, schemaProblem } from "../../smoke/expectation";
import { type Passed, runGate } from "../../smoke/measure";
import type { SmokePlan } from "../../smoke/runSmoke";

/** JSON as text. The engine drops nulls from objects, and a job's input may need them. */
export function jsonText(problemOf: (value: unknown) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const value = parseJson(text);
    const problem = value === undefined ? "is not JSON" : problemOf(value);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

export function inputProblem(input: unknown): string | undefined {
  const isEmpty = input === null || (typeof input === "object" && Object.keys(input).length === 0);
  return isEmpty ? "is empty: workers refuse a job without input" : undefined;
}

export function expectProblem(value: unknown): string | undefined {
  const result = expectation.safeParse(value);
  if (!result.success) return result.error.issues.map(({ message }) => message).join("; ");
  const problem = result.data.schema === undefined ? undefined : schemaProblem(result.data.schema);
  return problem && `schema is not a JSON Schema: ${problem}`;
}

/** A job, as it is declared. */
interface Declared extends Omit<SmokePlan, "timeoutMs" | "onProgress" | "signal"> {
  readonly timeout: string;
}

/**
 * Runs the jobs of a gate, and shows their progress. Without bounds it is one job.
 *
 * @param before measurements of the last run that passed
 * @throws SmokeError if a job does not pass
 * @throws GateError if a bound is exceeded
 */
export async function gate(
  { client, log, signal }: Context,
  what: string,
  { timeout, ...plan }: Declared,
  bounds: Bounds = {},
  before?: unknown,
): Promise<Passed> {
  const onProgress: SmokePlan["onProgress"] = ({ id, status }, elapsedMs) =>
    log.status(`${what} on endpoint ${plan.endpointId}`, `job ${id} is ${status} after ${inSeconds(elapsedMs)}`);
  try {
    return await runGate(client, { ...plan, timeoutMs: milliseconds(timeout), signal, onProgress }, bounds, before);
  } catch (error) {
    // The lifecycle takes a 404 in an update for the resource's own deletion. This one concerns the endpoint.
    if (error instanceof NotFoundError) throw new Error(error.message, { cause: error });
    throw error;
  }
}
