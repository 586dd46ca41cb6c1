import { inspect } from "node:util";
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { AuthenticationError, type Client, NotFoundError } from "../../client";
import { redact } from "../../common/redact";
import { answerMismatches } from "../../provider/smoke/answerExpectation";
import { mismatches } from "../../provider/smoke/expectation";
import { runSmoke, type SmokePlan } from "../../provider/smoke/runSmoke";
import { SmokeError } from "../../provider/smoke/smokeError";
import { judgeFailures } from "../../provider/smoke/watch";
import { placeForAll } from "../harness/place";
import { Script, serverForEach } from "../harness/script";

const place = placeForAll();
const script = serverForEach(new Script());
let client: Client;
beforeAll(async () => {
  client = place.client({ clock: place.sharedClock() });
});
afterEach(() => place.reset());

const second = 1000;

interface Trial extends Partial<SmokePlan> {
  env?: Record<string, string>;
  workersMax?: number;
}

/** Runs a smoke job on a new endpoint whose workers run this handler; answers what it threw, or the job. */
async function smoke(handler: string, { env, workersMax, ...plan }: Trial = {}) {
  const { endpointId } = await place.queue(handler, env);
  if (workersMax !== undefined) await client.serverless.update(endpointId, { workers: { max: workersMax } });
  const { signal } = new AbortController();
  const whole = { endpointId, input: { n: 1 }, timeoutMs: 10 * second, retries: 0, signal, ...plan };
  return runSmoke(client, whole).catch((error: unknown) => error);
}

test.each([
  { handler: "crash", cause: /workers crash again and again/ },
  { handler: "throttled", cause: /no host has room/ },
  { handler: "delay", env: { EMULATOR_DELAY_MS: "3600000" }, cause: /handler is slow or hangs/ },
  { handler: "echo", workersMax: 0, cause: /its maximum is 0/ },
  { handler: "echo", workerColdStartMs: 600 * second, cause: /slow cold start/ },
])(
  "a smoke job that fails to finish in time is cancelled, and tells why ($handler)",
  async ({ cause, handler, workerColdStartMs = 0, ...trial }) => {
    await place.service.settings({ workerColdStartMs });
    const error = await smoke(handler, trial);
    await place.service.settings({ workerColdStartMs: 0 });
    expect(error).toBeInstanceOf(SmokeError);
    expect(error).toMatchObject({ message: expect.stringMatching(cause), failure: { job: expect.anything() } });
    expect((await place.state()).jobs?.map(({ status }) => status)).toEqual(["CANCELLED"]);
  },
);

test("a smoke job that fails shows the worker's error, the counts, the workers and the log", async () => {
  const error = await smoke("fail", { env: { EMULATOR_ERROR: "CUDA out of memory" } });
  const { message } = error as SmokeError;
  expect(message).toMatch(/is FAILED: the worker ran it and reported an error/);
  expect(message).toContain("CUDA out of memory");
  expect(message).toMatch(/Jobs: 0 completed, 1 failed/);
  expect(message).toMatch(/Worker \w+: \w+, up for/);
  expect(message).toMatch(/Last log lines of worker \w+:\n +starting container from emulator\/fail:1/);
});

test("a smoke job that fails is run again as often as it may be, each time as a new job", async () => {
  const error = await smoke("fail", { retries: 2 });
  expect(error).toMatchObject({ failure: { attempts: 3 } });
  expect(await place.count("run")).toBe(3);
  const again = await smoke("echo", { retries: 1, expect: { output: { n: 2 } } });
  expect(again).toMatchObject({ failure: { attempts: 2, mismatches: [{ path: "/n", found: "1" }] } });
});

test("a smoke job that fails still says so when nothing else can be read", async () => {
  await place.fault({ operation: "health", times: 99 }, { status: 403 });
  await place.fault({ path: "/v2/serverless/*", method: "GET", times: 99 }, { status: 403 });
  const error = await smoke("fail");
  expect(error).toBeInstanceOf(SmokeError);
  expect(error).toMatchObject({ message: expect.stringMatching(/Health: could not be read/) });
});

test("a smoke job that fails shows nothing of a secret job in any part of its error", async () => {
  const env = { EMULATOR_ERROR: "bad token: hunter2-token, wanted hunter3-token" };
  const expected = { output: { token: "hunter3-token" } };
  const secret = { input: { token: "hunter2-token" }, expect: expected, secretOutput: true };
  for (const [handler, environment] of [
    ["fail", env],
    ["echo", {}],
  ] as const) {
    const error = await smoke(handler, { ...secret, env: environment });
    expect(error).toBeInstanceOf(SmokeError);
    expect(redact(String(error))).toMatch(
      handler === "fail" ? /bad token: \[secret]/ : /Output\/token is not as expected/,
    );
    const printed = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
    expect(redact(printed)).not.toMatch(/hunter[23]-token/);
  }
});

