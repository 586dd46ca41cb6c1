import { isTooDeep } from "../http/bodies";
import { isObject } from "../json";
import { behaviourOf, type Handler, type JobContext } from "../queue/handlers";
import { addToStream } from "../queue/stream";
import type { Service } from "../service";
import type { JobRecord, WorkerRecord } from "../store/records";
import type { Run } from "./underWay";

export type Outcome =
  | { readonly kind: "completed"; readonly output: unknown; readonly refreshWorker: boolean }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "timedOut" }
  /** The worker crashed with the job. */
  | { readonly kind: "lost" }
  /** The worker never answered: it does not accept jobs with an empty input. */
  | { readonly kind: "unanswered" };

/** How long the service waits for a worker that does not answer. */
const ANSWER_WITHIN_MS = 20_000;

/** Runs a job's handler. `settle` is called once, unless the run is ended before. */
export function startRun(
  service: Service,
  worker: WorkerRecord,
  job: JobRecord,
  settle: (outcome: Outcome) => void,
): void {
  const { clock, runs } = service;
  const controller = new AbortController();
  const { signal } = controller;
  const end = (outcome: Outcome) => {
    if (runs.get(job.id) !== run) return;
    takeRun(service, job.id);
    if (outcome.kind === "timedOut" || outcome.kind === "lost") controller.abort();
    settle(outcome);
  };
  const limit =
    job.executionTimeout > 0 ? clock.after(job.executionTimeout, () => end({ kind: "timedOut" })) : undefined;
  const run: Run = { controller, limit };
  runs.set(job.id, run);

  if (isObject(job.input) && Object.keys(job.input).length === 0) {
    clock.after(ANSWER_WITHIN_MS, () => end({ kind: "unanswered" }));
    return;
  }
  const isOver = () => runs.get(job.id) !== run;
  const context = contextOf(service, worker, job, { signal, isOver, lose: () => end({ kind: "lost" }) });
  const { handler } = behaviourOf(worker, service);
  void produce(service, handler, job, context, isOver).then(end);
}

/** Ends a run. The handler's later output is ignored. */
export function endRun(service: Service, jobId: string): void {
  takeRun(service, jobId)?.controller.abort();
}

function takeRun({ runs }: Service, jobId: string): Run | undefined {
  const run = runs.get(jobId);
  runs.delete(jobId);
  run?.limit?.cancel();
  return run;
}

async function produce(
  service: Service,
  handler: Handler,
  job: JobRecord,
  context: JobContext,
  isOver: () => boolean,
): Promise<Outcome> {
  // The worker's record is written before its handler's first line runs.
  await Promise.resolve();
  try {
    const result = await handler(job.input, context);
    const output = isIterator(result)
      ? await drain(result, isOver, (chunk) => addToStream(service, job.id, asJson(chunk)))
      : result;
    return accepted(service, job, outcomeOf(asJson(output)), context);
  } catch (error) {
    return { kind: "failed", error: String(error) };
  }
}

async function drain(source: AnyIterator, isOver: () => boolean, emit: (chunk: unknown) => void): Promise<unknown> {
  for (;;) {
    const step = await source.next();
    if (step.done === true) return step.value;
    if (isOver()) return undefined;
    if (isObject(step.value) && step.value.error) return { error: step.value.error };
    emit(step.value);
  }
}

/** A handler's value as JSON. A value that JSON can't represent, because it is circular or too deep, fails the job. */
function asJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  const json: unknown = JSON.parse(JSON.stringify(value));
  if (isTooDeep(json)) throw new Error("the output is nested too deeply");
  return json;
}

/** The service refuses the worker's result above its limit, as five public reports say: only the worker's log has the reason. */
function accepted({ settings }: Service, { id }: JobRecord, outcome: Outcome, { log }: JobContext): Outcome {
  if (outcome.kind !== "completed" || outcome.output === undefined) return outcome;
  const { runResultBytes, runSyncResultBytes } = settings;
  const bytes = Buffer.byteLength(JSON.stringify(outcome.output));
  if (bytes <= (id.startsWith("sync-") ? runSyncResultBytes : runResultBytes)) return outcome;
  log(`Failed to return job results. | 400, message='Bad Request', job ${id}, ${bytes} bytes`);
  return { ...outcome, output: undefined };
}

/** `error` and `refresh_worker` in an output are instructions to the worker, not output. An empty error is none. */
function outcomeOf(output: unknown): Outcome {
  if (!isObject(output)) return { kind: "completed", output, refreshWorker: false };
  const { error, refresh_worker, ...rest } = output;
  if (error) return { kind: "failed", error: typeof error === "string" ? error : JSON.stringify(error) };
  const isInstruction = Object.keys(rest).length === 0 && Object.keys(output).length > 0;
  return { kind: "completed", output: isInstruction ? undefined : rest, refreshWorker: refresh_worker === true };
}

function contextOf(
  service: Service,
  worker: WorkerRecord,
  job: JobRecord,
  { signal, isOver, lose }: { signal: AbortSignal; isOver(): boolean; lose(): void },
): JobContext {
  const { clock, logs, store, holds } = service;
  return {
    id: job.id,
    endpointId: job.endpointId,
    workerId: worker.id,
    attempt: job.retries,
    env: worker.env,
    ...(job.s3Config !== undefined && { s3Config: job.s3Config }),
    signal,
    sleep: (ms) => clock.sleep(ms),
    log: (line) => logs.write(worker.id, "container", line),
    progress: (output) => {
      const current = store.jobs.get(job.id);
      if (isOver() || current === undefined) return;
      store.jobs.put({ ...current, output: asJson(output) });
      holds.changed(job.id);
    },
    crash: () => {
      lose();
      throw new Error("the worker is gone");
    },
  };
}

type AnyIterator = Iterator<unknown, unknown> | AsyncIterator<unknown, unknown>;

const isIterator = (value: unknown): value is AnyIterator =>
  typeof value === "object" && value !== null && "next" in value && typeof value.next === "function";
