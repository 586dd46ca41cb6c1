// @long: a service that shows late is rare, and each rule for it is in tests/lifecycle/lags.test.ts.
/* A service that shows late what was written, before a stack of both hosts: each command follows the last one at once. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newScenario, type Scenario, said } from "../harness/scenario";

const LAGS = { readLagMs: 3_600_000, listLagMs: 3_600_000 };
const volume = { size: 10, dataCenter: "EU-RO-1" };
const pod = { image: "example.com/train:1", gpu: { id: "NVIDIA L4" }, awaitRunning: false };

let scenario: Scenario;
beforeAll(async () => {
  const resources = Object.fromEntries(
    ["dynamic", "native"].flatMap((host) => {
      const options = host === "native" ? { provider: "$host" } : {};
      return [
        [`${host}-volume`, { kind: "NetworkVolume", args: volume, options }],
        [`${host}-pod`, { kind: "Pod", args: pod, options }],
      ];
    }),
  );
  scenario = await newScenario({ resources: { host: { kind: "Provider", args: {} }, ...resources }, settings: LAGS });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const held = async () => {
  const { pods, networkVolumes } = await scenario.service.state();
  return [...pods, ...networkVolumes].map(({ id }) => id).sort();
};
const recorded = async () =>
  (await scenario.stack.resources())
    .flatMap(({ type, id = "" }) => (/:(Pod|NetworkVolume)$/.test(type) ? [id] : []))
    .sort();

test("a refresh right after an up keeps everything and says so, and the next up changes nothing", async () => {
  const { stack } = scenario;
  await stack.up();
  expect(await held()).toHaveLength(4);
  const refresh = await stack.refresh();
  expect(said(refresh).match(/is new, and the service does not show it yet: it stays in the state/g)).toHaveLength(4);
  expect(await recorded()).toEqual(await held());
  expect((await stack.up({ args: ["--refresh"] })).changes).toEqual({ same: 4 });
});

test("a destroy right after an up deletes everything, and an up right after that makes it again once", async () => {
  const { service, stack } = scenario;
  await stack.destroy();
  expect(await held()).toEqual([]);
  expect(await service.isEmpty()).toBe(true);
  await stack.up();
  expect(await recorded()).toEqual(await held());
  expect(await held()).toHaveLength(4);
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
});
