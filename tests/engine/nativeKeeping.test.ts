// @long: what tests/queue/gate.test.ts and resources/schedule hold, by the plugin.
/* Gates that measure, schedules and cached models of resources that the plugin makes, on a real engine. */
import { expect, test } from "@jest/globals";
import { type Client, createClient } from "../../client";
import type { Control } from "../../tools/run/control";
import { newStack } from "../../tools/run/stack";
import { openAccount } from "../harness/account";
import { said } from "../harness/scenario";

const always = { timezone: "UTC", rules: [{ from: "00:00", to: "24:00", workersMin: 1, workersMax: 4 }] };

const program = (bounds: object) => `
  const { Provider, ServerlessContainer, ServerlessEndpoint, ServerlessFleet, SmokeJob, Template } = require("pulumi-computecloud");
  const options = { provider: new Provider("cloud") };
  const schedule = ${JSON.stringify(always)};
  const models = ["https://huggingface.co/acme/llama:main"];
  const template = new Template("shared", { image: "emulator/echo:1", serverless: true }, options);
  const rest = new ServerlessContainer("rest", {
    type: "QUEUE", image: "emulator/echo:1", gpu: { pools: ["AMPERE_16"] }, scaling: { type: "QUEUE_DELAY", queueDelay: 4 }, schedule,
  }, options);
  new ServerlessEndpoint("graphql", { template, gpuIds: "AMPERE_16", schedule, models }, options);
  new ServerlessFleet("fleet", {
    defaults: { image: "emulator/echo:1", gpuIds: "AMPERE_16", schedule, models }, endpoints: { member: {} },
  }, options);
  const job = new SmokeJob("answers", { endpoint: rest, input: { n: 1 }, ...${JSON.stringify(bounds)} }, options);
  exports.measured = job.measured;
`;

async function liveSettings(service: Control, client: Client) {
  const { endpoints } = await service.state();
  const models = endpoints.map(({ modelReferences }) => (Array.isArray(modelReferences) ? modelReferences.length : 0));
  const workers = (await client.serverless.list()).map(({ workers }) => [workers?.min, workers?.max]);
  return { models: models.sort(), workers };
}

test("work as those of dynamic resources do, and leave no difference", async () => {
  await using emulator = await openAccount({}, "running");
  const { service } = emulator;
  await using client = createClient({ ...emulator, readWindowMs: 0 });
  const bounds = { jobs: 3, concurrency: 2, execution: { p95: "1h" }, gpu: ["NVIDIA RTX A4000"] };
  await using stack = await newStack({ program: program(bounds), emulator });
  await stack.up();
  expect(await liveSettings(service, client)).toEqual({ models: [0, 1, 1], workers: Array(3).fill([1, 4]) });
  expect((await stack.outputs()).measured).toMatchObject({ jobs: 3, gpus: { "NVIDIA RTX A4000": 3 } });
  expect(Object.keys((await stack.preview()).changes)).toEqual(["same"]);
  expect(Object.keys((await stack.refresh()).changes)).toEqual(["same"]);

  await stack.edit(program({ ...bounds, gpu: ["NVIDIA L4"] }));
  const up = await stack.up({ fails: true });
  expect(said(up)).toMatch(/GPU +3 × NVIDIA RTX A4000 +NVIDIA L4 +NOT KEPT/);
  await stack.edit(program({ ...bounds, delay: { p95: "5 seconds" } }));
  expect(said(await stack.preview({ fails: true }))).toMatch(/delay\.p95[\s\S]*must be a time such as/);
});
