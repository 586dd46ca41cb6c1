/* An engine that is killed in the middle of creates: the next run finds what came of them, and nothing exists twice. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said } from "../harness/scenario";

const image = "example.com/a:1";
const FLEET: Resources = {
  pod: { kind: "Pod", args: { image, cpu: { id: "cpu3c", vcpuCount: 2 } } },
  named: { kind: "Pod", args: { name: "by-name", image, cpu: { id: "cpu3c", vcpuCount: 2 } } },
  cluster: {
    kind: "Cluster",
    args: { type: "RAY", compute: { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 }, image },
  },
  volume: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1" } },
  data: { kind: "NetworkVolume", args: { name: "data", size: 10, dataCenter: "EU-RO-1" } },
  container: {
    kind: "ServerlessContainer",
    args: { type: "QUEUE", image, gpu: { pools: ["ADA_24"] }, scaling: { type: "REQUEST_COUNT", requestCount: 1 } },
  },
  template: { kind: "Template", args: { image, serverless: true } },
  registry: { kind: "Registry", args: { username: "u", password: "$secret:p" } },
  endpoint: { kind: "ServerlessEndpoint", args: { templateId: "$template.id", gpuIds: "ADA_24" } },
};
/** The calls that the fleet's creates begin with, one a resource; the endpoint waits for its template. */
const CREATES = [
  "createPod",
  "createPod",
  "createCluster",
  "createNetworkVolume",
  "createNetworkVolume",
  "createEndpoint",
  "createTemplate",
  "createRegistry",
].sort();

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: FLEET, settings: { balance: 100_000, spendLimit: 100_000 } });
});
afterAll(() => scenario[Symbol.asyncDispose]());

/** Runs an update and kills its engine, which says good-bye to nobody, when the condition holds. */
async function killWhen(condition: () => Promise<boolean>): Promise<void> {
  const { stack } = scenario;
  const engine = spawn("pulumi", ["up", "--yes", "--skip-preview", "--non-interactive"], {
    cwd: stack.project,
    env: stack.env,
    detached: true,
    stdio: "ignore",
  });
  const ended = once(engine, "exit");
  await until(condition);
  process.kill(-Number(engine.pid), "SIGKILL");
  await ended;
  await stack.pulumi(["cancel", "--yes", "dev"]);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > 60_000) {
      throw new Error(`not so after 60 s: ${JSON.stringify([await scenario.service.calls(), await counts()])}`);
    }
    await setTimeout(20);
  }
}

async function counts(): Promise<Record<string, number>> {
  const { pods, clusters, networkVolumes, endpoints, templates, registries } = await scenario.service.state();
  const own = pods.filter(({ cluster }) => (cluster ?? undefined) === undefined);
  const lists = { pods: own, clusters, networkVolumes, endpoints, templates, registries };
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
}

test("every kind is found again, by a made-up name and by a declared one", async () => {
  const { service, stack } = scenario;
  for (const operation of new Set(CREATES)) {
    await service.fault({ match: { operation, times: 2 }, act: { delayMs: 5_000 } });
  }
  // A create that was not sent yet would never come: all of them are on their way when the engine dies.
  await killWhen(async () => {
    const sent = (await service.calls()).filter((operation) => CREATES.includes(operation));
    return JSON.stringify(sent.sort()) === JSON.stringify(CREATES);
  });
  await until(async () => {
    const { pods, networkVolumes, ...rest } = await counts();
    return pods === 2 && networkVolumes === 2 && rest.registries === 1 && rest.templates === 1 && rest.clusters === 1;
  });
  await service.clearFaults();

  await service.fault({ match: { operation: "saveEndpoint" }, act: { delayMs: 1_500 } });
  await service.forgetCalls();
  await killWhen(async () => (await service.calls()).includes("saveEndpoint"));
  await until(async () => (await counts()).endpoints === 2);
  await service.clearFaults();

  const update = await stack.up();
  expect(said(update)).toMatch(/was made by a run that was interrupted before it was recorded: it is taken over/);
  expect(await counts()).toEqual({
    pods: 2,
    clusters: 1,
    networkVolumes: 2,
    endpoints: 2,
    templates: 1,
    registries: 1,
  });
  expect((await stack.up()).changes).toEqual({ same: 9 });
  await stack.destroy();
  expect(await service.isEmpty()).toBe(true);
}, 300_000);
