// @long: a life of its own: serverless containers.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said, withoutFirst } from "../harness/scenario";

const CHAT = {
  type: "QUEUE",
  image: "example.com/chat:1",
  gpu: { pools: ["AMPERE_16", "AMPERE_24"], excludedTypes: ["NVIDIA RTX A4500"], minCudaVersion: "12.4" },
  scaling: { type: "QUEUE_DELAY", queueDelay: 2 },
  env: { MODE: "a", TOKEN: "hunter2" },
};
const WEB = {
  type: "LOAD_BALANCER",
  image: "example.com/web:1",
  cpu: [
    { id: "cpu3c", vcpuCount: 4 },
    { id: "cpu3c", vcpuCount: 2 },
  ],
  scaling: { type: "REQUEST_COUNT", requestCount: 4 },
  ports: ["80/http"],
};

const endpoints = (chat: object = {}, web: object = {}): Resources => ({
  chat: { kind: "ServerlessContainer", args: { ...CHAT, ...chat } },
  web: { kind: "ServerlessContainer", args: { ...WEB, ...web } },
});

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: endpoints() });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const idOf = async (name: string) => String((await scenario.stack.resource(name)).id);

test("serverless containers are created with one call each, with every default said", async () => {
  const { service, stack, watch } = scenario;
  await service.forgetCalls();
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toEqual({ create: 2 });
  const common = { args: "", dataCenterIds: [], networkVolumes: [], timeout: 300_000, flashboot: "OFF" };
  expect(writes.map(({ body }) => body)).toContainEqual({
    ...CHAT,
    ...common,
    name: expect.stringMatching(/^chat-[0-9a-f]{7}$/),
    ports: [],
    gpu: { ...CHAT.gpu, count: 1, allowedCudaVersions: [] },
    workers: { min: 0, max: 3, idleTimeout: 10 },
  });
  expect(writes.map(({ body }) => body)).toContainEqual({
    ...WEB,
    ...common,
    name: expect.stringMatching(/^web-[0-9a-f]{7}$/),
    env: {},
    workers: { min: 0, max: 3, idleTimeout: 10 },
  });
  expect((await stack.resource("chat")).outputs).toMatchObject({
    requestUrls: expect.stringMatching(new RegExp(`/v2/${await idOf("chat")}$`)),
    disk: 20,
    revision: 1,
  });
  expect((await stack.resource("web")).outputs).toMatchObject({ requestUrls: { health: expect.any(String) } });
  expect(await stack.stateText()).not.toContain("hunter2");
});

test("serverless containers are left alone by a second up, which makes no call, and by a refresh with one list", async () => {
  const { service, stack } = scenario;
  await service.forgetCalls();
  expect((await stack.up()).changes).toEqual({ same: 2 });
  expect(await service.log()).toEqual([]);
  expect((await stack.refresh()).changes).toEqual({ same: 2 });
  expect(withoutFirst("getEndpoint", await service.calls())).toEqual(["getAccount", "listEndpoints"]);
});

test("serverless containers are updated in place: only what changed is sent, with the exclusions that a patch would drop", async () => {
  const { stack, declare, watch } = scenario;
  await declare(
    endpoints(
      { timeout: 60_000, scaling: { type: "REQUEST_COUNT", requestCount: 3 } },
      { cpu: [{ id: "cpu5c", vcpuCount: 4 }], env: { HEALTH_CHECK_PATH: "/ready" }, workers: { min: 1 } },
    ),
  );
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toEqual({ update: 2 });
  expect(writes).toHaveLength(2);
  expect(writes).toContainEqual({
    call: `PATCH /v2/serverless/${await idOf("chat")}`,
    body: {
      timeout: 60_000,
      scaling: { type: "REQUEST_COUNT", requestCount: 3 },
      workers: { min: 0, max: 3 },
      gpu: { pools: CHAT.gpu.pools, excludedTypes: CHAT.gpu.excludedTypes },
    },
  });
  expect(writes).toContainEqual({
    call: `PATCH /v2/serverless/${await idOf("web")}`,
    body: {
      cpu: [{ id: "cpu5c", vcpuCount: 4 }],
      env: { HEALTH_CHECK_PATH: "/ready", PORT: "80", PORT_HEALTH: "80" },
      workers: { min: 1, max: 3, idleTimeout: 10 },
    },
  });
  expect((await stack.resource("web")).outputs).toMatchObject({ revision: 2 });
});

