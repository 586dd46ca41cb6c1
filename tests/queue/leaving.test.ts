import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type JobResult, JobWaitError, type Orphan, type Queue, SubmissionLostError } from "../../provider/client";
import { until } from "../harness/place";
import { json, Script, type Step } from "../harness/script";

// Batches and waits that end early, against a server whose jobs finish when they are told to, in real time.

let script: Script;
let queue: Queue;
/** By id, which is also the place of the input. */
let jobs: Map<string, string>;
let steps: Record<string, Step>;
const running = () => [...jobs].filter(([, status]) => status === "IN_PROGRESS").map(([id]) => id);

beforeEach(async () => {
  script = new Script();
  jobs = new Map();
  steps = {};
  script.play((request, response) => {
    const [, , , operation = "", id = ""] = (request.url ?? "").split("?")[0]?.split("/") ?? [];
    const step = steps[operation];
    if (step !== undefined) return step(request, response);
    if (operation === "run") return submit(request, response);
    if (operation === "cancel") jobs.set(id, "CANCELLED");
    const status = jobs.get(id);
    json({ id, status, ...(status === "COMPLETED" && { output: Number(id) }) })(request, response);
  });
  await script.listen();
  queue = script.client({ clock: undefined }).queue("e");
});
afterEach(() => script.close());

/** Jobs are named by their inputs, which count from 0. */
const submit: Step = (request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const id = String(JSON.parse(text).input);
    jobs.set(id, "IN_PROGRESS");
    json({ id, status: "IN_QUEUE" })(request, response);
  });
};
const finish = (...ids: number[]) => {
  for (const id of ids) jobs.set(String(id), "COMPLETED");
};
const count = (to: number) => Array.from({ length: to }, (_, n) => n);

async function collect(results: AsyncIterable<JobResult>) {
  const all: JobResult[] = [];
  const error = await (async () => {
    for await (const result of results) all.push(result);
  })().catch((error: unknown) => error);
  return { all, error };
}

describe("a batch", () => {
  test("whose inputs fail yields what is finished, then throws, and cancels the rest", async () => {
    async function* inputs() {
      yield* count(20);
      await until(() => jobs.size === 20);
      finish(...count(18));
      // Longer than the pauses between looks at a job that has just begun.
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      throw new RangeError("no more inputs");
    }
    const { all, error } = await collect(queue.runMany(inputs(), { concurrency: 30 }));
    expect(error).toMatchObject({ message: "no more inputs" });
    expect(all.flatMap(({ job }) => job?.output ?? []).sort((a, b) => Number(a) - Number(b))).toEqual(count(18));
    expect(running()).toEqual([]);
    expect([...jobs.values()].filter((status) => status === "CANCELLED")).toHaveLength(2);
  }, 20_000);

  test("that is left by break names the results that were not delivered", async () => {
    const orphans: Orphan[] = [];
    steps.run = (request, response) => {
      submit(request, response);
      request.on("end", () => finish(...running().map(Number)));
    };
    for await (const _ of queue.runMany(count(40), { concurrency: 40, onOrphan: (orphan) => orphans.push(orphan) })) {
      await until(() => script.received.filter(({ url }) => url.includes("/status/")).length >= 40);
      // The last answers are on their way.
      await new Promise((resolve) => setTimeout(resolve, 200));
      break;
    }
    expect(orphans).toHaveLength(39);
    for (const { index, id, job } of orphans) expect([id, job?.output]).toEqual([String(index), index]);
  });

  test("that is aborted ends within seconds, whatever the service does, and names every job", async () => {
    const orphans: Orphan[] = [];
    const abort = new AbortController();
    steps.cancel = () => {};
    const batch = collect(
      queue.runMany(count(50), { concurrency: 50, signal: abort.signal, onOrphan: (orphan) => orphans.push(orphan) }),
    );
    await until(() => jobs.size === 50);
    const began = performance.now();
    abort.abort(new RangeError("enough"));
    expect((await batch).error).toMatchObject({ message: "enough" });
    expect(performance.now() - began).toBeLessThan(9_000);
    expect(orphans.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(count(50));
  }, 30_000);

  test("gives a submission no more time than a job has", async () => {
    steps.run = () => {};
    const began = performance.now();
    const { all } = await collect(queue.runMany([0], { timeoutMs: 1_000 }));
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(all[0]?.error).toBeInstanceOf(SubmissionLostError);
  });

  test("tells of every orphan although onOrphan throws, and hides no error behind that", async () => {
    const abort = new AbortController();
    let told = 0;
    steps.cancel = json({ error: "no" }, 403);
    const batch = collect(
      queue.runMany(count(3), {
        signal: abort.signal,
        onOrphan: () => {
          told += 1;
          throw new TypeError("mine");
        },
      }),
    );
    await until(() => jobs.size === 3);
    abort.abort(new RangeError("enough"));
    expect((await batch).error).toMatchObject({ message: "enough" });
    expect(told).toBe(3);
  });

  test("of a client that is closed is cancelled before the sockets are given up", async () => {
    const client = script.client({ clock: undefined });
    const batch = collect(client.queue("e").runMany(count(5)));
    await until(() => jobs.size === 5);
    await client.close();
    expect(running()).toEqual([]);
    expect((await batch).error).toMatchObject({ name: "UsageError" });
  });
});

describe("wait", () => {
  test("goes on through an outage that is longer than a call is retried", async () => {
    const client = script.client({ retryBudgetMs: 0 });
    let looks = 0;
    jobs.set("7", "COMPLETED");
    steps.status = (request, response) => {
      looks += 1;
      if (looks < 20) return json({}, 503)(request, response);
      json({ id: "7", status: "COMPLETED", output: 7 })(request, response);
    };
    expect(await client.queue("e").wait("7")).toMatchObject({ output: 7 });
  });

  test("ends in a JobWaitError when the outage outlasts it", async () => {
    steps.status = json({}, 503);
    const error = await script
      .client()
      .queue("e")
      .wait("7", { timeoutMs: 600_000 })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(JobWaitError);
    expect(error).toMatchObject({ id: "7", cause: { status: 503 } });
  });

  test("of a client that is closed ends in a JobWaitError at once", async () => {
    const client = script.client({ clock: undefined });
    jobs.set("7", "IN_PROGRESS");
    const waiting = client.queue("e").wait("7");
    const ended = waiting.catch((error: unknown) => error);
    await until(() => script.received.length > 0);
    await client.close();
    expect(await ended).toMatchObject({ name: "JobWaitError", id: "7", cause: { name: "UsageError" } });
  });
});

test("a stream is as patient as wait with a job that is not known everywhere yet", async () => {
  let asked = 0;
  steps.stream = (request, response) => {
    asked += 1;
    const step = asked < 3 ? json({ error: "not found" }, 404) : json({ status: "COMPLETED", stream: [] });
    step(request, response);
  };
  for await (const _ of queue.stream("7"));
  expect(asked).toBe(3);
});
