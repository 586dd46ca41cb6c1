// @long: a life of its own: the quota of workers.
/* The account's quota of workers: what `plan` says of a preview, and a refused run of who has the workers. */
import { beforeAll, expect, test } from "@jest/globals";
import type { ProcessResult } from "../../tools/run/process";
import { newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { commandOn } from "../harness/commandLine";
import { said, stackForAll } from "../harness/scenario";

const { emulator, service } = emulatorForAll({ settings: { workerQuota: 20 } });
const stack = stackForAll(() => ({ program: program({ chat: 3, embed: 2 }), emulator }));
const QUEUE = {
  image: "emulator/echo:1",
  gpu: { pools: ["AMPERE_16"] },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
};
/** An endpoint of somebody else. */
const byHand = (name: string, max: number) =>
  service.create("/v2/serverless", { ...QUEUE, name, type: "QUEUE", workers: { min: 0, max } });
let foreign: string;
beforeAll(async () => {
  foreign = await byHand("console-made", 4);
});

/** One endpoint of each kind, and a gate; by the most workers of two of them. */
function program({ chat, embed }: { chat: number; embed: number }): string {
  return `
    const { ServerlessContainer, ServerlessEndpoint, ServerlessFleet, SmokeJob, Template } = require("pulumi-computecloud");
    const template = new Template("worker", { image: "emulator/echo:1", serverless: true });
    const container = (name, max) => new ServerlessContainer(name, {
      type: "QUEUE", image: "emulator/echo:1", gpu: { pools: ["AMPERE_16"] }, workers: { max },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 }, dataCenterIds: ["EU-RO-1"],
    });
    container("chat", ${chat});
    const candidate = container("resting", 0);
    new ServerlessEndpoint("rank", { template, gpuIds: "BLACKWELL_180", workersMax: 1, locations: "US-GA-1" });
    new ServerlessFleet("models", {
      defaults: { image: "emulator/echo:1", gpuIds: "AMPERE_24,ADA_24", workersMax: 1 },
      endpoints: { embed: { workersMax: ${embed} }, ocr: {} },
    });
    new SmokeJob("answers", { endpoint: candidate, input: { n: 1 }, workersMax: 2 });
  `;
}

const plan = async (...args: string[]): Promise<ProcessResult> =>
  planOf(await stack.pulumi(["preview", "--json"]), ...args);
const planOf = (input: string, ...args: string[]) => commandOn(emulator, ["plan", ...args], { input });

test("is beside what a preview asks for, with what is free", async () => {
  const { exitCode, stdout } = await plan();
  expect(exitCode).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.trim().replaceAll(/ {2,}/g, " | ")),
  ).toEqual([
    "Workers: 4 → 11 of 20",
    "",
    "endpoint | before | after | free now",
    "answers, while it is tried | 0 | 2",
    "+ | chat | 0 | 3 | AMPERE_16 HIGH",
    "+ | models.embed | 0 | 2 | AMPERE_24 HIGH, ADA_24 HIGH",
    "+ | models.ocr | 0 | 1 | AMPERE_24 HIGH, ADA_24 HIGH",
    "+ | rank | 0 | 1 | BLACKWELL_180 NONE",
    "+ | resting | 0 | 0",
    "1 unchanged or not of this program | 4 | 4",
    "most workers, all together | 4 | 11",
    "quota of the account | 20",
    "calls of the run, at least | 7",
    expect.stringMatching(/^calls left of this day \| \d+$/),
    "",
    "rank would find no machine now: BLACKWELL_180 NONE. Add pools or data centers.",
  ]);
  // A day that ends before the run does.
  const preview = await stack.pulumi(["preview", "--json"]);
  const restCalls = (await service.log()).filter((call) => call.interface === "rest");
  await service.settings({ quotas: { day: restCalls.length + 8 } });
  expect(JSON.parse((await planOf(preview, "--json")).stdout).hints[0]).toMatch(
    /^The run makes at least 7 calls, and \d are left of this day\. .* in \d+ (h|min), at .* UTC, goes on where it stopped\.$/,
  );
  await service.settings({ quotas: { day: 10_000_000 } });
  await stack.up();

  // What stays is in no preview, and counts.
  await stack.edit(program({ chat: 3, embed: 14 }));
  const tight = await plan("--json");
  expect(tight.exitCode).toBe(1);
  const report = JSON.parse(tight.stdout);
  expect(report).toMatchObject({ quota: { limit: 20, source: "limits" }, sum: { before: 11, after: 23 } });
  expect(report.problems).toEqual([
    "The endpoints ask for 23 workers, and the quota is 20. Lower the maximum of models.embed to 11, or others by 3 together.",
  ]);
  const markdown = await plan("--markdown");
  expect(markdown.stdout).toMatch(/\| ~ \| `models.embed` \| 2 \| 14 \| /);
  expect(markdown.stdout).toContain("- **Not possible:** `The endpoints ask for 23 workers");
});

test("is explained once, with a table, when the service refuses", async () => {
  const { failed, ...up } = await stack.up({ fails: true });
  expect(failed).toMatchObject([{ name: "models" }]);
  const text = said({ failed, ...up });
  expect(text).toContain("This one asks for 14, and the others have 9 already, so 11 are left for it");
  expect(text.match(/may have 20 workers together/g)).toHaveLength(1);
  expect(text).toMatch(/endpoint +most workers\n.*console-made \(\w+\) +4\n[\s\S]*sum +11\n.*quota of the account +20/);
  await stack.edit(program({ chat: 3, embed: 11 }));
  expect((await plan()).exitCode).toBe(0);
  await stack.up();

  // Another refusal is not explained by what has nothing to do with it.
  await service.fault({ match: { operation: "updateEndpoint", times: 9 }, act: { status: 400 } });
  await stack.edit(program({ chat: 2, embed: 11 }));
  expect(said(await stack.up({ fails: true }))).not.toContain("workers together");
  await service.clearFaults();
});

