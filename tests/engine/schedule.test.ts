// @long: a life of its own: workers by the clock.
/*
 * Workers by the clock on a real engine: endpoints of both kinds and a member of a fleet, on both
 * hosts, in one window and in another.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { hurried, newStack, type Stack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll, staysUnchanged } from "../harness/scenario";

const { emulator, service } = emulatorForAll({ settings: { workerQuota: 1_000 } });
const stack = stackForAll(() => ({ program: program(now()), emulator }));

const HOUR_MS = 3_600_000;
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
/** From two hours before a time until two hours after it, on whatever day. */
const around = (ms: number) => ({
  from: clock(ms - 2 * HOUR_MS),
  to: clock(ms + 2 * HOUR_MS),
  workersMin: 1,
  workersMax: 7,
});
const now = () => around(Date.now());
const later = () => around(Date.now() + 8 * HOUR_MS);

const program = (rule: object) => `
  const { Provider, ServerlessContainer, ServerlessEndpoint, ServerlessFleet, Template } = require("pulumi-computecloud");
  const schedule = { timezone: "UTC", rules: [${JSON.stringify(rule)}] };
  for (const [host, options] of Object.entries({ dynamic: {}, native: { provider: new Provider("cloud") } })) {
    const template = new Template(host + "-worker", { image: "emulator/echo:1", serverless: true }, options);
    new ServerlessContainer(host + "-rest", {
      type: "QUEUE", image: "emulator/echo:1", gpu: { pools: ["AMPERE_16"] }, workers: { max: 2 },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 }, schedule,
    }, options);
    new ServerlessEndpoint(host + "-graphql", { template, gpuIds: "AMPERE_16", workersMax: 2, schedule }, options);
    new ServerlessFleet(host + "-fleet", {
      defaults: { image: "emulator/echo:1", gpuIds: "AMPERE_16", schedule: { ...schedule, otherwise: { workersMax: 2 } } },
      endpoints: { member: {} },
    }, options);
  }
`;

const live = async () => (await service.state()).endpoints;
const workers = async () => (await live()).map(({ workers }) => workers);
const all = (count: number, min: number, max: number) => Array(count).fill(expect.objectContaining({ min, max }));

test("endpoints have what holds at the time of the run, and no difference within the window", async () => {
  await stack.up();
  expect(await workers()).toEqual(all(6, 1, 7));
  expect((await stack.preview()).changes).toEqual({ same: 8 });
  await staysUnchanged(stack, service);
  expect((await stack.refresh()).changes).toEqual({ same: 8 });
});

test("drift within a window is mended, of each kind", async () => {
  await stack.up();
  for (const { id } of await live())
    await service.rest("PATCH", `/v2/serverless/${id}`, { workers: { min: 1, max: 9 } });
  await stack.refresh();
  expect((await stack.up()).changes).toEqual({ same: 2, update: 6 });
  expect(await workers()).toEqual(all(6, 1, 7));
});

test("in another window the preview says so, and a run brings them there", async () => {
  await stack.edit(program(later()));
  const preview = await stack.preview();
  expect(preview.changes).toEqual({ same: 2, update: 6 });
  expect(said(preview)).toContain("endpoints.member: workersMin 1 -> 0, workersMax 7 -> 2");
  await stack.up();
  expect(await workers()).toEqual(all(6, 0, 2));
});

describe("at night, with a schedule to 0 workers", () => {
  const atNight = () => hurried(1, 6 * HOUR_MS);
  const scheduledTo0 = (image: string) => `
    const { ServerlessContainer, ServerlessFleet, SmokeJob } = require("pulumi-computecloud");
    const schedule = { timezone: "UTC", rules: [${JSON.stringify(now())}], otherwise: { workersMax: 0 } };
    const input = { prompt: "hi" };
    const settings = { image: "${image}", type: "QUEUE", gpu: { pools: ["AMPERE_16"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 } };
    const endpoint = new ServerlessContainer("tried", { ...settings, schedule });
    new ServerlessContainer("verified", { ...settings, schedule, verify: { input } });
    new SmokeJob("smoke", { endpoint, input });
    const fleet = new ServerlessFleet("fleet", { defaults: { image: "${image}", gpuIds: "AMPERE_16", schedule }, endpoints: { member: {} } });
    new SmokeJob("smoke-member", { endpoint: fleet.endpoint("member"), input });
  `;
  /** How many jobs a step submitted. */
  const jobsOf = async (step: () => Promise<unknown>) => {
    await service.forgetCalls();
    await step();
    return service.count("run");
  };

  let nights: Stack;
  beforeAll(async () => {
    await stack.destroy();
    nights = await newStack({ program: scheduledTo0("emulator/echo:1"), emulator });
    await nights.up();
  });
  afterAll(() => nights?.remove());

  test("the same program brings endpoints to 0 workers, and no job runs, because they do what they did", async () => {
    expect(await workers()).toEqual(all(3, 1, 7));
    const step = async () => expect((await nights.up({ env: atNight() })).changes).toEqual({ same: 2, update: 3 });
    expect(await jobsOf(step)).toBe(0);
    expect(await workers()).toEqual(all(3, 0, 0));
    expect((await nights.preview({ env: atNight() })).changes).toEqual({ same: 5 });
  });

  test("the preview of that names the endpoints alone where a Provider manages them", async () => {
    const settings = `image: "emulator/echo:1", gpu: { pools: ["AMPERE_16"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 }`;
    const native = `
      const { Provider, ServerlessContainer, SmokeJob } = require("pulumi-computecloud");
      const options = { provider: new Provider("cloud") };
      const schedule = { timezone: "UTC", rules: [${JSON.stringify(now())}], otherwise: { workersMax: 0 } };
      const endpoint = new ServerlessContainer("native", { ${settings}, type: "QUEUE", schedule }, options);
      new SmokeJob("smoke-native", { endpoint, input: { prompt: "hi" } }, options);
    `;
    await using nativeStack = await newStack({ program: native, emulator });
    await nativeStack.up();
    expect((await nativeStack.preview({ env: atNight() })).changes).toMatchObject({ update: 1 });
    await nativeStack.destroy();
  });

  test("a new image is tried by one worker for the job's time, and stays", async () => {
    await nights.edit(scheduledTo0("emulator/echo:2"));
    expect(await jobsOf(() => nights.up({ env: atNight() }))).toBe(3);
    expect(await workers()).toEqual(all(3, 0, 0));
    for (const { image } of await live()) expect(image).toBe("emulator/echo:2");
    expect((await nights.preview({ env: atNight() })).changes).toEqual({ same: 5 });
  });

  test("a broken image fails and leaves no worker; where it is verified, the old one is back", async () => {
    await nights.edit(scheduledTo0("emulator/fail:1"));
    const text = said(await nights.up({ env: atNight(), fails: true, args: ["--continue-on-error"] }));
    expect(text).toContain("was restored to its settings from before this run");
    expect(await workers()).toEqual(all(3, 0, 0));
  });

  test("in the morning the workers are back", async () => {
    await nights.edit(scheduledTo0("emulator/echo:2"));
    await nights.up();
    expect(await workers()).toEqual(all(3, 1, 7));
    await nights.destroy();
  });
});
