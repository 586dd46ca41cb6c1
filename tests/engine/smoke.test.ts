/* Smoke jobs on a real engine: when they run, when they do not, and what a deployment that fails by one says. */
import { afterEach, expect, test } from "@jest/globals";
import type { Program } from "../../tools/run/program";
import { hurried, newStack } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import { emulatorForAll } from "../harness/account";
import { said } from "../harness/scenario";

/** An endpoint, and a smoke job on it, with further arguments. Images are those of the emulator's handlers. */
const deployment = (args: object = {}, job: object = {}): Program => `
  const { ServerlessContainer, SmokeJob } = require("pulumi-computecloud");
  const endpoint = new ServerlessContainer("worker", {
    type: "QUEUE",
    image: "emulator/echo:1",
    gpu: { pools: ["AMPERE_16"] },
    workers: { max: 1 },
    scaling: { type: "REQUEST_COUNT", requestCount: 1 },
    ...${JSON.stringify(args)}
  });
  const smoke = new SmokeJob("smoke", { endpoint, input: { prompt: "hi" }, ...${JSON.stringify(job)} });
  exports.job = { id: smoke.jobId, status: smoke.status, delayTime: smoke.delayTime, output: smoke.output };
`;

const { emulator, service } = emulatorForAll();
afterEach(() => service.clearFaults());

/** How many jobs a step submitted. */
async function jobsOf(step: Promise<Update>): Promise<number> {
  await service.forgetCalls();
  await step;
  return service.count("run");
}

test("a smoke job runs when it is made and when something that it proves changes, and otherwise makes no call", async () => {
  await using stack = await newStack({ program: deployment({ type: "LOAD_BALANCER" }), emulator });
  expect(said(await stack.preview({ fails: true }))).toContain("is a load balancing endpoint, which has no queue");
  await stack.edit(deployment());
  expect(await jobsOf(stack.preview())).toBe(0);
  expect(await jobsOf(stack.up())).toBe(1);
  expect((await stack.outputs()).job).toEqual({
    id: expect.stringMatching(/-u1$/),
    status: "COMPLETED",
    delayTime: expect.any(Number),
    output: { prompt: "hi" },
  });

  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ same: 2 });
  expect((await service.log()).filter((call) => call.interface === "queue")).toEqual([]);
  expect((await stack.refresh()).changes).toEqual({ same: 2 });
  expect((await service.log()).filter((call) => call.interface === "queue")).toEqual([]);

  // A null is a value to the worker, although the engine drops nulls.
  const input = { prompt: "again", stop: null };
  const job = { input, expect: { output: input }, triggers: ["sha256:1"] };
  for (const change of [{ input }, job]) {
    await stack.edit(deployment({}, change));
    const update = stack.up();
    expect(await jobsOf(update)).toBe(1);
    expect((await update).changes).toEqual({ same: 1, update: 1 });
  }
  await stack.edit(deployment({ workers: { max: 2 } }, job));
  expect(await jobsOf(stack.up())).toBe(1);
  await stack.edit(deployment({ workers: { max: 2 } }, { ...job, timeout: "1m" }));
  const update = stack.up();
  expect(await jobsOf(update)).toBe(0);
  expect((await update).changes).toEqual({ same: 2 });

  await stack.destroy();
  expect((await service.calls()).filter((operation) => /cancel|purge/.test(operation))).toEqual([]);
});

