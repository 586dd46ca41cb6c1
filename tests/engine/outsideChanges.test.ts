/* What somebody changes outside of the program: no drift replaces a resource by itself. */
import { expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const image = "example.com/a:1";
const COMPUTE = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };

const { stack, service, declare, watch } = scenarioForAll({
  resources: {},
  settings: { balance: 100_000, spendLimit: 100_000 },
});

const program = (compute: object, size: number): Resources => ({
  ray: { kind: "Cluster", args: { name: "ray", type: "RAY", compute: { ...COMPUTE, ...compute }, image } },
  models: { kind: "NetworkVolume", args: { name: "models", size, dataCenter: "EU-RO-1" } },
});

test("a drift that only a replacement could undo is said and replaces nothing, with and without a refresh", async () => {
  await declare(program({}, 40));
  await stack.up();
  const { outputs } = await stack.resource("ray");
  const volume = (await stack.resource("models")).id;
  expect(outputs).not.toHaveProperty("__declared");
  const state = await service.state();
  const clusters = state.clusters.map((each) => ({ ...each, compute: { ...COMPUTE, podCount: 3 } }));
  await service.setState({ ...state, clusters });
  await service.rest("PATCH", `/v2/network-volumes/${volume}`, { size: 60 });

  const { update, writes } = await watch(stack.up({ args: ["--refresh"] }));
  expect(writes).toEqual([]);
  expect(update.changes.replace).toBeUndefined();
  expect(said(update)).toMatch(/Cluster ".*" was changed outside of this program.*compute\.podCount 3 -> 2/);
  expect(said(update)).toMatch(/NetworkVolume ".*" was changed outside of this program.*size 60 -> 40/);
  const again = await stack.up();
  expect(again.changes).toEqual({ same: 2 });
  expect(said(again)).toContain("compute.podCount 3 -> 2");
});

test("a drift that only a replacement could undo is refused to be made worse, and accepted by declaring it", async () => {
  await declare(program({}, 50));
  expect(said(await stack.preview({ fails: true }))).toContain("can't shrink");
  await declare(program({ podCount: 3 }, 60));
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toEqual({ update: 2 });
  expect(writes).toEqual([]);
  expect((await stack.up({ args: ["--refresh"] })).changes).toEqual({ same: 2 });
});