test("serverless containers clear one CUDA choice in the patch that makes the other, and the exclusions when they are removed", async () => {
  const { stack, declare, watch } = scenario;
  await declare(endpoints({ gpu: { pools: ["AMPERE_24"], allowedCudaVersions: ["12.8", "12.6"] }, flashboot: "OFF" }));
  const { writes } = await watch(stack.up());
  expect(writes.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({
      gpu: {
        pools: ["AMPERE_24"],
        excludedTypes: [],
        count: 1,
        allowedCudaVersions: ["12.8", "12.6"],
        minCudaVersion: "",
      },
    }),
  );
});

test("serverless containers show what was changed in the console, but not a maximum that the service lowered", async () => {
  const { service, stack, watch } = scenario;
  const [chat, web] = [await idOf("chat"), await idOf("web")];
  await service.rest("PATCH", `/v2/serverless/${chat}`, { flashboot: "FLASHBOOT", env: { MODE: "hacked" } });
  await service.rest("PATCH", `/v2/serverless/${web}`, { workers: { max: 2 } });
  expect((await stack.refresh()).changes).toEqual({ update: 1, same: 1 });
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toEqual({ update: 1, same: 1 });
  expect(writes).toEqual([{ call: `PATCH /v2/serverless/${chat}`, body: { flashboot: "OFF", env: CHAT.env } }]);
});

test("serverless containers get the default back for what is declared no more, and say what has none", async () => {
  const { stack, declare, watch } = scenario;
  const gpu = { pools: ["AMPERE_24"], allowedCudaVersions: ["12.8", "12.6"] };
  await declare(endpoints({ gpu, flashboot: "FLASHBOOT", disk: 30, workers: { max: 5 } }));
  await stack.up();
  await declare(endpoints({ gpu }));
  expect(said(await stack.preview())).toMatch(/ServerlessContainer ".*" keeps disk 30: .*Declare/);
  const { writes } = await watch(stack.up());
  expect(writes).toEqual([
    {
      call: `PATCH /v2/serverless/${await idOf("chat")}`,
      body: { flashboot: "OFF", workers: { min: 0, max: 3, idleTimeout: 10 } },
    },
  ]);
  const again = await stack.up({ args: ["--refresh"] });
  expect(again.changes).toEqual({ same: 2 });
  expect(said(again)).not.toContain("disk");
});

test("serverless containers are replaced for another type or family of compute", async () => {
  const { service, stack, declare } = scenario;
  await declare(endpoints({ gpu: { pools: ["AMPERE_24"] } }, { cpu: undefined, gpu: { pools: ["ADA_24"] } }));
  await service.forgetCalls();
  const { steps } = await stack.up();
  expect(steps.find(({ op }) => op === "replace")).toMatchObject({ name: "web" });
  expect((await service.calls()).filter((call) => !call.startsWith("list"))).toEqual(
    expect.arrayContaining(["createEndpoint", "deleteEndpoint"]),
  );
});

test("serverless containers wait for their workers on request, and tell the state of those that are missing", async () => {
  const { service, stack, declare, watch } = scenario;
  await service.settings({ workerColdStartMs: 3_600_000 });
  const waiting = { ...CHAT, workers: { min: 1 }, awaitWorkers: true, createTimeout: "1s" };
  await declare({ ready: { kind: "ServerlessContainer", args: waiting } });
  expect(said(await stack.up({ fails: true }))).toContain(
    "does not have 1 workers ready within createTimeout (1s) (1 initializing)",
  );
  await service.advance(3_600_000);
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toMatchObject({ update: 1 });
  expect(writes.filter(({ call }) => !call.startsWith("DELETE"))).toEqual([]);
});

test("serverless containers are taken over by id, what differs is updated", async () => {
  const { service, stack, declare, watch } = scenario;
  const { id } = (await service.rest("POST", "/v2/serverless", {
    name: "by hand",
    type: "QUEUE",
    image: "example.com/chat:1",
    gpu: { pools: ["AMPERE_24"] },
    scaling: CHAT.scaling,
    flashboot: "FLASHBOOT",
    workers: { max: 9 },
  })) as { id: string };
  const adopted = { ...CHAT, gpu: { pools: ["AMPERE_24"] }, env: {}, timeout: 1_000, adoptId: id };
  await declare({ found: { kind: "ServerlessContainer", args: adopted } });
  const { update, writes } = await watch(stack.up());
  expect(said(update)).toContain(`ServerlessContainer ${id} (by hand) is adopted: changes timeout 300000 -> 1000`);
  expect(writes).toContainEqual({ call: `PATCH /v2/serverless/${id}`, body: { timeout: 1_000 } });
});

test("serverless containers are gone with the stack", async () => {
  await scenario.stack.destroy();
  expect(await scenario.service.isEmpty()).toBe(true);
});
