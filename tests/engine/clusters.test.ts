// @long: a life of its own: clusters.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said, withoutFirst } from "../harness/scenario";

const HOUR = 3_600_000;
const TRAINING = {
  type: "TRAINING",
  compute: { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 },
  image: "example.com/train:1",
  ports: ["22/tcp"],
  env: { TOKEN: "hunter2" },
  dataCenterIds: ["US-KS-2", "US-TX-3"],
};
const RAY = {
  name: "ray",
  type: "RAY",
  compute: { gpuTypeId: "NVIDIA H200", gpuCountPerPod: 1, podCount: 3 },
  gpuAlternatives: ["NVIDIA L4"],
  image: "example.com/ray:1",
};

const clusters = (training: object = {}, ray: object = {}): Resources => ({
  training: { kind: "Cluster", args: { ...TRAINING, ...training } },
  ray: { kind: "Cluster", args: { ...RAY, ...ray } },
});

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: clusters(), settings: { balance: 100_000, spendLimit: 100_000 } });
  await scenario.service.fault({ match: { times: 1_000 }, act: { capacity: { gpuTypeId: "NVIDIA H200" } } });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const idOf = async (name: string) => String((await scenario.stack.resource(name)).id);

describe("clusters", () => {
  test("are created where there is room, and complete before the run ends", async () => {
    const { service, stack, watch } = scenario;
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ create: 2 });
    const bodies = writes.map(({ body }) => body as { name: string; dataCenterIds?: string[]; compute: object });
    expect(bodies).toContainEqual({
      ...TRAINING,
      name: expect.stringMatching(/^training-[0-9a-f]{7}$/),
      args: "",
      dataCenterIds: ["US-KS-2"],
      startSsh: false,
      startJupyter: false,
    });
    expect(bodies.filter(({ name }) => name === "ray").map(({ compute }) => compute)).toEqual([
      RAY.compute,
      { ...RAY.compute, gpuTypeId: "NVIDIA L4" },
    ]);
    const { outputs } = await stack.resource("training");
    expect(outputs).toMatchObject({
      gpuTypeId: "NVIDIA H100 80GB HBM3",
      dataCenterId: "US-KS-2",
      network: { cidr: expect.stringMatching(/^10\./), vxlanId: expect.any(Number), vxlanPort: 4789 },
      primary: { sshEndpoint: expect.stringMatching(/:\d+$/) },
      podIds: [expect.any(String), expect.any(String)],
      costPerHour: expect.any(Number),
    });
    expect((await stack.resource("ray")).outputs).toMatchObject({ gpuTypeId: "NVIDIA L4" });
    expect((await service.state()).pods).toHaveLength(5);
    expect(await stack.stateText()).not.toContain("hunter2");
  });

  test("are left alone by a second up, which makes no call, and by a refresh with one list", async () => {
    const { service, stack } = scenario;
    await service.forgetCalls();
    expect((await stack.up()).changes).toEqual({ same: 2 });
    expect(await service.log()).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
    expect(withoutFirst("getCluster", await service.calls())).toEqual(["getAccount", "listClusters"]);
  });

  test("change their name in place, and nothing else", async () => {
    const { stack, declare, watch } = scenario;
    await declare(clusters({ name: "training" }));
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ update: 1, same: 1 });
    expect(writes).toEqual([{ call: `PATCH /v2/clusters/${await idOf("training")}`, body: { name: "training" } }]);
    await declare(clusters({ name: "training", image: "example.com/train:2", env: { TOKEN: "other" } }));
    const preview = await stack.preview();
    expect(preview.steps.find(({ op }) => op === "replace")?.replaceKeys.toSorted()).toEqual(["env", "image"]);
  });

  test("show what was renamed and deleted in the console, and are repaired by the next up", async () => {
    const { service, stack, declare } = scenario;
    await declare(clusters({ name: "training" }));
    await service.rest("PATCH", `/v2/clusters/${await idOf("training")}`, { name: "renamed" });
    await service.removed(`/v2/clusters/${await idOf("ray")}`);
    expect((await stack.refresh()).changes).toEqual({ update: 1, delete: 1 });
    expect((await stack.up()).changes).toEqual({ update: 1, create: 1 });
    expect((await service.state()).clusters.map(({ name }) => name).toSorted()).toEqual(["ray", "training"]);
  });

  test("are taken over by id: the name is updated, other compute is refused", async () => {
    const { service, stack, declare, watch } = scenario;
    const compute = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
    const byHand = { name: "by hand", type: "APPLICATION", compute, image: "example.com/app:1" };
    const found = (await service.rest("POST", "/v2/clusters", byHand)) as { id: string };
    const adopting = (args: object): Resources => ({
      ...clusters({ name: "training" }),
      found: { kind: "Cluster", args: { ...byHand, adoptId: found.id, ...args } },
    });
    await declare(adopting({ compute: { ...compute, podCount: 4 } }));
    expect(said(await stack.preview({ fails: true }))).toContain("compute.podCount 2 -> 4");
    await declare(adopting({ name: "found" }));
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ same: 2, create: 1 });
    expect(writes).toEqual([{ call: `PATCH /v2/clusters/${found.id}`, body: { name: "found" } }]);
  });

  test("are kept in the state when they are not complete in time, and waited for by the next up", async () => {
    const { service, stack, declare, watch } = scenario;
    await service.settings({ podBootMs: HOUR });
    await declare({ slow: { kind: "Cluster", args: { ...TRAINING, createTimeout: "1s" } } });
    expect(said(await stack.up({ fails: true }))).toContain("did not run within createTimeout (1s)");
    await service.settings({ podBootMs: 0 });
    await service.advance(HOUR);
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ update: 1, delete: 3 });
    expect(writes.filter(({ call }) => !call.startsWith("DELETE"))).toEqual([]);
    expect((await stack.resource("slow")).outputs).toMatchObject({ podIds: [expect.any(String), expect.any(String)] });
  });

  test("fail at once when a member does, with the last lines of its log", async () => {
    const { stack, declare } = scenario;
    await declare({ broken: { kind: "Cluster", args: { ...TRAINING, image: "example.com/train:does-not-exist" } } });
    const message = said(await stack.up({ fails: true }));
    expect(message).toContain("has pods that are ERROR and will not run. Last log lines:\n");
    expect((await stack.resource("broken")).id).toEqual(expect.any(String));
  });

  test("are gone with the stack, members, partly made ones and all", async () => {
    await scenario.stack.destroy();
    expect(await scenario.service.isEmpty()).toBe(true);
  });
});
