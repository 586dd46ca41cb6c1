// @long: a life of its own: pods.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said, withoutFirst } from "../harness/scenario";

const MODELS = { kind: "NetworkVolume", args: { name: "models", size: 10, dataCenter: "US-KS-2" } };
const TRAINER = {
  image: "example.com/train:1",
  gpu: { id: "NVIDIA L4" },
  dataCenterIds: ["US-KS-2"],
  disk: 30,
  ports: ["8888/http", "22/tcp"],
  env: { MODE: "a", TOKEN: "hunter2" },
  mounts: { persistent: { size: 20, path: "/data" } },
  startJupyter: true,
};
const ROUTER = {
  image: "example.com/route:1",
  cpu: { id: "cpu3c", vcpuCount: 4 },
  mounts: { network: [{ volumeId: "$models.id", path: "/models" }] },
};

const pods = (trainer: object = {}, router: object = {}): Resources => ({
  models: MODELS,
  trainer: { kind: "Pod", args: { ...TRAINER, ...trainer } },
  router: { kind: "Pod", args: { ...ROUTER, ...router } },
});
/** What the tests after the first change keep. */
const CHANGED = {
  name: "trainer",
  image: "example.com/train:2",
  ports: ["22/tcp"],
  env: { MODE: "b" },
  mounts: { persistent: { size: 40, path: "/data" } },
};
const MOVED = { mounts: { network: [{ volumeId: "$models.id", path: "/mnt" }] } };

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: pods() });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const idOf = async (name: string) => String((await scenario.stack.resource(name)).id);
const record = async (name: string) => {
  const id = await idOf(name);
  return (await scenario.service.state()).pods.find((pod) => pod.id === id);
};

