import { ComputeCloudError, ConnectionError, NotFoundError } from "../errors";
import { splitOptions } from "../options";
import type { QueueCalls } from "./calls";
import { SubmissionLostError } from "./errors";
import type { Journal, Noted } from "./journal";
import type { RunManyOptions } from "./options";
import type { Job, JobRequest } from "./types";
import { completed, finished } from "./wait";

/** One input of a batch on its way to a result. */
export interface Task {
  readonly index: number;
  readonly input: unknown;
  readonly request: JobRequest;
  /** Notes of earlier runs. */
  readonly noted: Noted | undefined;
  /** The job's id, once it is known. */
  id: string | undefined;
}

/** `signal` ends running calls, `waitSignal` only ends waits. */
type Options = Pick<RunManyOptions<never>, "timeoutMs" | "idempotent" | "exactIntegers" | "signal"> & {
  waitSignal: AbortSignal;
};

/**
 * The completed job of a task. It is submitted, or followed if an earlier run has submitted it. With `idempotent` it is
 * submitted again if that run left the submission uncertain, or if the queue has dropped the result.
 *
 * @throws SubmissionLostError where an earlier run ended between a submission and its answer
 */
export async function completedJob(
  calls: QueueCalls,
  task: Task,
  { waitSignal, timeoutMs, idempotent = false, exactIntegers, ...given }: Options,
  journal: Journal | undefined,
): Promise<ReturnType<typeof completed>> {
  const { index, input, noted, request } = task;
  const { clock } = calls.transport;
  const { options } = splitOptions(given);
  const began = clock.now();

  const follow = (id: string, graceMs?: number): Promise<Job> => {
    const leftMs = timeoutMs === undefined ? undefined : timeoutMs - (clock.now() - began);
    return finished(calls, id, { ...options, exactIntegers, timeoutMs: leftMs, graceMs, signal: waitSignal });
  };

  const submit = async (): Promise<string> => {
    let isNoted = false;
    const beforeSend = async () => {
      isNoted = true;
      await journal?.submitting(index, input, request.input);
    };
    task.id = undefined;
    try {
      const call = { ...options, exactIntegers, timeoutMs, waitSignal, repeatable: idempotent, beforeSend };
      task.id = (await calls.run(request, call)).id;
    } catch (error) {
      const mayRun = error instanceof ComputeCloudError && error.outcomeUnknown === true;
      if (isNoted && !mayRun) await journal?.refused(index);
      throw error;
    }
    await journal?.submitted(index, task.id, clock.now());
    return task.id;
  };

  if (noted?.id !== undefined) {
    calls.known.submittedAt(noted.id, noted.at ?? began, request.policy?.ttl);
    try {
      return completed(await follow(noted.id, 0));
    } catch (error) {
      if (!(idempotent && error instanceof NotFoundError)) throw error;
    }
  } else if (noted !== undefined && !idempotent) {
    const cause = new ConnectionError("The process that submitted it ended before the answer came.");
    throw new SubmissionLostError(calls.endpointId, cause);
  }
  return completed(await follow(await submit()));
}
