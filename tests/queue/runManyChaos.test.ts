// @slow: thousands of jobs.
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import {
  AbortError,
  ConnectionError,
  JobFailedError,
  JobWaitError,
  type Queue,
  RateLimitError,
  ServiceError,
  SubmissionLostError,
  TimeoutError,
} from "../../client";
import type { FaultInput, Handler } from "../../emulator";
import { countTo } from "../harness/jobServer";
import { placeForAll } from "../harness/place";
import { sized } from "../harness/size";

// 500 jobs (2,000 in `TEST_SIZES=full`), faults on any call, and an end at a random moment. SEED=7 runs one schedule again.

const jobs = sized(2_000, 500);
const seeds = process.env.SEED === undefined ? [1, 2, 3] : [Number(process.env.SEED)];
const endings = ["break", "throw", "signal"] as const;
/** Of so many jobs one hangs from the start, until it is cancelled. */
const hangsEach = 97;

/** The emulator's record of a job. */
const JobRecord = z.object({ id: z.string(), status: z.string(), input: z.object({ n: z.number() }) });

/** Once it is closed no job ends by itself any more, so that what is cancelled was not finished. */
const gate = { closed: false };
const gated: Handler = async ({ n }: { n: number }, { signal }) => {
  for (let turn = n % 7; turn > 0; turn -= 1) await new Promise(setImmediate);
  if (gate.closed || n % hangsEach === 0) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  if (n % 31 === 0) throw new Error("told to fail");
  return n;
};

const place = placeForAll({ handlers: { "emulator/gated:1": gated } });

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const acts: readonly FaultInput["act"][] = [
  { drop: "before" },
  { drop: "after" },
  { truncate: true },
  { status: 502 },
  { status: 503 },
  { status: 429 },
  { status: 504 },
  { status: 404, body: "<html>404 Not Found, by a gateway</html>" },
  { delayMs: 200 },
];

async function breakThings(random: () => number): Promise<void> {
  for (const [operation, most] of [
    ["run", jobs],
    ["status", jobs],
    ["cancel", 40],
  ] as const) {
    // One fault a call: each has a part of the calls to itself.
    const part = most / acts.length;
    for (const [index, act] of acts.entries()) {
      const nth = 1 + Math.floor(part * (index + random() * 0.5));
      await place.fault({ operation, nth, times: 1 + Math.floor(random() * 3) }, act);
    }
  }
}

/** What the caller was told of the jobs, by number. */
interface Report {
  results: number;
  /** Jobs that the caller knows to be left alone. */
  left: Set<number>;
  /** Those whose cancel had no answer when the time for leaving was over: on a busy machine. */
  unanswered: Set<number>;
  /** Results that nothing that was done to the calls explains. */
  unexplained: unknown[];
}

class LeftError extends Error {}

/** Its handler was told to fail, or it could not be sent or read before its time was over. */
function explained(error: unknown): boolean {
  return [JobFailedError, ConnectionError, TimeoutError, ServiceError, RateLimitError].some(
    (kind) => error instanceof kind,
  );
}

async function runAndLeave(queue: Queue, random: () => number, ending: (typeof endings)[number]): Promise<Report> {
  const report: Report = { results: 0, left: new Set(), unanswered: new Set(), unexplained: [] };
  const leaveAfter = Math.floor(random() * jobs * 0.9);
  const abort = new AbortController();
  const inputs = countTo(jobs).map((n) => ({ n }));
  const batch = queue.runMany(inputs, {
    concurrency: 20 + Math.floor(random() * 100),
    signal: abort.signal,
    onOrphan({ index, error }) {
      report.left.add(index);
      if (error instanceof AbortError) report.unanswered.add(index);
    },
  });
  const consume = async () => {
    for await (const { index, job, error } of batch) {
      report.results += 1;
      if (error instanceof SubmissionLostError || error instanceof JobWaitError) report.left.add(index);
      else if (!explained(error) && (error !== undefined || job?.output !== index))
        report.unexplained.push({ index, error, output: job?.output });
      if (report.results < leaveAfter || gate.closed) continue;
      gate.closed = true;
      if (ending === "break") return;
      if (ending === "throw") throw new LeftError();
      if (ending === "signal") setImmediate(() => abort.abort(new LeftError()));
    }
  };
  const error = await consume().catch((error: unknown) => error);
  if (ending !== "break") expect(error instanceof AbortError ? error.cause : error).toBeInstanceOf(LeftError);
  return report;
}

describe.each(seeds)(`${jobs} jobs, seed %i`, (seed) => {
  const random = randomOf(seed);
  const ending = endings[seed % endings.length] ?? "break";

  test(`that are left early (${ending}) are cancelled unless they are finished, and nothing else is`, async () => {
    gate.closed = false;
    await place.reset();
    const limit = { per10s: Number.POSITIVE_INFINITY, concurrent: 200 };
    const queue = await place.queue("gated", {}, { clock: undefined, queueLimits: { run: limit, cancel: limit } });
    await place.client().serverless.update(queue.endpointId, { workers: { min: 100, max: 100 } });
    await place.forgetCalls();
    await breakThings(random);

    const report = await runAndLeave(queue, random, ending);
    expect(report.unexplained).toEqual([]);

    const records = z.array(JobRecord).parse((await place.state()).jobs ?? []);
    const calls = await place.calls();
    const running = records.filter(({ status }) => status === "IN_QUEUE" || status === "IN_PROGRESS");
    expect(running.map(({ input }) => input.n).filter((n) => !report.left.has(n))).toEqual([]);
    expect(new Set(records.map(({ input }) => input.n)).size).toBe(records.length);
    expect(report.results).toBeGreaterThan(0);

    const cancels = calls.filter(({ operation }) => operation === "cancel");
    expect(cancels.length).toBeGreaterThan(0);
    const byId = new Map(records.map((record) => [record.id, record]));
    const cancelled = cancels.map(({ path, status }) => ({ status, job: byId.get(path.split("/").at(-1) ?? "") }));
    expect(cancelled.filter(({ job }) => job === undefined)).toEqual([]);
    // The service refuses the cancel of a finished job, and its result is told.
    const refused = cancelled.filter(({ status }) => status === 400);
    expect(refused.filter(({ job }) => job?.status !== "COMPLETED" && job?.status !== "FAILED")).toEqual([]);
    const accepted = cancelled.filter(({ status }) => status === 200);
    const isLeft = (n: number) => report.left.has(n) && !report.unanswered.has(n);
    expect(accepted.filter(({ job }) => isLeft(job?.input.n ?? -1))).toEqual([]);
  });
});
