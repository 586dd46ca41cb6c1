/*
 * An engine that is killed in the middle of creates: the next run finds what came of them, and nothing exists twice; a run
 * that doesn't declare them reports them, and a command removes them.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { leavesNothing, said, scenarioForAll } from "../harness/scenario";
import { until } from "../harness/until";
import { killWhen, orphans } from "./killing";

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

const { stack, service, declare } = scenarioForAll({
  resources: FLEET,
  settings: { balance: 100_000, spendLimit: 100_000 },
});

async function counts(): Promise<Record<string, number>> {
  const { pods, clusters, networkVolumes, endpoints, templates, registries } = await service.state();
  const standalone = pods.filter(({ cluster }) => (cluster ?? undefined) === undefined);
  const lists = { pods: standalone, clusters, networkVolumes, endpoints, templates, registries };
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
}

test("every kind is adopted again, by a generated name and by a declared one", async () => {
  for (const operation of new Set(CREATES)) {
    await service.fault({ match: { operation, times: 2 }, act: { delayMs: 5_000 } });
  }
  // A create that was not sent yet would never come: all of them are on their way when the engine dies.
  await killWhen(stack, async () => {
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
  await killWhen(stack, async () => (await service.calls()).includes("saveEndpoint"));
  await until(async () => (await counts()).endpoints === 2);
  await service.clearFaults();

  const update = await stack.up();
  expect(said(update)).toMatch(/was created by an interrupted run, or one whose state was lost, and is adopted/);
  expect(await counts()).toEqual({
    pods: 2,
    clusters: 1,
    networkVolumes: 2,
    endpoints: 2,
    templates: 1,
    registries: 1,
  });
  expect((await stack.up()).changes).toEqual({ same: 9 });
  await leavesNothing(stack, service);
});

describe("what a killed run has left", () => {
  const initial: Resources = { kept: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1" } } };
  const member = { image, gpuIds: "ADA_24" };
  const more: Resources = {
    ...initial,
    web: { kind: "Pod", args: { image, cpu: { id: "cpu3c", vcpuCount: 2 } } },
    models: { kind: "ServerlessFleet", args: { endpoints: { chat: member, embed: member } } },
  };
  let lines: string[];

  beforeAll(async () => {
    await declare(initial);
    await stack.up();
    await declare(more);
    await service.fault({ match: { operation: "saveEndpoint", times: 2 }, act: { delayMs: 1_000 } });
    await service.fault({ match: { operation: "createPod" }, act: { delayMs: 3_000 } });
    await service.forgetCalls();
    await killWhen(stack, async () => {
      const sent = await service.calls();
      return sent.includes("saveEndpoint") && sent.includes("createPod");
    });
    await until(async () => {
      const { pods, endpoints, templates } = await counts();
      return pods === 1 && endpoints === 2 && templates === 2;
    });
    const { pods, endpoints, templates } = await service.state();
    const line =
      (kind: string) =>
      ({ id, name }: { id: string; name?: unknown }) =>
        `${kind} "${String(name)}" (${id})`;
    lines = [
      ...pods.map(line("Pod")),
      ...endpoints.map(line("ServerlessEndpoint")),
      ...templates.map(line("Template")),
    ];
    await declare(initial);
  });

  test("is reported by name and id in every run that does not declare it, which goes on", async () => {
    for (const step of [() => stack.preview(), () => stack.up(), () => stack.refresh(), () => stack.destroy()]) {
      const text = said(await step());
      expect(text).toContain("A killed run left resources that this run did not declare");
      for (const line of lines) expect(text).toContain(line);
      expect(text.match(/, begun /g)).toHaveLength(lines.length);
    }
    expect(await counts()).toMatchObject({ pods: 1, endpoints: 2, templates: 2, networkVolumes: 0 });
    await service.forgetCalls();
  });

  test("is removed by a command, where it is certain, also when the stack is gone", async () => {
    const strange = await service.create("/v2/templates", { name: "other-0a1b2c3", image });
    const listed = await orphans(stack);
    expect(listed).toMatchObject({ exitCode: 1, stderr: "" });
    for (const line of lines) expect(listed.stdout).toContain(line);
    expect(listed.stdout).toMatch(
      new RegExp(`with a name generated by this package[^]*Template ${strange} "other-0a1b2c3"`),
    );
    expect(await orphans(stack, "--delete")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Add --yes"),
    });
    expect(await orphans(stack, "--delete", "--yes", "nothing")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("nothing is not in this list"),
    });
    expect(await counts()).toMatchObject({ pods: 1, endpoints: 2, templates: 3 });

    await stack.pulumi(["stack", "rm", "dev", "--yes"]);
    const removed = await orphans(stack, "--delete", "--yes", "--json");
    expect(removed.exitCode).toBe(1);
    expect(JSON.parse(removed.stdout)).toMatchObject({ failed: [], named: [{ id: strange }] });
    expect(JSON.parse(removed.stdout).deleted).toHaveLength(lines.length);
    expect(await counts()).toMatchObject({ pods: 0, endpoints: 0, templates: 1 });
    expect(await orphans(stack, "--delete", "--yes", strange)).toMatchObject({ exitCode: 0 });
    expect(await orphans(stack)).toEqual({ exitCode: 0, stdout: "No orphans\n", stderr: "" });
    expect(await service.isEmpty()).toBe(true);
  });
});