test("that no limit tells follows from the balance; one that nothing tells is not judged", async () => {
  await service.settings({ balance: 250 });
  await service.fault({ match: { operation: "getAccountLimits", times: 9 }, act: { status: 403 } });
  await stack.edit(program({ chat: 6, embed: 11 }));
  const byBalance = await plan();
  expect(byBalance.exitCode).toBe(1);
  expect(byBalance.stdout).toMatch(/quota, by the account's balance +20\n/);
  await service.fault({ match: { operation: "getBalance", times: 9 }, act: { status: 403 } });
  const unknown = await plan();
  expect(unknown.exitCode).toBe(0);
  expect(unknown.stdout).toContain("The account's quota could not be read");
});

test("counts once what the stack keeps, adopts, imports, moves and replaces, and so does the cost", async () => {
  await service.clearFaults();
  await stack.destroy();
  await service.settings({ workerQuota: 100 });
  await service.rest("DELETE", `/v2/serverless/${foreign}`);
  const [adopted, imported] = [await byHand("adopted", 7), await byHand("imported", 7)];
  const programWith = (resources: string) => `
    const { Provider, ServerlessContainer, ServerlessFleet } = require("pulumi-computecloud");
    const provider = new Provider("cloud");
    const endpoint = (name, args = {}, options = {}) =>
      new ServerlessContainer(name, { type: "QUEUE", workers: { max: 3 }, ...${JSON.stringify(QUEUE)}, ...args }, options);
    const defaults = { image: "emulator/echo:1", gpuIds: "AMPERE_16", workersMax: 2 };
    ${resources}`;
  await using mover = await newStack({
    program: programWith(`
      for (const name of ["kept", "replaced"]) endpoint(name, {}, { retainOnDelete: true });
      for (const name of ["gone", "moved"]) endpoint(name);
      new ServerlessFleet("models", { defaults, endpoints: { a: {}, b: {}, c: {} } });`),
    emulator,
  });
  await mover.up();
  await mover.edit(
    programWith(`
      const balancer = { type: "LOAD_BALANCER", scaling: { type: "REQUEST_COUNT", requestCount: 1 } };
      endpoint("replaced", balancer, { retainOnDelete: true });
      endpoint("adopted", { adoptId: "${adopted}", workers: { max: 7 } });
      endpoint("imported", { name: "imported", workers: { max: 8 } }, { provider, import: "${imported}" });
      const moved = { adoptId: "${(await mover.resource("moved")).id}", workersMax: 5 };
      new ServerlessFleet("models", { defaults, released: ["a"], endpoints: { b: {}, moved } });`),
  );
  const preview = await mover.pulumi(["preview", "--json", "--show-sames"]);
  const workers = async () =>
    (await service.state()).endpoints.reduce((sum, { workers }) => sum + (workers as { max: number }).max, 0);
  const before = await workers();
  const { sum, endpoints, others } = JSON.parse((await planOf(preview, "--json")).stdout);
  const { stdout } = await commandOn(emulator, ["cost", "--json"], { input: preview });
  const { resources, sum: usd } = JSON.parse(stdout);
  const rows = (endpoints as { change: string; name: string; before: number; after: number }[])
    .map((each) => `${each.change} ${each.name} ${each.before} ${each.after}`)
    .sort();
  expect(rows).toEqual([
    "adopt adopted 7 7",
    "adopt imported 7 8",
    "adopt models.moved 3 5",
    "delete gone 3 0",
    "delete models.c 2 0",
    "keep kept 3 3",
    "keep models.a 2 2",
    "keep replaced 3 3",
    "replace replaced 0 3",
    "same models.b 2 2",
  ]);
  expect(others).toEqual([]);
  await mover.up();
  const after = await workers();
  expect(sum).toEqual({ before, during: after + 5, after });
  // Each worker costs the same.
  const perWorker = resources.find(({ name }: { name: string }) => name === "gone").before.max / 3;
  expect(usd.before.max).toBeCloseTo(before * perWorker, 0);
  expect(usd.after.max).toBeCloseTo(after * perWorker, 0);
  await mover.destroy();
});

test("counts the candidates of waves one after another", async () => {
  const waves = (version: number) => `
    const { GatedEndpoint, Waves } = require("pulumi-computecloud");
    new Waves("models", {
      members: ["a", "b", "c", "d"],
      waves: [1, "100%"],
      make: (member, options) => new GatedEndpoint(member, {
        image: "emulator/echo:${version}", gpu: { pools: ["AMPERE_16"] }, workers: { max: 1 },
        scaling: { type: "QUEUE_DELAY", queueDelay: 4 }, gate: { input: { n: 1 } },
      }, options),
    });
  `;
  await service.clearFaults();
  await service.settings({ workerQuota: 100 });
  await using rollout = await newStack({ program: waves(1), emulator });
  await rollout.up();
  await rollout.edit(waves(2));
  for (const [args, jobs] of [
    [["--show-sames"], 3],
    [[], 4],
  ] as const) {
    const { sum } = JSON.parse((await planOf(await rollout.pulumi(["preview", "--json", ...args]), "--json")).stdout);
    expect(sum.during - sum.before).toBe(jobs);
  }
});
