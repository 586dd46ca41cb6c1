import { beforeEach, expect, test } from "@jest/globals";
import { JobWaitError, type Queue, SubmissionLostError } from "../../client";
import * as jobs from "../../sdk/jobs";
import { environmentForEach } from "../harness/environment";
import { countTo } from "../harness/jobServer";
import { impatient } from "../harness/place";
import { json, reset, Script, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

// Calls of a queue, before a server that is slow, mute or strange.

const script = serverForEach(new Script());
const setEnvironment = environmentForEach();
const clock = impatient();
const queueLimits = { run: { per10s: 1, concurrent: 1 } };
let queue: Queue;
beforeEach(() => {
  queue = script.client({ clock, queueLimits }).queue("endpoint");
});

const job = (status: string) => json({ id: "job", status });

test("timeoutMs is kept by runSync, which asks the service to hold the job no longer", async () => {
  script.play((request, response) => {
    void clock.sleep(Number(new URL(request.url ?? "", "http://x").searchParams.get("wait")));
    job("IN_PROGRESS")(request, response);
  });
  const error = await errorOf(queue.runSync({ input: 1 }, { timeoutMs: 2_000 }), JobWaitError);
  expect(error).toMatchObject({ id: "job" });
  expect(script.received[0]?.url).toMatch(/^\/v2\/endpoint\/runsync\?wait=1\d{3}$/);
});

test("timeoutMs is kept by runSync with less time than the service holds a job", async () => {
  script.play(job("IN_QUEUE"));
  await errorOf(queue.runSync({ input: 1 }, { timeoutMs: 1_500 }), JobWaitError);
  expect(script.received[0]?.url).toBe("/v2/endpoint/run");
});

test("answers that are not what they used to be are read as far as they can be", async () => {
  script.play(json({ id: "job" }));
  expect(await queue.run({ input: 1 })).toMatchObject({ id: "job", status: "IN_QUEUE" });
  script.play(
    json({ id: null, status: "RUNNING", delayTime: null, retries: 0.5, workerId: 7 }),
    json({ status: "COMPLETED", executionTime: 12.5, output: "done", extra: true }),
  );
  expect(await queue.wait("job")).toMatchObject({ id: "job", executionTime: 12.5, output: "done" });
  script.play(json({ jobs: { completed: 1, failed: null }, workers: { running: 2, napping: 1 } }));
  expect(await queue.health()).toMatchObject({ jobs: { completed: 1, failed: 0 }, workers: { running: 2, idle: 0 } });
});

test("answers that are not what they used to be of a submission without an id say that the job may run", async () => {
  script.play(json({ status: "IN_QUEUE" }));
  await expect(queue.run({ input: 1 })).rejects.toBeInstanceOf(SubmissionLostError);
});

test("a job's time to live can be set anew, 6 s included", async () => {
  script.play(job("IN_QUEUE"));
  await queue.status("job", { ttl: 6_000 });
  expect(script.received[0]?.url).toBe("/v2/endpoint/status/job?ttl=6000");
  await expect(queue.status("job", { ttl: 0 })).rejects.toThrow("ttl is 0");
});

test("a retry whose answer is lost is not sent again once its run has failed, too", async () => {
  const failed = (executionTime: number) => json({ id: "job", status: "FAILED", executionTime });
  script.play(failed(120), reset, failed(80));
  expect(await queue.retry("job")).toMatchObject({ executionTime: 80 });
  script.play(failed(80), reset, failed(80), job("IN_QUEUE"));
  expect(await queue.retry("job")).toMatchObject({ status: "IN_QUEUE" });
  expect(script.received.map(({ method }) => method).join()).toMatch(/^GET,POST,GET,GET,POST,(GET,)+POST$/);
});

test("a purge whose first answer is lost says that its count is a least one", async () => {
  script.play(json({}, 503), json({ removed: 0 }), json({ removed: 3 }));
  expect(await queue.purgeQueue()).toMatchObject({ removed: 0, isLeast: true });
  expect(await queue.purgeQueue()).toEqual({ removed: 3 });
});

test("a webhook's address is in no error: it may hold a token", async () => {
  const webhook = "https://hooks.example.com/t/very-secret-token";
  script.play((_, response) => response.writeHead(400).end(JSON.stringify({ error: `cannot reach ${webhook}` })));
  const run = queue.run({ input: 1, webhook });
  await expect(run).rejects.toThrow("cannot reach [secret]");
});

test("jobs of a program have the key that is configured now, not the first of the process", async () => {
  script.play(job("IN_QUEUE"));
  for (const key of ["key-of-monday", "key-of-tuesday"]) {
    setEnvironment({ COMPUTECLOUD_SERVERLESS_URL: script.address, COMPUTECLOUD_API_KEY: key });
    await new Promise((resolve) => jobs.run({ endpointId: "e", input: 1 }).apply(resolve));
  }
  const keys = script.received.map(({ headers }) => headers.authorization);
  expect(keys).toEqual(["key-of-monday", "key-of-tuesday"]);
});

// The moment in which a submission leaves: where a worker of any engine notes that its job may exist.

/** Notes how many requests were sent by then. */
function notes() {
  const sent: number[] = [];
  const beforeSend = async () => {
    await new Promise(setImmediate);
    sent.push(script.received.length);
  };
  return { sent, beforeSend };
}

test("beforeSend is awaited when the limits admit the submission, before it is sent", async () => {
  script.play(job("IN_QUEUE"));
  const { sent, beforeSend } = notes();
  await Promise.all([1, 2, 3].map((input) => queue.run({ input }, { beforeSend })));
  expect(sent).toEqual([0, 1, 2]);
});

test.each(["run", "runSync"] as const)(
  "beforeSend of %s is called once, although the submission is refused and sent again",
  async (call) => {
    script.play(json({}, 429), job("COMPLETED"));
    const { sent, beforeSend } = notes();
    await queue[call]({ input: 1 }, { beforeSend });
    expect([sent, script.received.length]).toEqual([[0], 2]);
  },
);

test("an error of beforeSend ends the call as it is, nothing is sent, and the next one has the place", async () => {
  // As errors of the file system and of sockets have one.
  const full = Object.assign(new Error("the disk is full"), { code: "ECONNRESET" });
  const run = queue.run({ input: 1 }, { beforeSend: () => Promise.reject(full) });
  await expect(run).rejects.toBe(full);
  expect(script.received).toEqual([]);
  script.play(job("IN_QUEUE"));
  await queue.run({ input: 2 });
  expect(script.received).toHaveLength(1);
});

test("a submission that the limits keep back for longer than it may take says so", async () => {
  script.play(job("IN_QUEUE"));
  await queue.run({ input: 1 });
  const patient = script.client({ queueLimits, clock: undefined }).queue("e");
  await patient.run({ input: 1 });
  await expect(patient.run({ input: 2 }, { timeoutMs: 100 })).rejects.toThrow("kept back by the limits of its calls");
  expect(script.received).toHaveLength(2);
});

test("runSync calls that were refused don't come back as a herd", async () => {
  // A service that holds jobs and has room for a few: what comes beyond is refused at once, without a word on when to come back.
  const [room, calls] = [20, 200];
  let held = 0;
  let most = 0;
  script.play((request, response) => {
    request.resume().on("end", () => {
      if (held === room) return json({ error: "too many" }, 429)(request, response);
      held += 1;
      most = Math.max(most, held);
      // biome-ignore lint/plugin: how long the service holds a call
      setTimeout(() => {
        held -= 1;
        json({ id: "j", status: "COMPLETED", output: 1 })(request, response);
      }, 200);
    });
  });
  const patient = script.client({ clock: undefined }).queue("e");
  await Promise.all(countTo(calls).map((n) => patient.runSync({ input: n })));
  expect(most).toBe(room);
  // 850 without groups, and some 450; a busy machine's refusals come late, so that a few more calls go. The first 200 go together.
  expect(script.received.length).toBeLessThan(3.5 * calls);
});
