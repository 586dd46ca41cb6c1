/* What `budget` says of a month: billed, expected, by endpoint, and what to lower. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { type Client, createClient } from "../../client";
import { run } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { blocksOf } from "../docs/pages";
import { emulatorForAll } from "../harness/account";
import { commandOn, linkCommand } from "../harness/commandLine";
import { endpoint } from "../harness/requests";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const { emulator, service } = emulatorForAll();
let client: Client;
const ids: Record<string, string> = {};

beforeAll(async () => {
  client = createClient({ ...emulator, readWindowMs: 0 });
  // Noon of the 11th of the month after the next one.
  const now = new Date();
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
  await service.speedUp(1e-6);
  await service.advance(midnight - Date.now() - 3 * DAY_MS);
  for (const [name, workers] of Object.entries({ chat: { min: 1, max: 8 }, embed: { min: 0, max: 4 } })) {
    const created = await client.serverless.create({ ...endpoint(name), image: "emulator/echo:1", disk: 1, workers });
    ids[name] = created.id;
  }
  await client.networkVolumes.create({ name: "models", size: 1000, dataCenter: "EU-RO-1", type: "STANDARD" });
  // Without requests the service would lower its maximum.
  for (let day = 0; day < 13; day++) {
    await service.advance(DAY_MS);
    await client.queue(ids.chat ?? "").run({ input: { day } });
  }
  await service.advance(DAY_MS / 2);
});
afterAll(() => client?.close());

const budget = (usd: number, ...args: string[]) => commandOn(emulator, ["budget", "--month", `${usd}`, ...args]);

const report = async (usd: number) => JSON.parse((await budget(usd, "--json")).stdout);

const daysIn = (month: string) => {
  const first = new Date(month);
  return (Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1) - first.getTime()) / DAY_MS;
};

/** USD a day of the one worker that is always on. */
const perDay = async () => {
  const gpu = (await client.catalog.gpus({})).find(({ pool }) => pool === "AMPERE_16");
  return 24 * ((gpu?.price?.serverless ?? 0) + 0.1 / 730);
};

test("a month is within, with what was billed and what the rest of the month is expected to cost", async () => {
  const { exitCode, stdout } = await budget(100_000);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^\d{4}-\d\d: \$\d[\d,.]* billed, \$\d[\d,.]* expected by the end of the month: within the budget of \$100,000.00\n/,
  );
  expect(stdout).toMatch(new RegExp(`chat \\(${ids.chat}\\) +\\$`));
  expect(stdout).not.toContain("embed");
  expect(stdout).not.toContain("Lower");

  const { month, state, billed, expected, endpoints, others, short } = await report(100_000);
  const daysInMonth = daysIn(month);
  const usd = await perDay();
  expect({ state, short }).toEqual({ state: "within", short: 0 });
  expect(endpoints).toMatchObject([{ id: ids.chat, name: "chat", workersMax: 8 }]);
  expect(endpoints[0].billed).toBeCloseTo(usd * 10.5, 1);
  // This machine's clock is not the emulator's, so the hour that has begun counts as whole.
  expect(Math.abs(endpoints[0].expected - usd * daysInMonth)).toBeLessThan(usd / 20);
  expect(others.expected).toBeCloseTo((70 / 730) * 24 * daysInMonth, 0);
  expect(billed).toBeCloseTo(endpoints[0].billed + others.billed, 1);
  expect(expected).toBeCloseTo(endpoints[0].expected + others.expected, 1);
});

