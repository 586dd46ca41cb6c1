/* `watch`: metrics that Prometheus takes, what does not heal, and the files that are shipped beside it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { parse, parseAllDocuments } from "yaml";
import { type StuckEvent, Watch } from "../../cli/watch/collect";
import { exposition, type Samples } from "../../cli/watch/openMetrics";
import type { Endpoint } from "../../client";
import { version } from "../../package.json";
import { isHealthy } from "../../provider/smoke/target";
import { checkout } from "../../tools/run/environment";
import { run } from "../../tools/run/process";
import { commandOn, fails, MAIN, scripted } from "../harness/commandLine";
import { folderForAll } from "../harness/folder";
import { onPath } from "../harness/onPath";
import { placeForAll } from "../harness/place";
import { until } from "../harness/until";
import { scrape, watching } from "./watching";

const MINUTE_MS = 60_000;
const promtool = onPath("promtool");

const place = placeForAll();
afterEach(() => place.reset());

/** `name{label="value"}` -> value, of those whose name and labels have all of these words. */
function values(samples: Samples, ...words: string[]): number[] {
  const lines = exposition(samples).split("\n");
  return lines
    .filter((line) => !line.startsWith("#") && words.every((word) => line.includes(word)))
    .map((line) => Number(line.split(" ").at(-1)));
}

