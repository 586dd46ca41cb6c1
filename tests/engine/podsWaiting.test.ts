// @long: a life of its own: pods that wait.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
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

const slow = { slow: pod({ createTimeout: "1s" }), patient: pod({ awaitRunning: false }) };

test("a pod that is slow is kept in the state when createTimeout is over, with what to do", async () => {
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

test("a pod that is slow is waited for by the next up, and not created twice", async () => {
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

test("a pod that fails is started again by the next up, once its cause is gone", async () => {
  const { stack, declare, watch } = scenario;
  await declare({ broken: pod({ image: "example.com/train:does-not-exist" }) });
  await stack.up({ fails: true });
  const { id } = await stack.resource("broken");
  await declare({ broken: pod({ image: "example.com/train:2" }) });
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toMatchObject({ update: 1 });
  expect(writes.filter(({ call }) => !call.startsWith("DELETE"))).toEqual([
    { call: `PATCH /v2/pods/${id}`, body: { image: "example.com/train:2" } },
    { call: `POST /v2/pods/${id}/action`, body: { action: "start" } },
  ]);
});
