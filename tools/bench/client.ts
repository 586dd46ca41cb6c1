/*
 * The client beside bare undici with JSON.parse, in this process; a server with ready answers runs in another. `cpu` and `wall` are
 * of whole operations, requests and answers included:
 *
 *   GET           10,000 reads of a pod, 8 at a time; `quotas`: with quota headers on every answer
 *   list          50 lists of 1,000 pods, one after another
 *   runMany       2,000 jobs, 20 at a time: one submission and one status each, which is COMPLETED. Nothing waits, so the ratio
 *                 is CPU time: what limits, retries, deadlines, aborts and reading with checks cost
 *   with journal  the same with a journal in a file. The bare loop keeps the least that finds every job after a kill or a power
 *                 loss: a line on the disk before each submission, one with the job's id, and one for its end
 *   polled jobs   450 jobs of 0.8 s, 50 at a time, within the documented limits; the bare loop has the same pauses and no limits
 *   stream        5,000 chunks of a job, 20 an answer
 *   logs          50,000 lines in one answer; the bare loop parses them, and remembers none to go on after a broken connection
 *
 * The bare loop of `runMany` varies by a third on a busy machine: compare versions in turns within one process, and by `cpu`.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Agent, request } from "undici";
import { createClient } from "../../dist/client";
import { type Comparison, compare, type Figures, type Side, type Targets } from "./compare";
import { CHUNKS_AN_ANSWER, LISTED, LOG_LINES, STREAM_ANSWERS } from "./jsonServer";
import type { BenchOptions } from "./options";

const CONCURRENCY = 8;
const BATCH_CONCURRENCY = 20;
/** A round takes seconds. */
const LEAST_ROUNDS = 5;
/** As many jobs of 800 ms as the documented limits of a queue take without a wait, the looks at them included. */
const SLOW = { jobs: 450, concurrency: 50 };
const UNLIMITED = { per10s: Infinity, concurrent: Infinity };
const TARGETS: Targets = {
  client: {
    GET: 1.05,
    "GET, quotas": 1.15,
    list: 1.15,
    runMany: 1.1,
    "with journal": 1.5,
    "polled jobs": 1.1,
    stream: 1.2,
    logs: 1.2,
  },
};
const LISTS = 50;

/** All of the work by a client, or without one. */
interface Work {
  get(path: string): Promise<unknown>;
  list(): Promise<readonly unknown[]>;
  /** @param journal a file */
  runMany(jobs: number, journal?: string): Promise<number>;
  /** Jobs that take a while: they are looked at with pauses, and the limits of a queue are kept. */
  pollMany(jobs: number): Promise<number>;
  stream(id: string): AsyncIterable<unknown>;
  logs(): AsyncIterable<unknown>;
}