/** The metrics that have samples. */
const namesIn = (samples: Samples) => Array.from(exposition(samples).matchAll(/^# TYPE (\w+)/gm), ([, name]) => name);

/** A look at a queue that has done a job, and a pod. */
async function busyPlace() {
  const { endpointId } = await place.queue("echo");
  const client = place.client({ clock: place.sharedClock() });
  await client.serverless.update(endpointId, { workers: { min: 1, max: 4 } });
  await client.pods.create({ name: "trainer", image: "a/b:1", gpu: { id: "NVIDIA GeForce RTX 4090" } });
  await client.queue(endpointId).runSync({ input: 1 });
  await place.forgetCalls();
  return { endpointId, look: () => new Watch(client, MINUTE_MS, () => {}).look({}) };
}

test("the metrics are OpenMetrics: help and type of each, labels escaped, an end", () => {
  const samples: Samples = {
    balance_usd: [[{}, 0.5]],
    pods: [[{ status: 'x"\\\ny' }, 1]],
    worker_quota: [[{}, undefined]],
  };
  expect(exposition(samples)).toBe(
    "# TYPE computecloud_pods gauge\n# HELP computecloud_pods Pods by status.\n" +
      'computecloud_pods{status="x\\"\\\\\\ny"} 1\n' +
      "# TYPE computecloud_balance_usd gauge\n# HELP computecloud_balance_usd Balance of the account.\n" +
      "computecloud_balance_usd 0.5\n# EOF\n",
  );
});

test("the metrics count endpoints, queues, pods, quota and spending, by one call a list and one a queue", async () => {
  const { endpointId, look } = await busyPlace();
  const gauges = await look();
  expect(values(gauges, "endpoint_workers_max", endpointId)).toEqual([4]);
  expect(values(gauges, "endpoint_workers_min", endpointId)).toEqual([1]);
  expect(values(gauges, "endpoint_jobs", endpointId, 'state="completed"')).toEqual([1]);
  expect(values(gauges, "endpoint_workers{", endpointId, 'state="idle"')).toEqual([1]);
  expect(values(gauges, "pods{")).toEqual([1]);
  expect(values(gauges, "pod_cost", "trainer")[0]).toBeGreaterThan(0);
  expect(values(gauges, "worker_quota")).toEqual([1000]);
  expect(values(gauges, "balance_usd")).toHaveLength(1);
  expect(values(gauges, "billed_last_day_usd")).toHaveLength(1);
  expect(values(gauges, "computecloud_up")).toEqual([1, 1, 1, 1, 1, 1]);
  expect((await place.service.calls()).sort()).toEqual(
    ["getAccountLimits", "getBalance", "listBilling", "health", "listEndpoints", "listPods"].sort(),
  );

  // What can't be read is left out, and says so.
  await place.fault({ operation: "listPods", times: 9 }, { status: 403 });
  await place.fault({ operation: "health", times: 9 }, { status: 404 });
  const partial = await look();
  expect(values(partial, "pods{")).toEqual([]);
  expect(values(partial, "up{", 'kind="pods"')).toEqual([0]);
  expect(values(partial, "up{", 'kind="queues"')).toEqual([0]);
  expect(values(partial, "endpoint_workers_max", endpointId)).toEqual([4]);
});

test("the metrics of a load balancer count its workers and probes, which start no worker and keep none", async () => {
  const client = place.client({ clock: place.sharedClock() });
  const scaling = { type: "REQUEST_COUNT" as const, requestCount: 1 };
  const container = { image: "emulator/echo:1", gpu: { pools: ["AMPERE_16"] }, scaling };
  const balancer = async (name: string, workers: { min: number; max: number }, more: object = {}) =>
    (await client.serverless.create({ ...container, name, type: "LOAD_BALANCER", workers, ...more })).id;
  const [busy, resting] = [await balancer("busy", { min: 1, max: 2 }), await balancer("resting", { min: 0, max: 2 })];
  await balancer("broken", { min: 1, max: 2 }, { image: "emulator/crash:1" });
  await balancer("closed", { min: 1, max: 2 }, { env: { PORT: "5000", EMULATOR_PORT: "80" } });
  const stuck: StuckEvent[] = [];
  const probe = (endpoint: Endpoint, signal: AbortSignal) => isHealthy(client, endpoint, signal);
  const watch = new Watch(client, MINUTE_MS, (event) => stuck.push(event), probe);
  await until(async () => (await client.serverless.workers(busy)).summary?.idle === 1);
  await watch.look({});
  const gauges = await watch.look({});
  expect(values(gauges, "endpoint_workers{", busy, 'state="idle"')).toEqual([1]);
  expect(values(gauges, "endpoint_healthy", busy)).toEqual([1]);
  expect(values(gauges, "endpoint_probes", busy)).toEqual([2, 0]);
  expect(values(gauges, "endpoint_healthy", resting)).toEqual([]);
  expect(values(gauges, "endpoint_workers{", resting, "idle")).toEqual([0]);
  expect((await client.serverless.workers(resting)).summary?.total).toBe(0);
  await client.clock.sleep(2 * MINUTE_MS);
  await watch.look({});
  const reported = stuck.map(({ name, reason }) => `${name} ${reason}`);
  expect(reported.sort()).toEqual(["broken crash_loop", "closed no_answer"]);
});

test("the metrics of a refused key are those that say so, with the time of the last look that could read", async () => {
  const { endpointId } = await place.queue("echo");
  const clock = place.sharedClock();
  const unread: string[] = [];
  const noteUnread = (kind: string, { message }: Error) => unread.push(`${kind} ${/\d{3}/.exec(message)?.[0]}`);
  const watch = new Watch(place.client({ clock }), MINUTE_MS, () => {}, undefined, noteUnread);
  const before = Math.round(clock.now() / 1000);
  expect(values(await watch.look({}), "read_timestamp", 'kind="queues"')[0]).toBeGreaterThanOrEqual(before);
  await clock.sleep(10 * MINUTE_MS);
  await place.fault({ interface: "rest", times: 99 }, { status: 401 });
  await watch.look({});
  const refused = await watch.look({});
  // Once, for the log.
  expect(unread.sort()).toEqual(["balance 401", "billing 401", "endpoints 401", "pods 401"]);
  expect(values(refused, "computecloud_up")).toEqual([0, 0, 0, 0, 0, 0]);
  expect(values(refused, endpointId)).toEqual([]);
  expect(values(refused, "read_timestamp", 'kind="queues"')[0]).toBeLessThan(before + 300);
  expect(namesIn(refused)).toEqual(["computecloud_up", "computecloud_read_timestamp_seconds"]);
});

test("the metrics say how long jobs wait and take, also before an endpoint that rests at 0 workers", async () => {
  const { endpointId } = await place.queue("echo");
  const clock = place.sharedClock();
  const client = place.client({ clock });
  const watch = new Watch(client, MINUTE_MS, () => {});
  const times = async () => {
    const gauges = await watch.look({});
    return ["queue_age", "job_latency"].map((name) => values(gauges, name, endpointId)[0]);
  };
  await client.serverless.update(endpointId, { workers: { min: 0, max: 0 } });
  expect(await times()).toEqual([0, undefined]);
  const first = await client.queue(endpointId).run({ input: 1 });
  await times();
  await clock.sleep(5 * MINUTE_MS);
  const [age = 0, latency] = await times();
  expect([Math.round(age / 60), latency]).toEqual([5, undefined]);
  expect(values(await watch.look({}), "endpoint_jobs", endpointId, 'state="inQueue"')).toEqual([1]);
  expect(values(await watch.look({}), "workers_max", endpointId)).toEqual([0]);

  // A cancelled job is no longer counted, and the next one is not taken for it.
  await client.queue(endpointId).cancel(first.id);
  expect(await times()).toEqual([0, undefined]);
  await client.queue(endpointId).run({ input: 2 });
  await times();
  await clock.sleep(2 * MINUTE_MS);
  const [next = 0] = await times();
  expect(Math.round(next / 60)).toBe(2);
  await client.serverless.update(endpointId, { workers: { min: 1, max: 1 } });
  await clock.sleep(2 * MINUTE_MS);
  const [left, took = 0] = await times();
  expect(left).toBe(0);
  expect(took).toBeGreaterThanOrEqual(180);
  expect(await times()).toEqual([0, undefined]);
});

test.each([
  ["crash", "crash_loop", 3 * MINUTE_MS, 10 * MINUTE_MS],
  ["throttled", "throttled", 6_000, 15_000],
])("the metrics of workers that do not heal (%s): told once, after the time asked for", async (...row) => {
  const [handler, reason, seenAfterMs, patienceMs] = row;
  const { endpointId } = await place.queue(handler);
  const clock = place.sharedClock();
  const client = place.client({ clock });
  await client.queue(endpointId).run({ input: 1 });
  const events: StuckEvent[] = [];
  const watch = new Watch(client, patienceMs, (event) => events.push(event));
  const stuck = async () => values(await watch.look({}), "stuck", endpointId, `reason="${reason}"`)[0];
  // Until the scheduler says so.
  await clock.sleep(seenAfterMs);
  expect(await stuck()).toBe(0);
  await clock.sleep(patienceMs / 2);
  expect(await stuck()).toBe(0);
  expect(events).toEqual([]);
  await clock.sleep(patienceMs / 2);
  expect(await stuck()).toBe(1);
  expect(await stuck()).toBe(1);
  expect(events).toEqual([{ endpointId, name: expect.any(String), reason }]);
  if (handler === "throttled") {
    await clock.sleep(MINUTE_MS);
    expect(await stuck()).toBe(0);
  }
});

test("pulumi-computecloud watch serves /metrics until it is interrupted, and prints what is stuck or unread", async () => {
  const { endpointId } = await place.queue("crash");
  const client = place.client({ clock: place.sharedClock() });
  await client.queue(endpointId).run({ input: 1 });
  await place.service.advance(10 * MINUTE_MS);
  const stuck = `endpoint_stuck{endpoint_id="${endpointId}"`;
  const { stderr } = await watching(place.emulator, ["--stuck", "1s"], async (port) => {
    const { type, text } = await scrape(port);
    expect(type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(text).toMatch(/# EOF\n$/);
    expect((await scrape(port, "/")).status).toBe(404);
    const second = await commandOn(place.emulator, ["watch", "--metrics", `127.0.0.1:${port}`]);
    expect(second).toMatchObject(fails(`port ${port} is in use by another program`));
    await until(async () => / 1$/m.test((await scrape(port)).text.split(stuck).slice(1).join("")));
  });
  expect(stderr).toContain(`(${endpointId}): its workers crash again and again`);
  await place.reset();
  const env = { COMPUTECLOUD_API_KEY: "expired" };
  const unread = await watching(place.emulator, [], async (port) => void (await scrape(port)), { env });
  expect(unread.stderr).toContain("The endpoints can't be read: Endpoint: 401 Unauthorized");
  for (const wrong of ["9464", ":99999", "here"])
    expect(await commandOn(place.emulator, ["watch", "--metrics", wrong])).toMatchObject(
      fails("--metrics takes an address such as :9464"),
    );
});

test("pulumi-computecloud watch serves no figures that are older than three intervals", async () => {
  const { endpointId } = await place.queue("echo");
  await watching(place.emulator, [], async (port) => {
    expect((await scrape(port)).text).toContain(endpointId);
    await place.fault({ operation: "health", times: 99 }, { delayMs: 10_000 });
    let text = "";
    await until(async () => {
      ({ text } = await scrape(port));
      return !text.includes(endpointId);
    });
    expect(text.match(/computecloud_up\{.*\} 0/g)).toHaveLength(6);
    expect(text).toContain('read_timestamp_seconds{kind="queues"}');
  });
});

describe("the files for Prometheus, Grafana and Kubernetes", () => {
  const tools = folderForAll();
  const file = (name: string) => readFile(join(checkout, "docs/pipelines", name), "utf8");

  (promtool === undefined ? test.skip : test)("play each incident as the rules' tests describe it", async () => {
    const rules = join(checkout, "tests/pipelines/watch-alerts.test.yml");
    const { exitCode, stdout, stderr } = await run(promtool ?? "", ["test", "rules", rules]);
    expect([exitCode, stdout + stderr]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });

  test("ask for metrics that there are", async () => {
    const gauges = await (await busyPlace()).look();
    const exported = namesIn(gauges);
    const rules = parse(await file("watch-alerts.yml")).groups.flatMap(
      ({ rules }: { rules: { expr: string }[] }) => rules,
    );
    const { panels, templating } = JSON.parse(await file("watch-dashboard.json"));
    const expressions: string[] = [
      ...rules.map(({ expr }: { expr: string }) => expr),
      ...panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
      ...templating.list.map(({ query }: { query: string }) => query),
    ];
    const names = new Set(expressions.flatMap((expr) => expr.match(/computecloud_\w+/g) ?? []));
    expect(names.size).toBeGreaterThan(8);
    expect([...names].filter((name) => !exported.includes(name))).toEqual([]);
    // Labels and states, too.
    const text = exposition(gauges);
    for (const [, label = "", value = ""] of expressions.join(" ").matchAll(/(\w+)=~?"([\w|]+)"/g))
      for (const each of value.split("|")) expect(text).toContain(`${label}="${each}"`);
  });

  test("run the watch by a command that there is, with the operator's Secret", async () => {
    const [secret] = parseAllDocuments(await file("kubernetes.yaml")).map((each) => each.toJS());
    const { spec } = parse(await file("watch-kubernetes.yaml"));
    const [container] = spec.template.spec.containers;
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
    expect(container.command).toContain(`pulumi-computecloud@${version}`);
    expect(container.command.slice(-3)).toEqual(["watch", "--metrics", `:${container.ports[0].containerPort}`]);
    const refs = container.env.flatMap(
      ({ valueFrom }: { valueFrom?: { secretKeyRef: { name: string; key: string } } }) => valueFrom?.secretKeyRef ?? [],
    );
    for (const { name, key } of refs) {
      expect(name).toBe(secret.metadata.name);
      expect(Object.keys(secret.stringData)).toContain(key);
    }

    // As the container runs it, but for the registry: what `npx` would fetch is here.
    const npx = `[ "$1 $2" = "--yes --package" ] && shift 4 && exec '${process.execPath}' '${MAIN}' "$@"`;
    const env = await scripted(tools.path, { npx });
    const { path, port } = container.readinessProbe.httpGet;
    expect(port).toBe(container.ports[0].name);
    const served = async (port: string) => expect((await scrape(port, path)).status).toBe(200);
    const line = container.command.slice(0, -1);
    await watching(place.emulator, [], served, { line, env });
  });
});
