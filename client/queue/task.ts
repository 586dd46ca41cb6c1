import { abortable, withDeadline } from "../calls/cancellation";
import { ComputeCloudError, ConnectionError, NotFoundError } from "../errors";
import type { QueueCalls } from "./calls";
import { SubmissionLostError } from "./errors";
import type { Journal, Noted } from "./journal";
import type { QueueCallOptions, RunManyOptions } from "./options";
import type { Job, JobRequest } from "./types";
import { DEFAULT_TIMEOUT_MS, FIRST_PAUSE_MS, followed, LONGEST_LAST_LOOK_MS, LONGEST_PAUSE_MS } from "./wait";

/** For one call of `findLost`, whose connection may be dead without a word. */
const LONGEST_LOOK_MS = 60_000;

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
export interface TaskOptions extends QueueCallOptions, Pick<RunManyOptions<unknown>, "findLost" | "emptyInput"> {
  readonly idempotent: boolean;
  readonly signal: AbortSignal;
  readonly waitSignal: AbortSignal;
}

/**
 * The finished job of a task, in any final state. It is submitted, or followed if an earlier run has submitted it. With `idempotent` it is
 * submitted again if that run left the submission uncertain, or if the queue has dropped the result.
 *
 * @throws SubmissionLostError where the answer to a submission was lost, or an earlier run ended before it, and `findLost` does
 *   not find the job
 */
export async function finishedJob(
  calls: QueueCalls,
  task: Task,
  { idempotent, findLost, waitSignal, ...options }: TaskOptions,
  journal: Journal | undefined,
): Promise<Job> {
  const { index, noted, request } = task;
  const { timeoutMs } = options;
  const { clock } = calls.transport;
  let began = clock.now();

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
      return (await calls.run(request, call)).id;
    } catch (error) {
      const mayRun = error instanceof ComputeCloudError && error.outcomeUnknown === true;
      if (isNoted && !mayRun) await journal?.append({ event: "refused", index });
      if (!(error instanceof SubmissionLostError)) throw error;
      return find(error);
    }
  };

  /** The service shows no list of jobs, so only the program can know the one whose submission was not answered. */
  const find = async (lost: SubmissionLostError): Promise<string> => {
    if (findLost === undefined || idempotent) throw lost;
    const look = (signal: AbortSignal | undefined) => abortable((async () => findLost(index))(), signal);
    const leftMs = () => began + (timeoutMs ?? DEFAULT_TIMEOUT_MS) - clock.now();
    // A look that fails, or hangs, says nothing about the job. What lost the answer may keep the program from its own data, too.
    const failed = (error: unknown) => {
      if (error !== lost && !waitSignal.aborted) lost.cause = error;
    };
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const lookMs = Math.min(Math.max(leftMs(), LONGEST_LAST_LOOK_MS), LONGEST_LOOK_MS);
      const id = await withDeadline(lookMs, waitSignal, () => lost, look).catch(failed);
      if (typeof id === "string" && id !== "") {
        // It has ended when its webhook's post names it, so its result comes with the first read.
        began = clock.now();
        return id;
      }
      if (leftMs() <= 0) throw lost;
      await clock.sleep(Math.min(pauseMs, leftMs()), waitSignal).catch(() => {
        throw lost;
      });
    }
  };

  const isLost = noted !== undefined && noted.id === undefined && !idempotent;
  // mutant journal-unread: false
  if (noted?.id !== undefined) {
    calls.knownJobs.submitted({ id: noted.id, status: "IN_QUEUE" }, request.policy?.ttl, noted.at ?? began);
    try {
      return await follow(noted.id, 0);
    } catch (error) {
      if (!(idempotent && error instanceof NotFoundError)) throw error;
    }
  }
  const cause = () => new ConnectionError("The process that submitted it ended before the answer came.");
  const id = isLost ? await find(new SubmissionLostError(calls.endpointId, cause())) : await submit();
  task.id = id;
  await journal?.append({ event: "submitted", index, id, at: clock.now() });
  return follow(id, isLost ? 0 : undefined);
}
