/*
 * A run that is cancelled, by Ctrl-C or by a CI runner that sends SIGINT and 7.5 seconds later SIGTERM: every kind of wait
 * ends at once, no candidate keeps a worker, the state is whole, and the next run continues.
 */
import { expect, test } from "@jest/globals";
import { nameOfUrn } from "../../common/urn";
import { type CommandOptions, hurried } from "../../tools/run/stack";
import type { Update } from "../../tools/run/update";
import type { Resources } from "../harness/program";
import { leavesNothing, said, scenarioForAll } from "../harness/scenario";
import { until } from "../harness/until";

const HOUR_MS = 3_600_000;
const image = "emulator/delay:1";
const gpu = { pools: ["AMPERE_16"] };
const scaling = { type: "REQUEST_COUNT", requestCount: 1 };
const queue = { type: "QUEUE", image: "emulator/echo:1", gpu, scaling };

/** One resource for each kind of wait. The jobs take `delayMs`. */
const waiting = (delayMs: number): Resources => {
  const slow = { image, env: { EMULATOR_DELAY_MS: String(delayMs) }, gpu, scaling };
  const input = { prompt: "hi" };
  return {
    cloud: { kind: "Provider", args: {} },
    // A job on a candidate, on an endpoint, and one that verifies.
    gated: { kind: "GatedEndpoint", args: { ...slow, gate: { input, timeout: "30m" } } },
    tried: { kind: "ServerlessContainer", args: { ...slow, type: "QUEUE" } },
    job: { kind: "SmokeJob", args: { endpoint: "$tried", input, timeout: "30m" } },
    verified: { kind: "ServerlessContainer", args: { ...slow, type: "QUEUE", verify: { input, timeout: "30m" } } },
    // Machines and workers that have to start.
    pod: { kind: "Pod", args: { image, gpu: { id: "NVIDIA L4" } } },
    native: { kind: "Pod", args: { image, gpu: { id: "NVIDIA L4" } }, options: { provider: "$cloud" } },
    cluster: {
      kind: "Cluster",
      args: { type: "RAY", compute: { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 }, image },
    },
    warm: { kind: "ServerlessContainer", args: { ...queue, workers: { min: 1, max: 1 }, awaitWorkers: true } },
    fleet: {
      kind: "ServerlessFleet",
      args: {
        defaults: { image: "emulator/echo:1", gpuIds: "AMPERE_16" },
        endpoints: { warm: { workersMin: 1, workersMax: 1, awaitWorkers: true }, cold: {} },
      },
    },
    // A create whose answer is lost, and a call that the service refuses for now.
    lost: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1" } },
    refused: {
      kind: "SshKeys",
      args: { keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJuE8zkwDlQ8ysbSvcXTmcU9RXMnbvs6fhLXUxo1vWBn me"] },
    },
  };
};

const { stack, service, declare } = scenarioForAll({
  resources: {},
  settings: { balance: 100_000, spendLimit: 100_000 },
});

/** Cancels a step when the condition holds. It has to end without a SIGTERM. */
async function cancelledWhen(
  step: (options: CommandOptions) => Promise<Update>,
  holds: () => Promise<boolean>,
): Promise<Update> {
  const cancelled = new AbortController();
  const running = step({ fails: true, signal: cancelled.signal, args: ["--parallel", "32"] });
  // A run that ends before is of no use to wait for.
  await Promise.race([until(holds), running]).finally(() => cancelled.abort());
  const update = await running;
  expect(update.terminated).toBe(false);
  return update;
}

/** How often each of these operations was called. */
const called = (...operations: string[]) => Promise.all(operations.map((operation) => service.count(operation)));

/** The most workers that the candidate may have. */
async function ofCandidate(): Promise<unknown> {
  const { endpoints } = await service.state();
  return endpoints.find(({ name = "" }) => name.startsWith("gated-candidate"))?.workers;
}
const REST = expect.objectContaining({ min: 0, max: 0 });

const recorded = async () => (await stack.resources()).map(({ urn }) => nameOfUrn(urn));

test("creates that wait end at once; all that exists is recorded, and the candidate rests", async () => {
  await service.settings({ podBootMs: HOUR_MS, workerColdStartMs: HOUR_MS });
  const busy = { status: 503, headers: { "retry-after": "60" } };
  await service.fault({ match: { operation: "createNetworkVolume", times: 1000 }, act: { drop: "before" } });
  await service.fault({ match: { operation: "updateSshKeys", times: 1000 }, act: busy });
  await declare(waiting(HOUR_MS));
  const update = await cancelledWhen(stack.up.bind(stack), async () => {
    const { pods, clusters } = await service.state();
    const [jobs = 0, ...others] = await called("run", "listEndpointWorkers", "createNetworkVolume", "updateSshKeys");
    return jobs === 3 && pods.length > 1 && clusters.length > 0 && others.every((count) => count > 0);
  });
  expect(said(update)).toContain("The wait was interrupted");
  expect(said(update)).toMatch(/NetworkVolume lost-\w+ may exist: its create was aborted after it was sent/);
  expect(await ofCandidate()).toEqual(REST);
  const there = await recorded();
  expect(there).toEqual(expect.arrayContaining(["tried", "verified", "pod", "native", "cluster", "warm", "fleet"]));
  expect(["gated-gate", "job", "lost", "refused"].filter((name) => there.includes(name))).toEqual([]);
});

test("the next run continues, and updates that wait end at once: what was not verified is put back", async () => {
  await service.clearFaults();
  await service.settings({ podBootMs: 0, workerColdStartMs: 0 });
  await service.advance(HOUR_MS);
  await declare(waiting(0));
  // With its preview: that ends with a Cancel too, which must not reach the waits.
  await stack.pulumi(["up", "--yes"], { env: hurried(30) });
  const { pods, clusters, endpoints, networkVolumes, sshKeys } = await service.state();
  const numbers = [pods, clusters, endpoints, networkVolumes, sshKeys].map(({ length }) => length);
  expect(numbers).toEqual([4, 1, 7, 1, 1]);
  expect(Object.keys((await stack.preview()).changes)).toEqual(["same"]);

  await declare(waiting(2 * HOUR_MS));
  await service.forgetCalls();
  await cancelledWhen(stack.up.bind(stack), async () => (await called("run"))[0] === 3);
  expect(await ofCandidate()).toEqual(REST);
  const updated = await service.state();
  const verified = updated.endpoints.find(({ name = "" }) => name.startsWith("verified"));
  expect(JSON.stringify(verified)).toContain('"EMULATOR_DELAY_MS":"0"');
});

test("deletes that wait end at once, and the next destroy ends them", async () => {
  const template = { image, env: { EMULATOR_DELAY_MS: String(HOUR_MS) }, serverless: true };
  await declare({
    template: { kind: "Template", args: template },
    busy: { kind: "ServerlessEndpoint", args: { template: "$template", gpuIds: "AMPERE_16" } },
    used: { kind: "Template", args: template },
    user: { kind: "ServerlessContainer", args: { type: "QUEUE", template: "$used", gpu, scaling } },
  });
  await stack.up({ env: hurried(30) });
  const { id } = await stack.resource("busy");
  await service.queue("POST", `${id}/run`, { input: { prompt: "hi" } });
  await service.settings({ templateReleaseMs: HOUR_MS });
  // First an endpoint waits for its worker, then the templates for what used them.
  for (const operation of ["listEndpointWorkers", "deleteTemplate"]) {
    await service.forgetCalls();
    await cancelledWhen(stack.destroy.bind(stack), async () => (await called(operation))[0] !== 0);
    await service.advance(HOUR_MS);
  }
  await service.settings({ templateReleaseMs: 0 });
  await service.advance(HOUR_MS);
  await leavesNothing(stack, service);
});
