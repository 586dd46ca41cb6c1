import { writeFile } from "node:fs/promises";
import { afterEach, expect, test } from "@jest/globals";
import { addressVariables } from "../../tools/run/environment";
import { type ProcessOptions, runOnTerminal } from "../../tools/run/process";
import { commandOn, documentOf, fails, MAIN, passes } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { endpoint } from "../harness/requests";
import { until } from "../harness/until";
import { serviceThat } from "./hostileService";

const place = placeForAll();
const folder = folderForAll();
afterEach(() => place.reset());

const computecloud = (args: readonly string[], options: ProcessOptions = {}) =>
  commandOn(place.emulator, args, options);

/** The same on a terminal, where somebody types. */
const onTerminal = (args: readonly string[], input: string) =>
  runOnTerminal(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...addressVariables(place.emulator) },
    input,
  });

test("pulumi-computecloud smoke passes with 0, its input and expectation as JSON or as files", async () => {
  const { endpointId } = await place.queue("echo");
  const file = folder.at("input.json");
  await writeFile(file, '{"prompt":"hi"}');
  const plain = await computecloud(["smoke", endpointId, "--input", file, "--expect", '{"output":{"prompt":"hi"}}']);
  expect(plain).toMatchObject(passes(/^Smoke job \S+ passed: waited \d+ ms/));

  await writeFile(file, '\uFEFF{"n":1}');
  const passed = documentOf(await computecloud(["smoke", endpointId, "--input", file, "--json"]));
  expect(passed).toMatchObject({ passed: true, endpointId, status: "COMPLETED", output: { n: 1 } });
});

test("pulumi-computecloud smoke sends a request in place of a job, with bounds, to an address that never gets the key", async () => {
  const keys: unknown[] = [];
  await using server = await serviceThat((request, response) => {
    keys.push(request.headers.authorization);
    response.end(request.url === "/slow" ? "" : '{"ok":true}');
  });
  const send = (...args: string[]) => computecloud(["smoke", server.address, ...args]);
  const passed = await send("--request", '{"path":"/x","expect":{"json":{"ok":true}}}', "--gate", '{"requests":2}');
  expect(passed).toMatchObject(passes(/^2 requests; the last one was answered with 200: end after \d+ ms/));
  const one = documentOf(await send("--request", '{"path":"/x"}', "--json"));
  expect(one).toMatchObject({ passed: true, status: 200, answer: '{"ok":true}', measured: { requests: 1 } });
  expect(new Set(keys)).toEqual(new Set([undefined]));

  const failed = documentOf(await send("--request", '{"path":"/slow","expect":{"text":"ok"}}', "--json"), 1);
  expect(failed).toMatchObject({ passed: false, answer: { status: 200 }, mismatches: [{ path: "Body" }] });
  for (const [args, message] of [
    [["--request", '{"pth":"/x"}'], /--request: .*pth/],
    [["--request", "{}", "--chat", "hi"], /exactly one of --input, --request and --chat/],
    [["--chat", "hi", "--gate", '{"jobs":2}'], /--gate: .*SmokeRequest/],
  ] as const)
    expect(await send(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
});

test("pulumi-computecloud smoke watches: passes while users' jobs go as before, and fails when more of them fail, or jobs are slower", async () => {
  const queue = await place.queue("echo");
  const { endpointId } = queue;
  const smoke = (...more: string[]) => computecloud(["smoke", endpointId, "--input", "1", "--every", "1s", ...more]);
  const before = folder.at("before.json");
  await writeFile(before, (await smoke("--json")).stdout);
  expect(await smoke("--watch", "1s", "--before", before)).toMatchObject({ exitCode: 0 });
  const running = smoke("--watch", "1h", "--before", before);
  await until(async () => (await place.count("run")) >= 3);
  await place.service.rest("PATCH", `/v2/serverless/${endpointId}`, { env: { EMULATOR_HANDLER: "fail" } });
  const jobs = await Promise.all(Array.from({ length: 25 }, () => queue.run({ input: { n: 1 } })));
  for (const { id } of jobs) await queue.wait(id).catch(() => {});
  const failed = await running;
  expect(failed.exitCode).toBe(1);
  expect(failed.stderr).toMatch(/jobs failed \(\d+\.\d %\); before: 0\.0 %|is FAILED/);

  const slower = ["--gate", '{"notSlowerThan":{"last":1.1}}', "--before", before];
  const figures = { p50: 0.001, p90: 0.001, p95: 0.001, p99: 0.001, max: 0.001 };
  await writeFile(before, JSON.stringify({ passed: true, measured: { jobs: 1, execution: figures, delay: figures } }));
  await place.service.rest("PATCH", `/v2/serverless/${endpointId}`, {
    env: { EMULATOR_HANDLER: "delay", EMULATOR_DELAY_MS: "10" },
  });
  expect(await smoke(...slower)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("NOT KEPT") });
  // The second is the job's input.
  for (const wrong of ['{"passed":true,"finished":true}', '{"text":"ping"}']) {
    await writeFile(before, wrong);
    expect(await smoke(...slower)).toMatchObject(fails("--before is not"));
  }
});

test("pulumi-computecloud smoke judges many jobs by the bounds of --gate, and prints the table", async () => {
  const { endpointId } = await place.queue("echo");
  const gate = (bounds: object, ...more: string[]) =>
    computecloud(["smoke", endpointId, "--input", "1", "--gate", JSON.stringify(bounds), ...more]);
  const passed = await gate({ jobs: 3, concurrency: 2, execution: { max: "1h" } });
  expect(passed).toMatchObject(passes(/^3 smoke jobs passed/));
  expect(passed.stdout).toMatch(
    /on NVIDIA RTX A4000\n.*measured +bound\n +execution max +\d+ ms +at most 3600 s +kept/,
  );
  const broken = await gate({ gpu: ["NVIDIA L4"] });
  expect(broken).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(/GPU +1 × .* NOT KEPT/) });
  const document = documentOf(await gate({ gpu: ["NVIDIA L4"] }, "--json"), 1);
  expect(document).toMatchObject({ passed: false, measured: { jobs: 1 }, judged: [{ holds: false }] });
  expect(await gate({ delay: { p95: "soon" } })).toMatchObject(fails("--gate: delay.p95 must be a time"));
});

