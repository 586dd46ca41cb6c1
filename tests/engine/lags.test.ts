// @long: a service that shows late is rare, and each rule for it is in tests/lifecycle/lags.test.ts.
/* A service that shows late what was written, before a stack of both hosts: each command follows the last one at once. */
import { expect, test } from "@jest/globals";
import { leavesNothing, said, scenarioForAll } from "../harness/scenario";

const LAGS = { readLagMs: 3_600_000, listLagMs: 3_600_000 };
const volume = { size: 10, dataCenter: "EU-RO-1" };
const pod = { image: "example.com/train:1", gpu: { id: "NVIDIA L4" }, awaitRunning: false };

const both = (host: string, options: object = {}) => ({
  [`${host}-volume`]: { kind: "NetworkVolume", args: volume, options },
  [`${host}-pod`]: { kind: "Pod", args: pod, options },
});
const { stack, service } = scenarioForAll({
  resources: { host: { kind: "Provider", args: {} }, ...both("dynamic"), ...both("native", { provider: "$host" }) },
  settings: LAGS,
});

const held = async () => {
  const { pods, networkVolumes } = await service.state();
  return [...pods, ...networkVolumes].map(({ id }) => id).sort();
};
const recorded = async () =>
  (await stack.resources()).flatMap(({ type, id = "" }) => (/:(Pod|NetworkVolume)$/.test(type) ? [id] : [])).sort();

test("a refresh right after an up keeps everything and says so, and the next up changes nothing", async () => {
  await stack.up();
  expect(await held()).toHaveLength(4);
  const refresh = await stack.refresh();
  expect(said(refresh).match(/is new, and the service does not show it yet: it stays in the state/g)).toHaveLength(4);
  expect(await recorded()).toEqual(await held());
  expect((await stack.up({ args: ["--refresh"] })).changes).toEqual({ same: 4 });
});

test("a destroy right after an up deletes everything, and an up right after that makes it again once", async () => {
  await stack.destroy();
  expect(await held()).toEqual([]);
  expect(await service.isEmpty()).toBe(true);
  await stack.up();
  expect(await recorded()).toEqual(await held());
  expect(await held()).toHaveLength(4);
  await leavesNothing(stack, service);
});
