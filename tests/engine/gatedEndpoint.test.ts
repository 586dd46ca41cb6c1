/*
 * A gated endpoint on a real engine, through its life: images that are good, broken, and broken only where customers
 * are; with customers all the time.
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Client, createClient } from "../../client";
import type { StateRecord } from "../../tools/run/control";
import { hurried, newStack } from "../../tools/run/stack";
import { emulatorForAll } from "../harness/account";
import { leavesNothing, said, stackForAll } from "../harness/scenario";

interface Program {
  image: string;
  /** Of the second region, which follows the first. */
  second?: string;
  workersMax?: number;
  verify?: boolean;
}

/** Two regions in a component of the user's own; the second waits for the first. */
const program = ({ image, second = image, workersMax = 2, verify = false }: Program) => `
  const pulumi = require("@pulumi/pulumi");
  const { GatedEndpoint } = require("pulumi-computecloud");
  class Chat extends pulumi.ComponentResource {
    constructor(name, options) {
      super("acme:index:Chat", name, {}, options);
      const region = (region, dataCenter, image, options) => new GatedEndpoint("chat-" + region, {
        image,
        env: { MODEL: "tiny" },
        gpu: { pools: ["AMPERE_16"] },
        dataCenterIds: [dataCenter],
        workers: { max: ${workersMax} },
        scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
        gate: {
          input: { candidate: true }, expect: { output: { serves: true } }, timeout: "2m",
          jobs: 3, concurrency: 2, coldStart: { max: "1m" }, execution: { p95: "1s" }, gpu: ["NVIDIA RTX A4000"],
          notSlowerThan: { last: 100000 },
        },
        ${verify ? 'verify: { input: { live: true }, timeout: "2m" },' : ""}
      }, { parent: this, protect: region === "eu", ...options });
      this.eu = region("eu", "EU-RO-1", ${JSON.stringify(image)});
      this.us = region("us", "US-KS-2", ${JSON.stringify(second)}, { dependsOn: this.eu });
    }
  }
  const chat = new Chat("chat");
  exports.measured = chat.eu.measured;
  exports.eu = { id: chat.eu.id, run: chat.eu.requestUrls.run, candidateId: chat.eu.candidateId };
  exports.us = { id: chat.us.id, run: chat.us.requestUrls.run, candidateId: chat.us.candidateId };
`;

const handlers = Object.fromEntries(
  [1, 2, 3, 4, 5].map((version) => [
    `acme/chat:${version}`,
    (input: { live?: boolean }) => {
      if (version === 4 && input.live) throw new Error("no customers found in the database");
      return { serves: true, version };
    },
  ]),
);

const { emulator, service } = emulatorForAll({ handlers, settings: { oneEndpointPerTemplate: true } });
let client: Client;
const stack = stackForAll(() => ({ program: program({ image: "acme/chat:1" }), emulator }));
beforeAll(async () => {
  client = createClient({ ...emulator, readWindowMs: 0 });
});
afterAll(() => client?.close());

async function regions() {
  const { eu, us } = (await stack.outputs()) as Record<"eu" | "us", Record<"id" | "run" | "candidateId", string>>;
  return { eu, us };
}

/** The version that answers. */
async function served({ id }: { id: string }): Promise<unknown> {
  return (await client.queue(id).runSync({ input: { prompt: "hi" } })).output;
}

/** Calls an endpoint all through a step, and answers the versions that did the jobs, in order. */
async function withCustomers(id: string, step: () => Promise<unknown>): Promise<unknown[]> {
  const versions: unknown[] = [];
  let over = false;
  const customer = async () => {
    while (!over) {
      const { output } = await client.queue(id).runSync<{ version: number }>({ input: { prompt: "hi" } });
      versions.push(output.version);
      // Without a pause the customers have the CPU, and not the engine.
      // biome-ignore lint/plugin: a pause for others, not a wait
      await setTimeout(20);
    }
  };
  const customers = Promise.all([customer(), customer()]);
  await step().finally(() => {
    over = true;
  });
  await customers;
  return versions.filter((version, index) => version !== versions[index - 1]);
}

