/*
 * Users' own unit tests: programs under `pulumi.runtime.setMocks`, called as Pulumi's documentation does, with neither an
 * engine nor an organization.
 */

import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import type { MockResourceArgs } from "@pulumi/pulumi/runtime";
import { JobFailedError } from "../../client";
import { FromConfig, FromResource } from "../../provider/lifecycle/fields/example";
import { definitions } from "../../provider/resources";
import * as computecloud from "../../sdk";
import { mockQueue, mocks } from "../../sdk/testing";
import { collect } from "../harness/jobServer";
import { serve } from "../harness/serve";

const registered: MockResourceArgs[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: (args) => {
      registered.push(args);
      return { id: `${args.name}-id`, state: { ...args.inputs, revision: 1 } };
    },
    call: ({ token, inputs }) => ({ token, ...inputs }),
  }),
);
beforeEach(() => {
  registered.length = 0;
});

const value = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

const image = "registry.example.com/chat:1";
const scaling = { type: "QUEUE_DELAY", queueDelay: 4 } as const;

const classes = new Map<string, unknown>(Object.entries(computecloud));
const isElsewhere = (value: unknown) => value instanceof FromConfig || value instanceof FromResource;

describe.each(Object.values(definitions))("$kind", ({ kind, examples: [example] }) => {
  const args = JSON.parse(JSON.stringify(example?.args, (_, value) => (isElsewhere(value) ? "a" : value)));
  const make = (options?: pulumi.CustomResourceOptions): pulumi.CustomResource =>
    Reflect.construct(Object(classes.get(kind)), ["one", args, options]);

  test("is made, with an id that other resources can use", async () => {
    const resource = make();
    expect(await value(resource.id)).toBe("one-id");
    expect(registered).toMatchObject([{ type: `pulumi-nodejs:dynamic/computecloud:${kind}`, name: "one" }]);
  });

  test("is made with a provider of its own", async () => {
    const provider = new computecloud.Provider("other", { apiKey: "a-key" });
    expect(await value(make({ provider }).id)).toBe("one-id");
    expect(registered.map(({ type }) => type)).toEqual(["pulumi:providers:computecloud", `computecloud:index:${kind}`]);
  });
});

test("a program's own logic is tested by what it declares", async () => {
  const template = new computecloud.Template("chat", { image, serverless: true });
  const endpoint = new computecloud.ServerlessEndpoint("chat", { template, gpuIds: "ADA_24", workersMax: 3 });
  expect(await value(endpoint.workersMax)).toBe(3);
  expect(await value(endpoint.templateId)).toBe("chat-id");
});

test("a fleet's member is there without the outputs that nobody mocked", async () => {
  const fleet = new computecloud.ServerlessFleet("models", {
    endpoints: { chat: { templateId: "a", gpuIds: "ADA_24" } },
  });
  const job = new computecloud.SmokeJob("smoke", { endpoint: fleet.endpoint("chat"), input: { text: "ping" } });
  expect(await value(job.id)).toBe("smoke-id");
});

test("a member that a fleet hasn't got is a mistake at once, in a preview as well", () => {
  const fleet = new computecloud.ServerlessFleet("models", { defaults: { image }, endpoints: { chat: {}, code: {} } });
  expect(() => fleet.endpoint("chatt")).toThrow('ServerlessFleet "models" has no member "chatt". It has: chat, code.');
});

test("a component registers its parts", async () => {
  const gate = { input: { text: "ping" } };
  const gated = new computecloud.GatedEndpoint("chat", { image, gpu: { pools: ["ADA_24"] }, scaling, gate });
  expect(await value(gated.id)).toBe("chat-id");
  expect(registered.map(({ type }) => type.split(":").at(-1)).sort()).toEqual(
    expect.arrayContaining(["GatedEndpoint", "ServerlessContainer", "SmokeJob", "Template"]),
  );
});

test("functions answer what the mocks answer", async () => {
  const answer = { token: "computecloud:index:getGpuType", id: "NVIDIA L4" };
  expect(await computecloud.getGpuType({ id: "NVIDIA L4" })).toEqual(answer);
  expect(await value(computecloud.getGpuTypeOutput({ id: "NVIDIA L4" }))).toEqual(answer);
});

