// @long: a life of its own: pods that wait.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said } from "../harness/scenario";

const HOUR = 3_600_000;
const pod = (args: object): Resources[string] => ({
  kind: "Pod",
  args: { image: "example.com/train:1", gpu: { id: "NVIDIA L4" }, ...args },
});

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: {} });
});
afterAll(() => scenario[Symbol.asyncDispose]());

describe("a pod that is slow", () => {
  const slow = { slow: pod({ createTimeout: "1s" }), patient: pod({ awaitRunning: false }) };

  test("is kept in the state when createTimeout is over, with what to do", async () => {
    const { service, stack, declare } = scenario;
    await service.settings({ podBootMs: HOUR });
    await declare(slow);
    const update = await stack.up({ fails: true });
    expect(said(update)).toContain(
      "did not become RUNNING within createTimeout (1s). It exists, is billed and stays in the state",
    );
    expect((await stack.resource("slow")).id).toEqual(expect.any(String));
    expect(update.steps).toContainEqual(expect.objectContaining({ op: "create", name: "patient" }));
  });

  test("is waited for by the next up, and not created twice", async () => {
    const { service, stack, watch } = scenario;
    await service.settings({ podBootMs: 0 });
    await service.advance(HOUR);
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toEqual({ update: 1, same: 1 });
    expect(writes).toEqual([]);
    expect((await stack.resource("slow")).outputs).toMatchObject({ dataCenterId: expect.any(String) });
    expect((await service.state()).pods).toHaveLength(2);
    expect((await stack.up()).changes).toEqual({ same: 2 });
  });
});

describe("a pod that fails", () => {
  test("is reported at once with the last lines of its log, and kept", async () => {
    const { stack, declare } = scenario;
    await declare({ broken: pod({ image: "example.com/train:does-not-exist" }) });
    const update = await stack.up({ fails: true });
    const { id } = await stack.resource("broken");
    expect(said(update)).toContain(`Pod ${id} is ERROR and will not become RUNNING. Last log lines:\n`);
  });

  test("is started again by the next up, once its cause is gone", async () => {
    const { stack, declare, watch } = scenario;
    const { id } = await stack.resource("broken");
    await stack.up({ fails: true });
    await declare({ broken: pod({ image: "example.com/train:2" }) });
    const { update, writes } = await watch(stack.up());
    expect(update.changes).toMatchObject({ update: 1 });
    expect(writes.filter(({ call }) => !call.startsWith("DELETE"))).toEqual([
      { call: `PATCH /v2/pods/${id}`, body: { image: "example.com/train:2" } },
      { call: `POST /v2/pods/${id}/action`, body: { action: "start" } },
    ]);
  });
});

describe("a pod without room", () => {
  const choosy = {
    gpu: { id: "NVIDIA H200" },
    gpuAlternatives: ["NVIDIA H100 NVL"],
    dataCenterIds: ["US-KS-2", "EUR-IS-1"],
  };
  const noRoom = (gpuTypeId: string, dataCenterId?: string) =>
    scenario.service.fault({ match: { times: 1_000 }, act: { capacity: { gpuTypeId, dataCenterId } } });

  test("goes to the first GPU type and data center that has some, in the order of the program", async () => {
    const { stack, declare, watch } = scenario;
    await noRoom("NVIDIA H200");
    await noRoom("NVIDIA H100 NVL", "US-KS-2");
    await declare({ choosy: pod(choosy) });
    const { writes } = await watch(stack.up());
    const tried = writes.flatMap(({ call, body }) =>
      call === "POST /v2/pods" ? [body as { gpu: { id: string }; dataCenterIds: string[] }] : [],
    );
    expect(tried.map(({ gpu, dataCenterIds }) => [gpu.id, dataCenterIds])).toEqual([
      ["NVIDIA H200", ["US-KS-2"]],
      ["NVIDIA H200", ["EUR-IS-1"]],
      ["NVIDIA H100 NVL", ["US-KS-2"]],
      ["NVIDIA H100 NVL", ["EUR-IS-1"]],
    ]);
    expect((await stack.resource("choosy")).outputs).toMatchObject({
      gpuTypeId: "NVIDIA H100 NVL",
      dataCenterId: "EUR-IS-1",
    });
  });

  test("stays where it is: the choice that was made is not a difference", async () => {
    const { stack } = scenario;
    expect((await stack.refresh()).changes).toEqual({ same: 1 });
    expect((await stack.up()).changes).toEqual({ same: 1 });
  });

  test("names all that was tried when there is none anywhere", async () => {
    const { stack, declare } = scenario;
    await noRoom("NVIDIA H100 NVL");
    await declare({ other: pod(choosy) });
    const message = said(await stack.up({ fails: true }));
    expect(message).toContain("Pod could not be placed. Tried in order: NVIDIA H200 in US-KS-2: ");
    expect(message).toContain("Add other types to gpuAlternatives or other data centers to dataCenterIds");
    await stack.destroy();
    expect(await scenario.service.isEmpty()).toBe(true);
  });
});