async function workersOf(endpointId: string): Promise<unknown> {
  return (await client.serverless.workers(endpointId)).summary?.total;
}

const record = async (id: string): Promise<StateRecord | undefined> =>
  (await service.state()).endpoints.find((endpoint) => endpoint.id === id);

const images = async () => (await service.state()).templates.map(({ image }) => image).sort();

test("is made once its image has done its job, and its candidate rests", async () => {
  expect((await stack.up()).changes).toEqual({ create: 13 });
  const { eu, us } = await regions();
  expect(await served(eu)).toEqual({ serves: true, version: 1 });
  expect(await served(us)).toEqual({ serves: true, version: 1 });
  for (const { candidateId } of [eu, us]) {
    expect(await record(candidateId)).toMatchObject({ workers: { min: 0, max: 0 } });
    expect(await workersOf(candidateId)).toBe(0);
  }
  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ same: 13 });
  expect(await service.calls()).not.toContain("run");
  const figures = { p50: expect.any(Number), p95: expect.any(Number), max: expect.any(Number) };
  expect((await stack.outputs()).measured).toMatchObject({
    jobs: 3,
    coldStart: expect.any(Number),
    execution: figures,
    gpus: { "NVIDIA RTX A4000": 3 },
  });
});

test("takes a new image without losing a job, at the address that it has; the old template goes last", async () => {
  const before = await regions();
  await stack.edit(program({ image: "acme/chat:2" }));
  const preview = await stack.preview();
  expect(preview.changes).toMatchObject({ update: 8, replace: 2 });
  expect(await images()).toEqual(Array(4).fill("acme/chat:1"));

  const versions = await withCustomers(before.eu.id, async () => {
    const { steps } = await stack.up();
    const place = (op: string, name: string) => steps.findIndex((step) => step.op === op && step.name === name);
    const order = [
      place("update", "chat-eu-gate"),
      place("create-replacement", "chat-eu"),
      place("update", "chat-eu"),
      place("update", "chat-us-gate"),
      place("update", "chat-us"),
      Math.min(place("delete-replaced", "chat-eu"), place("delete-replaced", "chat-us")),
    ];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });
  expect(versions).toEqual([1, 2]);
  expect(await regions()).toEqual(before);
  expect(await images()).toEqual(Array(4).fill("acme/chat:2"));
});

test("keeps an image out that does not do its job; the old one, or a good one, goes on from there", async () => {
  const { eu, us } = await regions();
  await stack.edit(program({ image: "emulator/crash:1" }));
  const broken = await stack.up({ fails: true, env: hurried(5) });
  expect(broken.failed).toMatchObject([{ op: "update", name: "chat-eu-gate" }]);
  expect(said(broken)).toMatch(
    /Smoke job \S+ on endpoint \w+ was still IN_QUEUE after [\d.]+ s: the workers crash again/,
  );
  for (const region of [eu, us]) {
    expect(await served(region)).toEqual({ serves: true, version: 2 });
    expect(await workersOf(region.candidateId)).toBe(0);
    expect(await record(region.candidateId)).toMatchObject({ workers: { max: 0 } });
  }

  await stack.edit(program({ image: "acme/chat:2" }));
  expect(await withCustomers(eu.id, () => stack.up())).toEqual([2]);
  expect(await images()).toEqual(Array(4).fill("acme/chat:2"));

  // Only the second region's: the first is through, and stays.
  await stack.edit(program({ image: "acme/chat:3", second: "emulator/fail:1" }));
  const half = await stack.up({ fails: true });
  expect(said(half)).toMatch(/is FAILED: the worker ran it and reported an error[\s\S]*the handler failed/);
  expect(await served(eu)).toEqual({ serves: true, version: 3 });
  expect(await served(us)).toEqual({ serves: true, version: 2 });

  await stack.edit(program({ image: "acme/chat:3" }));
  await stack.up();
  expect(await served(us)).toEqual({ serves: true, version: 3 });
  expect(await images()).toEqual(Array(4).fill("acme/chat:3"));
  expect(await regions()).toEqual({ eu, us });
});

