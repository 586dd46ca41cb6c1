// @long: a life of its own: catalog checks.

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { newScenario, type Resources, type Scenario, said } from "../harness/scenario";

const pod = (args: object): Resources[string] => ({
  kind: "Pod",
  args: { image: "example.com/train:1", gpu: { id: "NVIDIA L4" }, ...args },
});
const CATALOG = /^list(GpuTypes|CpuTypes|DataCenters)$/;

let scenario: Scenario;
beforeAll(async () => {
  scenario = await newScenario({ resources: {} });
});
afterAll(() => scenario[Symbol.asyncDispose]());

const catalogCalls = async () => (await scenario.service.calls()).filter((call) => CATALOG.test(call));

describe("a preview against the catalog", () => {
  test("finds a name that the catalog does not know, with the nearest right one", async () => {
    const { service, stack, declare } = scenario;
    await declare({ typo: pod({ gpu: { id: "NVIDIA A100 80GB PCle" } }) });
    expect(said(await stack.preview({ fails: true }))).toContain('did you mean "NVIDIA A100 80GB PCIe"?');
    expect(await service.isEmpty()).toBe(true);
  });

  test("asks for two lists at most, however many resources are new", async () => {
    const { service, stack, declare } = scenario;
    await service.forgetCalls();
    const names = ["one", "two", "three", "four", "five"];
    await declare({
      ...Object.fromEntries(names.map((name) => [name, pod({ dataCenterIds: ["US-KS-2"] })])),
      router: { kind: "Pod", args: { image: "example.com/route:1", cpu: { id: "cpu3c", vcpuCount: 2 } } },
    });
    expect((await stack.preview()).changes).toEqual({ create: 6 });
    expect(await catalogCalls()).toHaveLength(2);
  });

  test("finds a volume that is not there, and one where its user may not run, with one look-up", async () => {
    const { service, stack, declare } = scenario;
    const body = { name: "theirs", size: 10, dataCenter: "EU-RO-1" };
    const { id } = (await service.rest("POST", "/v2/network-volumes", body)) as { id: string };
    await declare({
      lost: pod({ dataCenterIds: ["EU-RO-1"], mounts: { network: [{ volumeId: `${id}x`, path: "/m" }] } }),
    });
    expect(said(await stack.preview({ fails: true }))).toContain(
      `mounts.network.0.volumeId: there is no network volume "${id}x" in this account; did you mean "${id}"?`,
    );
    await declare({
      away: pod({ dataCenterIds: ["US-KS-2"], mounts: { network: [{ volumeId: id, path: "/m" }] } }),
    });
    expect(said(await stack.preview({ fails: true }))).toContain(
      `network volume "${id}" is in EU-RO-1, which dataCenterIds does not include`,
    );
    await service.forgetCalls();
    const there = pod({ dataCenterIds: ["EU-RO-1"], mounts: { network: [{ volumeId: id, path: "/m" }] } });
    await declare({ one: there, two: there });
    await stack.preview();
    expect((await service.calls()).filter((call) => call === "listNetworkVolumes")).toHaveLength(1);
    await service.removed(`/v2/network-volumes/${id}`);
  });

  test.each([
    ["dynamic", {}],
    ["native", { provider: "$cloud" }],
  ])("finds what does not fit among the resources that one program makes, %s ones", async (_, options) => {
    const { service, stack, declare } = scenario;
    const program = (serverless: object, locations: string): Resources => ({
      cloud: { kind: "Provider", args: {} },
      chat: { kind: "Template", args: { image: "example.com/chat:1", ...serverless }, options },
      models: { kind: "NetworkVolume", args: { size: 10, dataCenter: "EU-RO-1" }, options },
      queue: {
        kind: "ServerlessEndpoint",
        args: { template: "$chat", gpuIds: "AMPERE_16", networkVolumeId: "$models.id", locations, workersMax: 1 },
        options,
      },
    });
    await declare(program({}, "US-KS-2"));
    const failed = said(await stack.preview({ fails: true }));
    expect(failed).toContain("templateId: its template is for pods. Give the template serverless: true");
    expect(failed).toContain("networkVolumeId: its network volume is in EU-RO-1, which locations does not include");
    await declare(program({ serverless: true }, "US-KS-2,EU-RO-1"));
    const plan = join(stack.folder, "plan.json");
    expect((await stack.preview({ args: ["--save-plan", plan] })).changes).toEqual({ create: 3 });
    await stack.up({ args: ["--plan", plan] });
    expect(await stack.stateText()).not.toContain("__referenced");
    await service.forgetCalls();
    expect((await stack.preview()).changes).toEqual({ same: 3 });
    expect(await service.log()).toEqual([]);
    await stack.destroy();
  });

  test("asks nothing for what is unchanged", async () => {
    const { service, stack, declare } = scenario;
    await declare({ kept: pod({ awaitRunning: false }) });
    await stack.up();
    await service.forgetCalls();
    await stack.preview();
    expect(await service.log()).toEqual([]);
    await declare({ kept: pod({ awaitRunning: false, env: { MODE: "b" } }) });
    await stack.preview();
    expect(await service.calls()).toEqual(["getAccount"]);
  });

  test("only warns, once, when the catalog can't be read", async () => {
    const { service, stack, declare } = scenario;
    await service.fault({ match: { path: "/v2/catalog/*", times: 1_000 }, act: { status: 404 } });
    await declare({ kept: pod({ awaitRunning: false }), one: pod({ gpu: { id: "NVIDIA L5" } }), two: pod({}) });
    const { diagnostics } = await stack.preview();
    const warnings = diagnostics.filter(({ severity }) => severity === "warning");
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("a list could not be read")]);
    await service.clearFaults();
  });

  test("is switched off by computecloud:catalogChecks", async () => {
    const { service, stack, declare } = scenario;
    await stack.setConfig("computecloud:catalogChecks", "false");
    await declare({ kept: pod({ awaitRunning: false }), one: pod({ gpu: { id: "NVIDIA L5" } }) });
    await service.forgetCalls();
    expect((await stack.preview()).changes).toEqual({ same: 1, create: 1 });
    expect(await catalogCalls()).toEqual([]);
    await stack.destroy();
  });
});