describe("after a week with more workers than the one that is always on", () => {
  let cheap: { expected: number; month: string };
  beforeAll(async () => {
    cheap = await report(100_000);
    const { usage } = z.object({ usage: z.array(z.record(z.string(), z.unknown())) }).parse(await service.state());
    const [worker] = usage.filter(({ resourceId }) => resourceId === ids.chat);
    const busy = Array.from({ length: 5 }, (_, at) => ({ ...worker, id: `busy-${at}`, unit: `busy-${at}` }));
    await service.setState({ usage: [...usage, ...busy] });
  });

  test("a month is expected above: it names the maximum that keeps within", async () => {
    const { expected, month } = cheap;
    const expensive = await report(100_000);
    expect(expensive.expected).toBeGreaterThan(expected * 3);

    const usd = await perDay();
    const limit = expensive.expected - usd;
    const tight = await report(limit);
    expect(tight).toMatchObject({ state: "expected", short: 0 });
    const [{ lower }] = tight.endpoints;
    // What so many workers could cost from today on, all of them busy, keeps within.
    const days = daysIn(month) - 10;
    expect(lower.workersMax * usd * days).toBeLessThanOrEqual(
      (expensive.endpoints[0].expected - expensive.endpoints[0].billed - usd) * 1.02,
    );
    expect(lower.workersMax).toBeGreaterThanOrEqual(4);
    expect(lower.saves).toBeGreaterThanOrEqual(usd * 0.9);

    const { exitCode, stdout } = await budget(limit, "--markdown");
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^### \d{4}-\d\d: .* expected above the budget/);
    expect(stdout).toMatch(/\| `chat` \(`\w+`\) \| .* \| 8 -> \d \|/);
    expect(stdout).toMatch(
      /- Lower the maximum of `chat` \(`\w+`\) in its program: workersMax 8 -> \d saves at least \$/,
    );
  });

  test("where lower maxima don't reach the budget none is advised, and what costs most is named, of any kind", async () => {
    const { exitCode, stdout } = await budget(1);
    expect(exitCode).toBe(1);
    expect(stdout).toContain(": above the budget of $1.00");
    expect(stdout).not.toContain("saves at least");
    expect(stdout).toMatch(/Lower maxima of workers are not enough: \$[\d,.]+ would still be too much/);
    expect(stdout).toMatch(/Expected to cost most: endpoint chat \(\w+\) \$[\d,.]+, volume models \(\w+\) \$[\d,.]+\./);
    const { costliest } = await report(1);
    expect(costliest).toMatchObject([
      { kind: "endpoint", name: "chat" },
      { kind: "volume", name: "models" },
    ]);
    expect((await budget(-1)).exitCode).toBe(2);
  });

  test("what began last night counts by its hours, today's pace goes on, and what was deleted costs nothing more", async () => {
    const usd = await perDay();
    /** Of the endpoint: what it is expected to cost a coming day. */
    const pace = async (id: string | undefined) => {
      const { endpoints, month } = await report(100_000);
      const endpoint = endpoints.find((each: { id: string }) => each.id === id);
      const { metadata } = await client.billing.summary({ bucketSize: "hour", lastN: 1 });
      const now = Date.parse(metadata?.query?.endTime ?? "") - 1;
      const end = Date.parse(month) + daysIn(month) * DAY_MS;
      return (endpoint.expected - endpoint.billed) / ((end - Math.floor(now / HOUR_MS) * HOUR_MS) / DAY_MS);
    };
    await service.advance(10 * HOUR_MS);
    const workers = { min: 4, max: 4 };
    const late = await client.serverless.create({ ...endpoint("late"), image: "emulator/echo:1", disk: 1, workers });
    await service.advance(4 * HOUR_MS);
    expect((await pace(late.id)) / (4 * usd)).toBeCloseTo(1, 0);

    await service.advance(16 * HOUR_MS);
    await client.serverless.update(late.id, { workers: { min: 8, max: 8 } });
    await service.advance(24 * HOUR_MS);
    expect((await pace(late.id)) / (8 * usd)).toBeCloseTo(1, 1);

    await client.serverless.delete(late.id);
    expect(await pace(late.id)).toBe(0);
  });

  test("the page's pipeline puts what the report lowers into the configuration that the program reads", async () => {
    const program = 'exports.most = new (require("@pulumi/pulumi").Config)().getObject("workersMax");';
    await using stack = await newStack({ program, emulator });
    await linkCommand(stack.project);
    const [block] = blocksOf("docs/catalog-and-cost.md", "sh");
    const { expected } = await report(100_000);
    const [{ lower }] = (await report(expected - 1)).endpoints;
    const script = block?.code.replace("--month 2000", `--month ${expected - 1}`) ?? "";
    const { exitCode, stderr } = await run("bash", ["--norc", "-euo", "pipefail", "-c", script], {
      cwd: stack.project,
      env: { ...stack.env, PULUMI_SKIP_CONFIRMATIONS: "true", NPM_CONFIG_OFFLINE: "true" },
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(await stack.outputs()).toEqual({ most: { chat: lower.workersMax } });
  });
});