test("a smoke job waits for an endpoint that the queue does not know yet, but not for ever", async () => {
  await place.fault({ operation: "run", times: 3 }, { status: 404 });
  expect(await smoke("echo")).toMatchObject({ status: "COMPLETED" });
  await place.fault({ operation: "run", times: 999 }, { status: 404 });
  expect(await smoke("echo")).toBeInstanceOf(NotFoundError);
});

test("a smoke job is submitted again when the answer was lost, and survives the service's bad moments", async () => {
  await place.fault({ operation: "run" }, { drop: "after" });
  await place.fault({ operation: "status", times: 3 }, { status: 502 });
  expect(await smoke("echo", { timeoutMs: 600 * second })).toMatchObject({ status: "COMPLETED" });
});

test("a smoke job that can't be followed is cancelled, and the reason is not a failure of the endpoint", async () => {
  await place.fault({ operation: "status" }, { status: 401 });
  expect(await smoke("echo")).toBeInstanceOf(AuthenticationError);
  expect(await place.count("cancel")).toBe(1);
});

test("a smoke job leaves nothing in the queue for longer than it is waited for", async () => {
  await place.fault({ operation: "cancel", times: 99 }, { status: 500 });
  await smoke("crash", { timeoutMs: 5 * second });
  await place.service.advance(70 * second);
  expect((await place.state()).jobs?.map(({ status }) => status)).toEqual(["TIMED_OUT"]);
});

test.each([
  ["as before", { completed: 1050, failed: 11 }, undefined],
  ["a percentage point more", { completed: 1098, failed: 12 }, undefined],
  ["too few to say", { completed: 1000, failed: 29 }, undefined],
  ["more", { completed: 1095, failed: 15 }, "5 of the last 100 jobs failed (5.0 %); before: 1.0 %"],
])("the failures of users' jobs after a change: %s", (_, now, message) => {
  const before = { completed: 990, failed: 10 };
  const judge = () => judgeFailures("4kqwe7f0", before, { completed: 1000, failed: 10 }, now);
  if (message === undefined) expect(judge).not.toThrow();
  else expect(judge).toThrow(message);
});

test("a result that was too large is no success: the service drops it, and only the worker's log says so", async () => {
  await place.service.settings({ runResultBytes: 1_000 });
  const input = { text: "x".repeat(1_000) };
  const error = await smoke("echo", { input });
  expect(String(error)).toContain("is missing: its result was too large");
  expect(String(error)).toContain("Failed to return job results. | 400");
  expect(await smoke("echo", { input, expect: { schema: true } })).toMatchObject({ status: "COMPLETED" });
  const queue = await place.queue("echo");
  const [dropped, small] = await Array.fromAsync(queue.runMany([input, { n: 1 }], { concurrency: 1 }));
  expect(dropped?.error).toMatchObject({
    name: "JobOutputError",
    message: expect.stringContaining("completed without output"),
  });
  expect(small?.job?.output).toEqual({ n: 1 });
  const schema = z.unknown();
  expect(await Array.fromAsync(queue.runMany([input], { schema }))).toMatchObject([{ job: { output: undefined } }]);
  await place.service.settings({ runResultBytes: 10 * 1024 * 1024 });
});

test("a proof's integers beyond 2^53 compare exactly, and their digits are what a program expects", async () => {
  const body = `{"n":9007199254740993}`;
  script.play((_, response) => void response.writeHead(200).end(`{"id":"j","status":"COMPLETED","output":${body}}`));
  const { signal } = new AbortController();
  const plan = { endpointId: "e", input: { n: 1 }, timeoutMs: second, retries: 0, signal };
  const differences = async (n: unknown) => {
    const run = runSmoke(script.client(), { ...plan, expect: { output: { n }, schema: { required: ["n"] } } });
    const error = await run.catch((error: SmokeError) => error);
    return [
      error instanceof SmokeError ? error.failure.mismatches : [],
      answerMismatches({ json: { n } }, { status: 200, contentType: undefined, text: body }),
    ];
  };
  const wrong = [{ problem: expect.stringContaining("as a string of its digits"), found: '"9007199254740993"' }];
  expect(await differences(9007199254740992)).toMatchObject([wrong, wrong]);
  expect(await differences("9007199254740993")).toEqual([[], []]);
  expect(mismatches({ output: "18014398509481984" }, 18014398509481984)).toEqual([]);
});
