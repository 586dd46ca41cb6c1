import { json as jsonOf } from "node:stream/consumers";
import type { JobRequest, JobResult, Orphan } from "../../client";
import { json, Script, type Step } from "./script";

/**
 * A queue whose jobs are named by their inputs, counted from 0, and finish on command: for behaviour that no emulator
 * of the service would show.
 */
export class JobServer extends Script {
  /** By id: the status. */
  readonly jobs = new Map<string, string>();
  /** All submissions, in their order. */
  readonly requests: JobRequest[] = [];
  /** Answers of their own, by operation. */
  steps: Record<string, Step> = {};

  protected override readonly answer: Step = (request, response) => {
    const [, , , operation = "", id = ""] = (request.url ?? "").split("?")[0]?.split("/") ?? [];
    const step = this.steps[operation];
    if (step !== undefined) return step(request, response);
    if (operation === "run" || operation === "runsync") return this.takes(json)(request, response);
    if (operation === "cancel" && this.jobs.get(id) === "IN_PROGRESS") this.jobs.set(id, "CANCELLED");
    const status = this.jobs.get(id);
    if (status === undefined) return json({ error: "not found" }, 404)(request, response);
    if (operation === "cancel" && status !== "CANCELLED")
      return json({ error: "it has ended" }, 400)(request, response);
    json({ id, status, ...(status === "COMPLETED" && { output: Number(id) }) })(request, response);
  };

  override async close(): Promise<void> {
    await super.close();
    this.jobs.clear();
    this.requests.length = 0;
    this.steps = {};
  }

  /** Takes a submission, and does what `answer` makes of the usual answer. */
  takes(answer: (body: object) => Step): Step {
    return async (request, response) => {
      const job = (await jsonOf(request)) as JobRequest;
      const id = String(job.input);
      this.requests.push(job);
      this.jobs.set(id, "IN_PROGRESS");
      answer({ id, status: "IN_QUEUE" })(request, response);
    };
  }

  /** Has each job finish as soon as it was submitted, or these jobs alone. */
  finishAtOnce(...ids: number[]): void {
    this.steps.run = this.takes((body) => {
      this.finish(...(ids.length === 0 ? this.submitted : ids));
      return json(body);
    });
  }

  /** The inputs of all submissions. */
  get submitted(): number[] {
    return this.requests.map(({ input }) => Number(input));
  }

  finish(...ids: number[]): void {
    for (const id of ids) this.jobs.set(String(id), "COMPLETED");
  }

  /** How often an operation was called. */
  count(operation: string): number {
    return this.received.filter(({ url }) => url.includes(`/${operation}/`)).length;
  }

  /** Ids of the jobs that are not finished. */
  get running(): string[] {
    return [...this.jobs].filter(([, status]) => status === "IN_PROGRESS").map(([id]) => id);
  }
}

export const countTo = (end: number) => Array.from({ length: end }, (_, n) => n);

/** The results of a batch, and what it threw in the end. */
export async function collect(results: AsyncIterable<JobResult>) {
  const all: JobResult[] = [];
  const error = await (async () => {
    for await (const result of results) all.push(result);
  })().catch((error: unknown) => error);
  return { all, error };
}

/** What a batch tells of the jobs that it leaves. */
export function orphansOf() {
  const orphans: Orphan[] = [];
  return { orphans, onOrphan: (orphan: Orphan) => void orphans.push(orphan) };
}
