import { setTimeout as sleep } from "node:timers/promises";
import { Dispatcher } from "undici";
import type { Job, JobRequest, StandaloneQueue } from "../../client/queue";
import { createQueue } from "../queue";

export interface MockWorker {
  /** What the worker's handler answers for a job's input. What it throws is the error of a job that FAILED. */
  // A method, so that a program may declare its own input's type.
  run?(input: unknown): unknown;
}

/** How long a status waits for a handler: most have answered by then, and the client need not ask again. Milliseconds. */
const SETTLES_WITHIN_MS = 20;

/**
 * A queue whose jobs run in this process. It is the client's own queue, with all of its methods, errors and checks; nothing is
 * sent. Without `run` each job's output is its input.
 *
 * @example
 * const queue = mockQueue({ run: (input: { prompt: string }) => ({ text: input.prompt.toUpperCase() }) });
 * const { output } = await queue.runSync({ input: { prompt: "hi" } });
 */
export function mockQueue(worker: MockWorker = {}): StandaloneQueue {
  const dispatcher = new MockDispatcher(worker);
  return createQueue({ endpointId: "mock", apiKey: "mock", serverlessUrl: "http://localhost:9", dispatcher });
}

interface MockJob {
  job: Job;
  readonly input: unknown;
  done: Promise<void>;
  isRead?: boolean;
}

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

class MockDispatcher extends Dispatcher {
  readonly #jobs = new Map<string, MockJob>();

  constructor(private readonly worker: MockWorker) {
    super();
  }

  override dispatch({ path, body }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = { aborted: false, paused: false, reason: null, abort() {}, pause() {}, resume() {} };
    handler.onRequestStart?.(controller, {});
    void this.#answer(path.split(/[/?]/).slice(3), String(body)).then(({ status = 200, body }) => {
      handler.onResponseStart?.(controller, status, { "content-type": "application/json" });
      handler.onResponseData?.(controller, Buffer.from(JSON.stringify(body)));
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}

  async #answer([operation = "", id = ""]: string[], body: string): Promise<Reply> {
    if (operation === "run") return { body: this.#submit(body).job };
    if (operation === "runsync") {
      const submitted = this.#submit(body);
      await submitted.done;
      return { body: submitted.job };
    }
    if (operation === "purge-queue") return { body: { removed: 0, status: "completed" } };
    if (operation === "health") return { body: this.#health() };
    const mockJob = this.#jobs.get(id);
    if (mockJob === undefined) return { status: 404, body: { error: "job not found" } };
    if (operation === "cancel" && mockJob.job.status === "IN_PROGRESS") mockJob.job = { id, status: "CANCELLED" };
    if (operation === "retry") this.#start(mockJob);
    await Promise.race([mockJob.done, sleep(SETTLES_WITHIN_MS)]);
    return { body: operation === "stream" ? this.#streamed(mockJob) : mockJob.job };
  }

  #submit(text: string): MockJob {
    const { input }: JobRequest = JSON.parse(text);
    const id = `mock-job-${this.#jobs.size + 1}`;
    const submitted: MockJob = { input, job: { id, status: "IN_PROGRESS" }, done: Promise.resolve() };
    this.#jobs.set(id, submitted);
    this.#start(submitted);
    return submitted;
  }

  #start(started: MockJob): void {
    const { id } = started.job;
    const running: Job = { id, status: "IN_PROGRESS" };
    const end = (job: Job) => {
      if (started.job === running) started.job = job;
    };
    started.job = running;
    started.done = (async () =>
      this.worker.run === undefined ? started.input : this.worker.run(started.input))().then(
      (output) => end({ id, status: "COMPLETED", output: output ?? null }),
      (error: unknown) => end({ id, status: "FAILED", error: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** A list is streamed item by item, anything else as one piece, once. */
  #streamed(read: MockJob): unknown {
    const { status, output } = read.job;
    const pieces = Array.isArray(output) ? output : [output];
    const isNew = status === "COMPLETED" && read.isRead !== true;
    if (isNew) read.isRead = true;
    return { status, stream: isNew ? pieces.map((piece: unknown) => ({ output: piece })) : [] };
  }

  #health(): unknown {
    const count = (status: string) => [...this.#jobs.values()].filter(({ job }) => job.status === status).length;
    const inProgress = count("IN_PROGRESS");
    const jobs = { completed: count("COMPLETED"), failed: count("FAILED"), inProgress, inQueue: 0, retried: 0 };
    return { jobs, workers: { idle: 1, running: inProgress } };
  }
}
