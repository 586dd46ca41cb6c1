import { ComputeCloudError, ConnectionError, NotFoundError } from "../errors";
import type { QueueCalls } from "./calls";
import { SubmissionLostError } from "./errors";
import type { Journal, Noted } from "./journal";
import type { QueueCallOptions } from "./options";
import type { Job, JobRequest } from "./types";
import { followed } from "./wait";

/** One input of a batch on its way to a result. */
export interface Task {
  readonly index: number;
  readonly request: JobRequest;
  /** Notes of earlier runs. */
  readonly noted: Noted | undefined;
  /** The job's id, once it is known. */
  id: string | undefined;
}

/** The same for all tasks of a batch. */
export interface TaskOptions extends QueueCallOptions {
  readonly idempotent: boolean;
  readonly signal: AbortSignal;
  /** Ends waits only. */
  readonly waitSignal: AbortSignal;
}

/**
 * The finished job of a task, in any final state. It is submitted, or followed if an earlier run has submitted it. With `idempotent` it is
 * submitted again if that run left the submission uncertain, or if the queue has dropped the result.
 *
 * @throws SubmissionLostError where an earlier run ended between a submission and its answer
 */
export async function finishedJob(
  calls: QueueCalls,
  task: Task,
  { idempotent, waitSignal, ...options }: TaskOptions,
  journal: Journal | undefined,
): Promise<Job> {
  const { index, noted, request } = task;
  const { timeoutMs } = options;
  const { clock } = calls.transport;
  const began = clock.now();

  const follow = (id: string, graceMs?: number): Promise<Job> => {
    const leftMs = timeoutMs === undefined ? undefined : timeoutMs - (clock.now() - began);
    return followed(calls, id, { ...options, timeoutMs: leftMs, graceMs, signal: waitSignal });
  };

  const submit = async (): Promise<string> => {
    let isNoted = false;
    const beforeSend = async () => {
      isNoted = true;
      // mutant journal-unwritten: gone
      await journal?.submitting(index, request.input);
    };
    task.id = undefined;
    try {
      const call = { ...options, waitSignal, repeatable: idempotent, beforeSend };
      task.id = (await calls.run(request, call)).id;
    } catch (error) {
      const mayRun = error instanceof ComputeCloudError && error.outcomeUnknown === true;
      if (isNoted && !mayRun) await journal?.append({ event: "refused", index });
      throw error;
    }
    await journal?.append({ event: "submitted", index, id: task.id, at: clock.now() });
    return task.id;
  };

  // mutant journal-unread: false
  if (noted?.id !== undefined) {
    calls.known.submittedAt(noted.id, noted.at ?? began, request.policy?.ttl);
    try {
      return await follow(noted.id, 0);
    } catch (error) {
      if (!(idempotent && error instanceof NotFoundError)) throw error;
    }
  } else if (noted !== undefined && !idempotent) {
    const cause = new ConnectionError("The process that submitted it ended before the answer came.");
    throw new SubmissionLostError(calls.endpointId, cause);
  }
  return follow(await submit());
}
