// @slow: thousands of jobs.
import { hash } from "node:crypto";
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
import { Place, placeForAll } from "../harness/place";
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

/** Numbers in [0, 1) that a seed repeats. */
function randomOf(seed: number): () => number {
  let draws = 0;
  return () => Number.parseInt(hash("sha256", `${seed} ${draws++}`).slice(0, 8), 16) / 2 ** 32;
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

/** What ends a job by itself: its handler was told to fail, or it could not be sent or read before its time was over. */
const explained = [JobFailedError, ConnectionError, TimeoutError, ServiceError, RateLimitError];
const enough = new Error("enough");

/** Leaves a batch, and answers what its caller was told of the jobs, by number. */
async function runAndLeave(queue: Queue, random: () => number, ending: (typeof endings)[number]) {
  let results = 0;
  /** Jobs that the caller knows to be left alone. */
  const left = new Set<number>();
  /** Those whose cancel had no answer when the time for leaving was over: on a busy machine. */
  const unanswered = new Set<number>();
  /** Results that nothing that was done to the calls explains. */
  const unexplained: unknown[] = [];
  const leaveAfter = Math.floor(random() * jobs * 0.9);
  const abort = new AbortController();
  const inputs = countTo(jobs).map((n) => ({ n }));
  const batch = queue.runMany(inputs, {
    concurrency: 20 + Math.floor(random() * 100),
    signal: abort.signal,
    onOrphan({ index, error }) {
      left.add(index);
      if (error instanceof AbortError) unanswered.add(index);
    },
  });
  const consume = async () => {
    for await (const { index, job, error } of batch) {
      results += 1;
      if (error instanceof SubmissionLostError || error instanceof JobWaitError) left.add(index);
      else if (error === undefined ? job.output !== index : !explained.some((kind) => error instanceof kind))
        unexplained.push({ index, error, output: job?.output });
      if (results < leaveAfter || gate.closed) continue;
      gate.closed = true;
      if (ending === "break") return;
      if (ending === "throw") throw enough;
      setImmediate(() => abort.abort(enough));
    }
  };
  const error = await consume().catch((error: unknown) => error);
  if (ending !== "break") expect(error instanceof AbortError ? error.cause : error).toBe(enough);
  return { results, left, unanswered, unexplained };
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

test("of many jobs none is lost and no limit of the service exceeded", async () => {
  const many = sized(5_000, 2_500);
  await using strict = await Place.start({ settings: { rateLimitExempt: false } });
  const queue = await strict.queue("echo", {}, { clock: await strict.hurry(10) });
  const numbers = new Set<unknown>();
  const inputs = countTo(many).map((n) => ({ n }));
  for await (const { index, job } of queue.runMany(inputs, { concurrency: 100 })) {
    expect(job?.output).toEqual({ n: index });
    numbers.add(index);
  }
  expect(numbers.size).toBe(many);
  const calls = await strict.calls();
  expect(calls.filter(({ operation }) => operation === "run")).toHaveLength(many);
  expect(calls.filter(({ status }) => status === 429)).toEqual([]);
});
