/*
 * What somebody changes outside of the program: no drift replaces a resource by itself, and what a refresh shows
 * neither hides a wait that failed nor announces changes that don't happen.
 */
import { expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const image = "example.com/a:1";
const COMPUTE = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
const HOUR = 3_600_000;

const { stack, service, declare, watch } = scenarioForAll({
  resources: {},
  settings: { balance: 100_000, spendLimit: 100_000 },
});

const program = (compute: object, size: number, more: object = {}): Resources => ({
  ray: { kind: "Cluster", args: { name: "ray", type: "RAY", compute: { ...COMPUTE, ...compute }, image } },
  models: { kind: "NetworkVolume", args: { name: "models", size, dataCenter: "EU-RO-1", ...more } },
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

test("a drift that only a replacement could undo stands beside other changes", async () => {
  await declare({ ...program({}, 40, { name: "renamed" }) });
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toEqual({ same: 1, update: 1 });
  expect(writes.map(({ body }) => body)).toEqual([{ name: "renamed" }]);
  expect(said(update)).toContain("size 60 -> 40");
});

test("a drift that only a replacement could undo is refused to be made worse, and accepted by declaring it", async () => {
  await declare(program({}, 50, { name: "renamed" }));
  expect(said(await stack.preview({ fails: true }))).toContain("can't shrink");
  await declare(program({ podCount: 3 }, 60, { name: "renamed" }));
  const { update, writes } = await watch(stack.up());
  expect(update.changes).toEqual({ update: 2 });
  expect(writes).toEqual([]);
  expect((await stack.up({ args: ["--refresh"] })).changes).toEqual({ same: 2 });
});

test("a drift that only a replacement could undo is not a reason for a program's own change not to replace, which says what is lost", async () => {
  await declare(program({ podCount: 2 }, 60, { name: "renamed", dataCenter: "US-KS-2" }));
  const preview = await stack.preview();
  expect(preview.changes.replace).toBe(2);
  expect(said(preview)).toMatch(
    /NetworkVolume ".*": dataCenter can only change by a replacement, which deletes its data/,
  );
  expect(said(preview)).toContain("protect: true");
  await stack.destroy();
});

test("a wait that failed is not forgotten by a refresh", async () => {
  await service.settings({ podBootMs: HOUR });
  await declare({ slow: { kind: "Pod", args: { image, cpu: { id: "cpu3c", vcpuCount: 2 }, createTimeout: "1s" } } });
  await stack.up({ fails: true });
  await stack.refresh();
  expect((await stack.preview()).changes).toEqual({ update: 1 });
  await service.settings({ podBootMs: 0 });
  await service.advance(HOUR);
  expect((await stack.up()).changes).toEqual({ update: 1 });
});

const template = (args: object): Resources => ({
  chosen: { kind: "Template", args: { image, ...args } },
  reader: { kind: "Template", args: { image, env: { DNS: "$pod.internalDns" } } },
});

test("what the service chooses is in no diff after a refresh, and absent outputs change nothing that uses them", async () => {
  const pod = { kind: "Pod", args: { image, gpu: { id: "NVIDIA L4" } } };
  await declare({ pod, ...template({}) });
  await stack.up();
  await stack.refresh();
  expect((await stack.resource("chosen")).inputs).not.toHaveProperty("disk");
  const preview = await stack.preview();
  expect(preview.changes).toEqual({ same: 3 });
  await declare({ pod, ...template({ category: "CPU" }) });
  const diffPreview = await stack.preview({ args: ["--diff"] });
  expect(diffPreview.stdout).toContain("category");
  expect(diffPreview.stdout).not.toMatch(/- disk|ogicalName|__/);
});