test("goes back by itself where only customers find out", async () => {
  const { eu } = await regions();
  await stack.edit(program({ image: "acme/chat:4", verify: true }));
  const up = await stack.up({ fails: true });
  expect(up.failed).toMatchObject([{ op: "update", name: "chat-eu" }]);
  expect(said(up)).toMatch(
    /no customers found in the database[\s\S]*was restored to its settings from before this run/,
  );
  expect(await served(eu)).toEqual({ serves: true, version: 3 });
  await stack.edit(program({ image: "acme/chat:5", verify: true }));
  expect(await withCustomers(eu.id, () => stack.up())).toEqual([3, 5]);
  expect(await images()).toEqual(Array(4).fill("acme/chat:5"));
});

test("changes its scale without a job, is a target by its names, and leaves nothing behind", async () => {
  const { eu, us } = await regions();
  await service.forgetCalls();
  await stack.edit(program({ image: "acme/chat:5", verify: true, workersMax: 3 }));
  expect((await stack.up()).changes).toMatchObject({ update: 2 });
  expect(await service.calls()).not.toContain("run");

  await stack.edit(program({ image: "acme/chat:1", verify: true, workersMax: 3 }));
  await stack.up({ args: ["--target", "**::chat-us*"] });
  expect(await served(eu)).toEqual({ serves: true, version: 5 });
  expect(await served(us)).toEqual({ serves: true, version: 1 });

  expect(said(await stack.destroy({ fails: true }))).toMatch(/chat-eu[\s\S]*protected/);
  await stack.pulumi(["state", "unprotect", "--all", "--yes"]);
  await leavesNothing(stack, service);
});

test("takes the place of a ServerlessContainer of its name, and keeps it as it is renamed and a gate fails; a target goes around the gate", async () => {
  const of = (Kind: string, image: string, name = "chat") => `
    const { ${Kind} } = require("pulumi-computecloud");
    const args = {
      image: "${image}",
      gpu: { pools: ["AMPERE_16"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 1 },
    };
    const chat = new ${Kind}("${name}", {
      ...args,
      ...(${Kind === "GatedEndpoint"} ? { gate: { input: { candidate: true }, jobs: 2 }, verify: ${image.endsWith("2")} } : { type: "QUEUE" }),
    }, ${name === "chat" ? "{}" : '{ aliases: [{ name: "chat" }] }'});
    exports.id = chat.id;
  `;
  await using single = await newStack({ program: of("ServerlessContainer", "acme/chat:1"), emulator });
  await single.up();
  const before = await single.outputs();
  await single.edit(of("GatedEndpoint", "acme/chat:2"));
  const { changes } = await single.up();
  expect(Object.keys(changes).sort()).toEqual(["create", "update"]);
  expect(changes.update).toBe(1);
  expect(await single.outputs()).toEqual(before);
  expect(await served(before as { id: string })).toEqual({ serves: true, version: 2 });

  // The component is recorded under its new name, and what waits for the gate is not.
  await single.edit(of("GatedEndpoint", "emulator/fail:1", "talk"));
  await single.up({ fails: true });
  await single.edit(of("GatedEndpoint", "acme/chat:2", "talk"));
  await single.up();
  expect(await single.outputs()).toEqual(before);

  await single.edit(of("GatedEndpoint", "acme/chat:3", "talk"));
  await service.forgetCalls();
  await single.up({ args: ["--target", "**::talk"] });
  expect(await service.calls()).not.toContain("run");
  expect(await served(before as { id: string })).toEqual({ serves: true, version: 3 });
});