test("a smoke job fails the deployment with the worker's error, and runs again in the next one", async () => {
  const failing = { image: "emulator/fail:1", env: { EMULATOR_ERROR: "CUDA out of memory" } };
  await using stack = await newStack({ program: deployment(failing), emulator });
  const up = await stack.up({ fails: true });
  expect(up.exitCode).not.toBe(0);
  expect(up.failed).toMatchObject([{ op: "create", name: "smoke" }]);
  expect(said(up)).toMatch(/is FAILED.*the worker ran it and reported an error/);
  expect(said(up)).toContain("CUDA out of memory");
  expect(said(up)).toMatch(/Jobs: 0 completed, \d+ failed/);
  expect(said(up)).toMatch(/Last log lines of worker \w+:\n\s+starting container from emulator\/fail:1/);

  await stack.refresh();
  expect(await jobsOf(stack.up({ fails: true }))).toBe(1);

  await stack.edit(deployment());
  expect(await jobsOf(stack.up())).toBe(1);

  // A failed update keeps what passed before, and is not forgotten either.
  await stack.edit(deployment({}, { expect: { output: { prompt: "bye" } } }));
  const update = await stack.up({ fails: true });
  expect(said(update)).toMatch(/Output\/prompt should be "bye", found "hi"/);
  expect(await jobsOf(stack.up({ fails: true }))).toBe(1);
});

test("a smoke job, which is cancelled, and a wait for workers end soon when the workers crash again and again, and have told it on their own rows", async () => {
  await using stack = await newStack({
    emulator,
    program: `
        const { Provider, ServerlessContainer, SmokeJob } = require("pulumi-computecloud");
        const args = {
          type: "QUEUE", image: "emulator/crash:1", gpu: { pools: ["AMPERE_16"] },
          scaling: { type: "REQUEST_COUNT", requestCount: 1 },
        };
        const tried = new ServerlessContainer("tried", { ...args, workers: { max: 1 } });
        new SmokeJob("smoke", { endpoint: tried, input: 1, timeout: "10m" });
        new SmokeJob("native", { endpoint: tried, input: 1, timeout: "10m" }, { provider: new Provider("cloud") });
        new ServerlessContainer("awaited", {
          ...args, workers: { min: 1, max: 1 }, awaitWorkers: true, createTimeout: "10m",
        });`,
  });
  await service.forgetCalls();
  const up = await stack.up({ fails: true, env: hurried(5) });
  const [, seconds] = /was still IN_QUEUE after ([\d.]+) s: the workers crash again and again/.exec(said(up)) ?? [];
  expect(Number(seconds)).toBeLessThan(60);
  expect(said(up)).toMatch(/Workers: \d+ idle, \d+ running/);
  expect(await service.count("cancel")).toBe(2);
  expect(said(up)).toMatch(/Endpoint \w+: the workers crash again and again: look at the image.*1 unhealthy/);
  expect(up.stdout).toMatch(/dynamic\/computecloud:SmokeJob smoke creating .*in queue \d+ s, 1 worker crashed/);
  expect(up.stdout).toMatch(/computecloud:index:SmokeJob native creating .*in queue \d+ s, 1 worker crashed/);
  expect(up.stdout).toMatch(/ServerlessContainer awaited creating .*0 of 1 workers are ready/);
});

test("jobs in a program run in every deployment once the endpoint exists, and never in a preview", async () => {
  await using stack = await newStack({
    emulator,
    // An address of the environment wins over the cloud's, for jobs as for resources.
    config: { "computecloud:cloud": "runpod" },
    program: `
        const { ServerlessEndpoint, Template, jobs } = require("pulumi-computecloud");
        const template = new Template("worker", { image: "emulator/echo:1", serverless: true });
        const endpoint = new ServerlessEndpoint("worker", { templateId: template.id, gpuIds: "AMPERE_16", workersMax: 1 });
        const job = jobs.runSync({ endpointId: endpoint.id, input: { of: endpoint.name } });
        exports.output = job.output;
        exports.status = jobs.status({ endpointId: endpoint.id, jobId: job.id }).status;
        exports.completed = job.apply(() => jobs.health({ endpointId: endpoint.id })).jobs.completed;
        exports.name = endpoint.name;
      `,
  });
  expect(await jobsOf(stack.preview())).toBe(0);
  await stack.up();
  const { name, ...rest } = await stack.outputs();
  expect(rest).toEqual({ output: { of: name }, status: "COMPLETED", completed: 1 });
  await service.forgetCalls();
  await stack.preview();
  expect((await service.log()).filter((call) => call.interface === "queue")).toEqual([]);
});