export async function client(
  { quick, rounds }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const [gets, jobs] = quick ? [3_000, 1_000] : [10_000, 2_000];
  const folder = mkdtempSync(join(tmpdir(), "computecloud-bench-"));
  const server = fork(join(__dirname, "jsonServer.ts"), { execArgv: ["-r", "tsx/cjs"], silent: true });
  try {
    const [port] = await once(server.stdout ?? process.stdin, "data");
    const address = `http://127.0.0.1:${String(port).trim()}`;
    const sides = [
      side("bare", bare(address), gets, jobs, folder),
      side("client", ours(address), gets, jobs, folder),
    ] as const;
    // Compiled and connected before anything is measured.
    for (const { round } of sides) await round();
    const title = `client: ${gets} GETs, ${jobs} jobs, ${SLOW.jobs} jobs of 0.8 s`;
    await report(await compare(title, Math.max(rounds, LEAST_ROUNDS), sides, TARGETS));
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

let streams = 0;
let journals = 0;

function side(name: string, work: Work, gets: number, jobs: number, folder: string): Side {
  const each = (path: string) => async () => {
    let left = gets;
    const one = async () => {
      while (left-- > 0) await work.get(path);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
  };
  const lists = async () => {
    let items = 0;
    for (let left = LISTS; left > 0; left -= 1) items += (await work.list()).length;
    return items;
  };
  const exactly = async (expected: number, counted: Promise<number>) => {
    if ((await counted) !== expected) throw new Error(`${name}: not all of ${expected} came`);
  };
  return {
    name,
    async round() {
      return {
        GET: await measured(each("/v2/pods/xedezhzb9la3ye")),
        "GET, quotas": await measured(each("/limited/v2/pods/xedezhzb9la3ye")),
        list: await measured(() => exactly(LISTS * LISTED, lists())),
        runMany: await measured(() => exactly(jobs, work.runMany(jobs))),
        "with journal": await measured(() => exactly(jobs, work.runMany(jobs, join(folder, `${++journals}.journal`)))),
        "polled jobs": await measured(() => exactly(SLOW.jobs, work.pollMany(SLOW.jobs))),
        stream: await measured(() => exactly(CHUNKS_AN_ANSWER * STREAM_ANSWERS, countOf(work.stream(`${++streams}`)))),
        logs: await measured(() => exactly(LOG_LINES, countOf(work.logs(), LOG_LINES))),
      };
    },
  };
}

/** @param most leaves the loop then: a log that has ended is looked at once more */
async function countOf(items: AsyncIterable<unknown>, most = Number.POSITIVE_INFINITY): Promise<number> {
  let count = 0;
  for await (const _ of items) {
    count += 1;
    if (count === most) break;
  }
  return count;
}

async function measured(work: () => Promise<void>): Promise<Figures> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const wall = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { wall, cpu: (user + system) / 1e6 };
}

interface JobAnswer {
  readonly id: string;
  readonly status: string;
}

interface StreamAnswer {
  readonly status: string;
  readonly stream: readonly unknown[];
}

export function bare(address: string): Work {
  const dispatcher = new Agent({ connections: 256 });
  const headers = { authorization: "Bearer key-of-nobody", accept: "application/json" };
  const json = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await request(address + path, {
      dispatcher,
      ...(body === undefined
        ? { headers }
        : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    return JSON.parse(await answer.body.text()) as T;
  };
  return {
    get: (path) => json(path),
    list: async () => (await json<{ pods: unknown[] }>("/v2/pods")).pods,
    /** Pauses as long as those of the client, and keeps no limits. */
    async pollMany(jobs) {
      let next = 0;
      let completed = 0;
      const one = async () => {
        while (next < jobs) {
          const { id } = await json<JobAnswer>("/v2/slow/run", { input: { index: next++ } });
          for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 1.5, 5_000)) {
            const { status } = await json<JobAnswer>(`/v2/slow/status/${id}`);
            if (status === "COMPLETED") break;
            await setTimeout(pauseMs * (0.8 + 0.4 * Math.random()));
          }
          completed += 1;
        }
      };
      await Promise.all(Array.from({ length: SLOW.concurrency }, one));
      return completed;
    },
    async runMany(jobs, journal) {
      let next = 0;
      let completed = 0;
      const notes = journal === undefined ? undefined : bareJournal(journal);
      const one = async () => {
        while (next < jobs) {
          const index = next++;
          await notes?.synced({ event: "submitting", index });
          const { id } = await json<JobAnswer>("/v2/endpoint/run", { input: { index } });
          notes?.append({ event: "submitted", index, id });
          const { status } = await json<JobAnswer>(`/v2/endpoint/status/${id}`);
          if (status === "COMPLETED") completed += 1;
          notes?.append({ event: "delivered", index });
        }
      };
      await Promise.all(Array.from({ length: BATCH_CONCURRENCY }, one));
      notes?.close();
      return completed;
    },
    async *stream(id) {
      for (;;) {
        const { status, stream } = await json<StreamAnswer>(`/v2/endpoint/stream/${id}`);
        yield* stream;
        if (stream.length === 0 && status === "COMPLETED") return;
      }
    },
    async *logs() {
      const { body } = await request(`${address}/v2/pods/xedezhzb9la3ye/logs`, { dispatcher, headers });
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of body) {
        const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) yield JSON.parse(event.slice(event.indexOf("\ndata: ") + 7));
      }
    },
  };
}

/** Lines that are noted during a sync to the disk share the next one. */
function bareJournal(path: string) {
  const file = openSync(path, "a");
  const sync = promisify(fdatasync);
  const append = (entry: object) => void writeSync(file, `${JSON.stringify(entry)}\n`);
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    append,
    synced(entry: object): Promise<void> {
      append(entry);
      next ??= current.then(() => {
        next = undefined;
        current = sync(file);
        return current;
      });
      return next;
    },
    close: () => closeSync(file),
  };
}

export function ours(address: string): Work {
  const connection = {
    apiKey: "key-of-nobody",
    baseUrl: address,
    serverlessUrl: address,
    graphqlUrl: `${address}/graphql`,
  };
  const service = createClient({
    ...connection,
    queueLimits: { run: UNLIMITED, status: UNLIMITED, stream: UNLIMITED },
  });
  const queue = service.queue("endpoint");
  const completedOf = async (results: AsyncIterable<{ job?: unknown }>): Promise<number> => {
    let completed = 0;
    for await (const { job } of results) if (job !== undefined) completed += 1;
    return completed;
  };
  const inputs = (jobs: number) => Array.from({ length: jobs }, (_, index) => ({ index }));
  return {
    get: (path) => service.request("GET", path),
    list: () => service.pods.list(),
    async pollMany(jobs) {
      // A queue of its own each round: what the round before has used of the limits is not this one's.
      await using rested = createClient(connection);
      return await completedOf(rested.queue("slow").runMany(inputs(jobs), { concurrency: SLOW.concurrency }));
    },
    runMany: (jobs, journal) => completedOf(queue.runMany(inputs(jobs), { concurrency: BATCH_CONCURRENCY, journal })),
    stream: (id) => queue.stream(id),
    logs: () => service.pods.logs("xedezhzb9la3ye"),
  };
}
