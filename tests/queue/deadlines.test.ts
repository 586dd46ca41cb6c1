import { beforeEach, expect, test } from "@jest/globals";
import { JobWaitError, type Queue, SubmissionLostError } from "../../client";
import { orphansOf } from "../harness/jobServer";
import { impatient } from "../harness/place";
import { json, reset, Script, serverForEach } from "../harness/script";
import { errorOf, until } from "../harness/until";

// A call ends in its own time before a server that is slow, mute or strange.

const script = serverForEach(new Script());
const clock = impatient();
let queue: Queue;
beforeEach(() => {
  queue = script.client({ clock }).queue("endpoint");
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

const abort = (after: () => boolean) => {
  const controller = new AbortController();
  void until(after).then(() => controller.abort(new RangeError("enough")));
  return controller.signal;
};

test("a batch that is aborted does not wait for a source that stalls", async () => {
  let hasStarted = false;
  async function* stalled() {
    hasStarted = true;
    await new Promise(() => {});
    yield 1;
  }
  const batch = queue.runMany(stalled(), { signal: abort(() => hasStarted) });
  await expect(batch.next()).rejects.toThrow("enough");
});

test("a batch that is aborted cancels the job whose submission is answered later, and no other", async () => {
  const states = new Map<string, string>();
  const cancelled: string[] = [];
  let answer = () => {};
  script.play((request, response) => {
    const [, , , operation = "", id = ""] = (request.url ?? "").split("/");
    if (operation === "run") {
      const job = `job-${states.size}`;
      states.set(job, "IN_PROGRESS");
      // The first three are answered at once, the last one after the batch was left.
      if (states.size < 4) json({ id: job, status: "IN_QUEUE" })(request, response);
      else answer = () => json({ id: job, status: "IN_QUEUE" })(request, response);
    } else if (operation === "cancel") {
      if (states.get(id) !== "IN_PROGRESS") return json({ error: "it has ended" }, 400)(request, response);
      cancelled.push(id);
      json({ id, status: "CANCELLED" })(request, response);
    } else json({ id, status: states.get(id), output: 1 })(request, response);
  });
  const controller = new AbortController();
  const { orphans, onOrphan } = orphansOf();
  const batch = queue.runMany([1, 2, 3, 4], { signal: controller.signal, onOrphan });
  const next = batch.next();
  await until(() => states.size === 4 && script.received.filter(({ url }) => url.includes("/status/")).length >= 3);
  states.set("job-1", "COMPLETED");
  states.set("job-2", "FAILED");
  controller.abort(new RangeError("enough"));
  answer();
  await expect(next).rejects.toThrow("enough");
  expect(cancelled.sort()).toEqual(["job-0", "job-3"]);
  // What has finished since its last look refuses the cancel, and its result is told.
  expect(orphans).toMatchObject([{ index: 1, id: "job-1", job: { status: "COMPLETED" } }]);
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