test("pulumi-computecloud smoke fails with 1 and says why", async () => {
  const { endpointId } = await place.queue("fail", { EMULATOR_ERROR: "CUDA out of memory" });
  const plain = await computecloud(["smoke", endpointId, "--input", "1"]);
  expect(plain).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("CUDA out of memory") });

  const failed = documentOf(await computecloud(["smoke", endpointId, "--input", "1", "--json"]), 1);
  const reason = "the worker ran it and reported an error";
  const error = expect.stringContaining("CUDA out of memory");
  expect(failed).toMatchObject({ passed: false, status: "FAILED", error, reason, health: { jobs: { failed: 2 } } });
  // What could not run says so on standard error, too.
  const unrun = await computecloud(["smoke", endpointId, "--input", "no.json", "--json"]);
  expect(unrun).toMatchObject(fails("no.json can't be read"));
  const message = expect.stringContaining("no.json");
  expect(JSON.parse(unrun.stdout)).toMatchObject({ passed: false, error: { message } });
});

test("pulumi-computecloud smoke ends within its timeout, what it finds out of the cause included", async () => {
  const { endpointId } = await place.queue("crash");
  const { exitCode, stderr } = await computecloud(["smoke", endpointId, "--input", "1", "--timeout", "4s"]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(new RegExp(`on endpoint ${endpointId}: IN_QUEUE`));
  expect(stderr).toMatch(/was still IN_QUEUE after [\d.]+ s: the workers crash again and again/);
  expect(await place.count("cancel")).toBe(1);
});

test("pulumi-computecloud smoke ends with 2 when it could not run", async () => {
  const { endpointId } = await place.queue("echo");
  const wrong = [
    [],
    [endpointId],
    [endpointId, "--input", "no-such-file"],
    [endpointId, "--input", "{}"],
    [endpointId, "--input", "1", "--expect", '{"text":1}'],
    [endpointId, "--input", "1", "--timeout", "soon"],
    [endpointId, "another", "--input", "1"],
    [endpointId, "--bogus"],
    ["http://user@127.0.0.1", "--request", "{}"],
    ["http://:hunter2@127.0.0.1", "--request", "{}"],
    ["http://", "--request", "{}"],
  ];
  const results = await Promise.all(wrong.map((args) => computecloud(["smoke", ...args])));
  expect(results[2]?.stderr).toContain("no-such-file can't be read (ENOENT). Check the path");
  expect(results[9]?.stderr).toContain("The address has credentials: give them in headers");
  expect(results.map(({ exitCode }) => exitCode)).toEqual(wrong.map(() => 2));
  expect(results.every(({ stdout, stderr }) => stdout === "" && stderr.startsWith("pulumi-computecloud: "))).toBe(true);
  expect(await place.calls()).toEqual([]);

  const env = { COMPUTECLOUD_API_KEY: "wrong-key" };
  const refused = documentOf(await computecloud(["smoke", endpointId, "--input", "1", "--json"], { env }), 2);
  expect(refused).toMatchObject({ passed: false, httpStatus: 401 });
});

test("pulumi-computecloud smoke cancels its job when it is interrupted", async () => {
  const { endpointId } = await place.queue("delay", { EMULATOR_DELAY_MS: "3600000" });
  const interrupt = new AbortController();
  const running = computecloud(["smoke", endpointId, "--input", "1"], { signal: interrupt.signal });
  await until(async () => (await place.count("status")) > 0);
  interrupt.abort();
  expect((await running).exitCode).toBe(2);
  const { jobs } = (await place.state()) as Record<string, { id: string; status?: string }[]>;
  expect(jobs?.map(({ status }) => status)).toEqual(["CANCELLED"]);
});

test("pulumi-computecloud shows health and logs, and purges", async () => {
  const queue = await place.queue("echo");
  const { endpointId } = queue;
  await queue.runSync({ input: 1 });
  const health = await computecloud(["health", endpointId]);
  expect(health).toMatchObject(passes(/^jobs +completed 1 .*\nworkers +idle 1/));
  const counts = documentOf(await computecloud(["health", endpointId, "--json"]));
  expect(counts).toMatchObject({ jobs: { completed: 1 } });

  const logs = await computecloud(["logs", endpointId, "--tail", "2"]);
  expect(logs.stdout).toMatch(/^\S+ \w+ container worker is ready\n\S+ \w+ container started job/);
  const { lines } = documentOf(await computecloud(["logs", endpointId, "--json"]));
  const [workerId, ts, line] = Array(3).fill(expect.any(String));
  expect(lines[0]).toEqual({ workerId, ts, source: "system", line });

  const { endpointId: full } = await place.queue("throttled");
  await place.client().queue(full).run({ input: 1 });
  expect(await computecloud(["purge", full, "--yes"])).toMatchObject(passes(/^removed 1 waiting job\n$/));
  const purged = documentOf(await computecloud(["purge", full, "--yes", "--json"]));
  expect(purged).toEqual({ schemaVersion: 1, removed: 0, isLeast: false });
});

// finds mutant load-balancer-has-queue
test("pulumi-computecloud says of a load balancer that it has no queue, in place of zeros or a bare 400", async () => {
  const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 4 } } as const;
  const { id } = await place.client().serverless.create({ ...endpoint("balancer"), ...balancer });
  for (const args of [
    ["health", id],
    ["purge", id, "--yes"],
    ["smoke", id, "--input", '{"n":1}'],
  ])
    expect(await computecloud(args)).toMatchObject(
      fails(`endpoint ${id} is a load balancer and has no queue. Test it with a request`),
    );
});