describe("pods", () => {
  test("are created with what is declared, and run before the run ends", async () => {
    const { stack, watch } = scenario;
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ create: 3 });
    const { gpu, startJupyter, ...rest } = TRAINER;
    expect(writes.map(({ body }) => body)).toContainEqual({
      ...rest,
      args: "",
      name: expect.stringMatching(/^trainer-[0-9a-f]{7}$/),
      gpu: { ...gpu, count: 1 },
      cloud: "SECURE",
      globalNetworking: false,
      startJupyter,
    });
    expect(await record("trainer")).toMatchObject({ status: "RUNNING" });
    const { outputs } = await stack.resource("trainer");
    expect(outputs).toMatchObject({
      gpuTypeId: "NVIDIA L4",
      dataCenterId: "US-KS-2",
      ssh: { proxy: expect.stringMatching(/^ssh /), direct: expect.stringMatching(/^ssh root@/) },
      publicPorts: [{ port: 22, protocol: "tcp", address: expect.stringMatching(/^[\d.]+:\d+$/) }],
      costPerHour: 0.39,
    });
    expect((await stack.resource("router")).outputs).toMatchObject({ memory: 8, dataCenterId: "US-KS-2" });
    expect(await stack.stateText()).not.toContain("hunter2");
  });

  test("are left alone by a second up, which makes no call, and by a refresh with one list", async () => {
    const { service, stack } = scenario;
    await service.forgetCalls();
    expect((await stack.up()).changes).toEqual({ same: 3 });
    expect(await service.log()).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 3 });
    expect(withoutFirst("getPod", await service.calls()).sort()).toEqual([
      "getAccount",
      "getNetworkVolume",
      "listPods",
    ]);
  });

  test("are updated in place: only what changed is sent, and injected variables stay", async () => {
    const { stack, declare, watch } = scenario;
    const password = (await record("trainer"))?.injectedEnv as { JUPYTER_PASSWORD: string };
    await declare(pods(CHANGED, MOVED));
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ update: 2, same: 1 });
    expect(writes).toHaveLength(2);
    expect(writes).toContainEqual({
      call: `PATCH /v2/pods/${await idOf("trainer")}`,
      body: { ...CHANGED, env: { MODE: "b", ...password } },
    });
    expect(writes).toContainEqual({
      call: `PATCH /v2/pods/${await idOf("router")}`,
      body: { mounts: { network: [{ volumeId: await idOf("models"), path: "/mnt" }] } },
    });
    expect(await record("trainer")).toMatchObject({ status: "RUNNING" });
  });

  test("show what was changed in the console, and are repaired by the next up", async () => {
    const { service, stack, watch } = scenario;
    const [trainer, router] = [await idOf("trainer"), await idOf("router")];
    await service.rest("PATCH", `/v2/pods/${trainer}`, {
      image: "example.com/hacked:1",
      env: { MODE: "b", OTHER: "1" },
    });
    await service.rest("POST", `/v2/pods/${router}/action`, { action: "stop" });
    const drift = await stack.refresh();
    expect(drift.changes).toEqual({ update: 2, same: 1 });
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ update: 2, same: 1 });
    expect(writes).toHaveLength(2);
    expect(writes).toContainEqual({ call: `PATCH /v2/pods/${trainer}`, body: { image: CHANGED.image } });
    expect(writes).toContainEqual({ call: `POST /v2/pods/${router}/action`, body: { action: "start" } });
    expect(await record("router")).toMatchObject({ status: "RUNNING" });
  });

  test("are replaced for other compute: the new one first, unless both would hold one volume", async () => {
    const { stack, declare, service } = scenario;
    await declare(pods({ ...CHANGED, gpu: { id: "NVIDIA L4", count: 2 } }, MOVED));
    await service.forgetCalls();
    const trainer = await stack.up();
    expect(trainer.steps.find(({ op }) => op === "replace")).toMatchObject({ replaceKeys: ["gpu.count"] });
    const lifeOf = (calls: string[]) => calls.filter((call) => /^(create|delete)Pod/.test(call));
    expect(lifeOf(await service.calls())).toEqual(["createPod", "deletePod"]);

    await declare(
      pods({ ...CHANGED, gpu: { id: "NVIDIA L4", count: 2 } }, { ...MOVED, cpu: { id: "cpu3c", vcpuCount: 8 } }),
    );
    await service.forgetCalls();
    await stack.up();
    expect(lifeOf(await service.calls())).toEqual(["deletePod", "createPod"]);
  });

  test("are stopped and locked as declared, and a locked one is not deleted", async () => {
    const { stack, declare, watch } = scenario;
    const stopped = { ...CHANGED, gpu: { id: "NVIDIA L4", count: 2 }, desiredStatus: "EXITED" };
    const locked = { ...MOVED, cpu: { id: "cpu3c", vcpuCount: 8 }, locked: true };
    await declare(pods(stopped, locked));
    const { writes } = await watch(stack.up());
    expect(writes).toHaveLength(2);
    expect(writes).toContainEqual({ call: `POST /v2/pods/${await idOf("trainer")}/action`, body: { action: "stop" } });
    expect(writes).toContainEqual({ call: `PATCH /v2/pods/${await idOf("router")}`, body: { locked: true } });
    await declare({ models: MODELS, trainer: { kind: "Pod", args: { ...TRAINER, ...stopped } } });
    const message = said(await stack.up({ fails: true }));
    expect(message).toContain("is locked and can't be deleted. Set locked: false");
    expect(await record("router")).toMatchObject({ status: "RUNNING" });
  });

  test("are created again after they were deleted in the console", async () => {
    const { service, stack, declare } = scenario;
    await service.removed(`/v2/pods/${await idOf("router")}`);
    await declare({ models: MODELS, router: { kind: "Pod", args: ROUTER } });
    expect((await stack.refresh()).changes).toEqual({ same: 2, delete: 1 });
    expect((await stack.up()).changes).toEqual({ same: 1, create: 1, delete: 1 });
  });

  test("are taken over by id: what differs is updated, what would replace is refused, nothing is created", async () => {
    const { service, stack, declare, watch } = scenario;
    const found = (await service.rest("POST", "/v2/pods", {
      name: "by hand",
      image: "example.com/found:1",
      gpu: { id: "NVIDIA L4" },
    })) as { id: string };
    const adopting = (gpu: object): Resources => ({
      models: MODELS,
      router: { kind: "Pod", args: ROUTER },
      found: { kind: "Pod", args: { image: "example.com/found:2", gpu, adoptId: found.id } },
    });
    await declare(adopting({ id: "NVIDIA A40", count: 2 }));
    const refused = said(await stack.preview({ fails: true }));
    expect(refused).toContain('gpu.id "NVIDIA L4" -> "NVIDIA A40", gpu.count 1 -> 2');

    await declare(adopting({ id: "NVIDIA L4" }));
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ same: 2, create: 1 });
    expect(said(update)).toContain(
      `Pod ${found.id} (by hand) is adopted: changes image "example.com/found:1" -> "example.com/found:2"`,
    );
    expect(writes).toEqual([{ call: `PATCH /v2/pods/${found.id}`, body: { image: "example.com/found:2" } }]);
    expect((await stack.resource("found")).outputs).toMatchObject({ name: "by hand" });
  });

  test("are gone with the stack, and the volume after its pod", async () => {
    const { service, stack } = scenario;
    await service.forgetCalls();
    await stack.destroy();
    const deletes = (await service.calls()).filter((call) => call.startsWith("delete"));
    expect(deletes.sort()).toEqual(["deleteNetworkVolume", "deletePod", "deletePod"]);
    expect(await service.isEmpty()).toBe(true);
  });
});