// finds mutant mocks-send
test.each<[string, () => pulumi.Output<unknown>, unknown]>([
  ["run", () => computecloud.jobs.run({ endpointId: "e", input: { n: 1 } }), { id: "mock-job", input: { n: 1 } }],
  ["runSync", () => computecloud.jobs.runSync({ endpointId: "e", input: 1 }), { status: "COMPLETED" }],
  ["wait", () => computecloud.jobs.wait({ endpointId: "e", jobId: "a" }), { status: "COMPLETED", jobId: "a" }],
  ["status", () => computecloud.jobs.status({ endpointId: "e", jobId: "a" }), { status: "COMPLETED" }],
  ["stream", () => computecloud.jobs.stream({ endpointId: "e", jobId: "a" }), []],
  ["cancel", () => computecloud.jobs.cancel({ endpointId: "e", jobId: "a" }), { status: "CANCELLED" }],
  ["retry", () => computecloud.jobs.retry({ endpointId: "e", jobId: "a" }), { status: "IN_QUEUE" }],
  ["purgeQueue", () => computecloud.jobs.purgeQueue({ endpointId: "e" }), { removed: 0 }],
  ["health", () => computecloud.jobs.health({ endpointId: "e" }), { jobs: { inQueue: 0 } }],
])("%s sends nothing: the mocks answer, or a result of its shape", async (_, call, shape) => {
  const sent: unknown[] = [];
  await using server = await serve((request, response) => {
    sent.push(request.url);
    response.end("{}");
  });
  process.env.COMPUTECLOUD_API_KEY = "exported-key";
  process.env.COMPUTECLOUD_SERVERLESS_URL = server.address;
  expect(await value(call())).toMatchObject(shape as object);
  expect(sent).toEqual([]);
});

describe("a program under mocks()", () => {
  beforeAll(() =>
    pulumi.runtime.setMocks(
      mocks({
        outputs: { Pod: { costPerHour: 0.4 }, other: { costPerHour: 2 } },
        functions: { getGpuType: { memory: 24 } },
        jobs: { run: ({ text }: { text: string }) => ({ text: text.toUpperCase() }) },
      }),
    ),
  );

  test("has all outputs of a resource, and those that the test gives by kind or name", async () => {
    const pod = (name: string) => new computecloud.Pod(name, { image: "a/b:1", gpu: { id: "NVIDIA L4" } });
    const one = pod("one");
    const outputs = await value(pulumi.all([one.id, one.image, one.createdAt, one.publicPorts]));
    expect(outputs).toEqual(["one-id", "a/b:1", "one-createdAt", []]);
    expect(await value(pulumi.all([one.costPerHour, pod("other").costPerHour]))).toEqual([0.4, 2]);
  });

  test("has the outputs of each member of a fleet", async () => {
    const fleet = new computecloud.ServerlessFleet("models", {
      endpoints: { chat: { templateId: "a", gpuIds: "ADA_24" } },
    });
    expect(await value(fleet.ids)).toEqual({ chat: "models-ids-chat" });
    expect(await value(fleet.endpoint("chat").id)).toBe("models-ids-chat");
  });

  test("has functions of the right shape, and the answers that the test gives", async () => {
    const gpu = await computecloud.getGpuType({ id: "NVIDIA L4" });
    expect(gpu).toMatchObject({ memory: 24, name: "getGpuType-name", secure: false });
    expect(Array.isArray((await computecloud.getPods()).pods)).toBe(true);
  });

  test("has jobs that run the test's worker", async () => {
    const job = { endpointId: "e", input: { text: "hi" } };
    expect(await value(computecloud.jobs.runSync(job))).toMatchObject({ status: "COMPLETED", output: { text: "HI" } });
    const { id } = await value(computecloud.jobs.run(job));
    const output = { text: "HI" };
    expect(await value(computecloud.jobs.wait({ endpointId: "e", jobId: id }))).toMatchObject({ id, output });
    expect(await value(computecloud.jobs.stream({ endpointId: "e", jobId: id }))).toMatchObject([{ output }]);
    expect(await value(computecloud.jobs.health({ endpointId: "e" }))).toMatchObject({ jobs: { completed: 2 } });
  });
});

describe("a mocked queue", () => {
  test("runs jobs, batches and streams by its handler", async () => {
    const queue = mockQueue({ run: async ({ n }: { n: number }) => [n, n * 2] });
    expect((await queue.runSync({ input: { n: 2 } })).output).toEqual([2, 4]);
    const { all } = await collect(queue.runMany([{ n: 1 }, { n: 3 }]));
    expect(all.map(({ index, job }) => [index, job?.output]).toSorted()).toEqual([
      [0, [1, 2]],
      [1, [3, 6]],
    ]);
    const { id } = await queue.run({ input: { n: 4 } });
    expect(await Array.fromAsync(queue.stream(id), ({ output }) => output)).toEqual([4, 8]);
    await queue.close();
  });

  test("fails a job with what the handler throws, and runs it again on retry", async () => {
    let times = 0;
    const queue = mockQueue({
      run: () => {
        if (times++ === 0) throw new Error("no memory");
        return "done";
      },
    });
    const { id } = await queue.run({ input: { n: 1 } });
    const failed = queue.wait(id);
    await expect(failed).rejects.toThrow("Job mock-job-1 ended as FAILED: no memory");
    await expect(failed).rejects.toBeInstanceOf(JobFailedError);
    await queue.retry(id);
    expect((await queue.wait(id)).output).toBe("done");
  });

  test("cancels a job whose handler does not end, and knows no other", async () => {
    const queue = mockQueue({ run: () => new Promise(() => {}) });
    const { id } = await queue.run({ input: { n: 1 } });
    expect(await queue.cancel(id)).toMatchObject({ status: "CANCELLED" });
    await expect(queue.status("another")).rejects.toThrow("job not found");
  });
});