// finds mutant purge-unasked
test("pulumi-computecloud purges only what it was told to: it asks on a terminal, and names --yes elsewhere", async () => {
  const { endpointId } = await place.queue("throttled");
  const queue = place.client().queue(endpointId);
  await queue.run({ input: 1 });
  expect(await computecloud(["purge", endpointId])).toMatchObject(fails("Add --yes"));
  const no = await onTerminal(["purge", endpointId], "no\n");
  expect(no.stdout).toContain(`Endpoint ${endpointId} has 1 waiting job. Remove for good? yes or no?`);
  expect(no.stdout).toContain("removed nothing");
  const asJson = await onTerminal(["purge", endpointId, "--json"], "no\n");
  expect(JSON.parse(asJson.stdout.slice(asJson.stdout.indexOf("{")))).toMatchObject({ removed: 0, isLeast: false });
  expect((await queue.health()).jobs.inQueue).toBe(1);
  expect((await onTerminal(["purge", endpointId], "yes\n")).stdout).toContain("removed 1 waiting job");
});

test("pulumi-computecloud follows logs until it is interrupted", async () => {
  const queue = await place.queue("echo");
  await queue.runSync({ input: 1 });
  const interrupt = new AbortController();
  const following = computecloud(["logs", queue.endpointId, "--follow"], { signal: interrupt.signal });
  await until(async () => (await place.service.calls()).some((operation) => /log/i.test(operation)));
  interrupt.abort();
  expect((await following).exitCode).toBe(0);
});

test.each([
  ["API_KEY", "", "there is no API key. Set COMPUTECLOUD_API_KEY in the environment."],
  ["BASE_URL", "", "there is no address. Set COMPUTECLOUD_CLOUD=runpod or COMPUTECLOUD_BASE_URL in the environment."],
  ["RETRY_TIMEOUT", "soon", "must be a duration"],
])("pulumi-computecloud without a good %s names it, and no stack's configuration", async (name, value, says) => {
  const variable = `COMPUTECLOUD_${name}`;
  const refused = await computecloud(["health", "x"], { env: { [variable]: value } });
  expect(refused).toMatchObject(fails(`${variable}: ${says}`));
  expect(refused.stderr).not.toContain("pulumi config");
});

test("pulumi-computecloud shows the logs of the workers that are there when one has gone", async () => {
  const queue = await place.queue("echo");
  await place.client().serverless.update(queue.endpointId, { workers: { min: 2, max: 2 } });
  await queue.runSync({ input: 1 });
  const { workers = [] } = await place.client().serverless.workers(queue.endpointId);
  const [gone, other] = workers.map(({ id }) => id);
  await place.fault({ path: `/v2/serverless/${queue.endpointId}/workers/${gone}/logs`, times: 99 }, { status: 404 });
  const stderr = expect.stringContaining(`worker ${gone}: `);
  expect(await computecloud(["logs", queue.endpointId])).toMatchObject({ ...passes(new RegExp(` ${other} `)), stderr });
});

test("pulumi-computecloud without a command is a mistake", async () =>
  expect((await computecloud([])).exitCode).toBe(2));
