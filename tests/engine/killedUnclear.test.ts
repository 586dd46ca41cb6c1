// @long: four more kills; tests/lifecycle/killed.test.ts and names.test.ts hold what is taken for whose.
/* What a killed run has made and the next one can't be sure of: nothing exists twice, and each way out is followed. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Resources } from "../harness/program";
import { newScenario, type Scenario, said } from "../harness/scenario";
import { until } from "../harness/until";
import { killWhen, orphans } from "./killing";

const image = "example.com/a:1";

describe("what a killed run has made, beside another of its name", () => {
  const volume = { size: 10, dataCenter: "EU-RO-1" };
  const initial: Resources = { kept: { kind: "Template", args: { image } } };
  const data = (args: object): Resources => ({
    ...initial,
    data: { kind: "NetworkVolume", args: { ...volume, ...args } },
  });
  let scenario: Scenario;
  let mine: string | undefined;
  let theirs: string;
  const ids = async () => (await scenario.service.state()).networkVolumes.map(({ id }) => id);

  beforeEach(async () => {
    scenario = await newScenario({ resources: initial });
    const { declare, service, stack } = scenario;
    await stack.up();
    await declare(data({ name: "data" }));
    await service.fault({ match: { operation: "createNetworkVolume" }, act: { delayMs: 1_500 } });
    await killWhen(stack, async () => (await service.calls()).includes("createNetworkVolume"));
    await until(async () => (await ids()).length === 1);
    await service.clearFaults();
    [mine] = await ids();
    theirs = await service.create("/v2/network-volumes", { ...volume, name: "data" });
  });
  afterEach(() => scenario[Symbol.asyncDispose]());

  test("is adopted by its id", async () => {
    const { declare, stack } = scenario;
    const refused = said(await stack.up({ fails: true }));
    expect(refused).toContain(`it is not certain that ${mine} or ${theirs} is what it made`);
    expect(refused).toMatch(/If one of them is this resource, set adoptId, such as .*; if not, choose another name/);
    await declare(data({ name: "data", adoptId: mine }));
    await stack.up();
    expect((await stack.preview()).changes).toEqual({ same: 2 });
    await stack.destroy();
    expect(await ids()).toEqual([theirs]);
  });

  test("is not mistaken for the other, once it was deleted by hand: another name leaves that alone", async () => {
    const { declare, service, stack } = scenario;
    expect(said(await stack.refresh())).toContain(`perhaps ${mine} or ${theirs}`);
    await service.rest("DELETE", `/v2/network-volumes/${mine}`);
    expect(said(await stack.up({ fails: true }))).toContain(`it is not certain that ${theirs} is what it made`);
    await orphans(stack, "--delete", "--yes");
    expect(await ids()).toEqual([theirs]);
    await declare(data({ name: "other" }));
    await stack.up();
    expect((await stack.preview()).changes).toEqual({ same: 2 });
    await stack.destroy();
    expect(await ids()).toEqual([theirs]);
  });
});

describe("the new side of a replacement, whose run was killed on another machine", () => {
  const volume = (dataCenter: string): Resources => ({
    data: { kind: "NetworkVolume", args: { size: 10, dataCenter } },
  });
  const env = { COMPUTECLOUD_EXISTING: "" };
  let scenario: Scenario;
  let createdId: string;
  const ids = async () => (await scenario.service.state()).networkVolumes.map(({ id }) => id);

  beforeEach(async () => {
    scenario = await newScenario({ resources: volume("EU-RO-1") });
    const { declare, service, stack } = scenario;
    await stack.up();
    const [before] = await ids();
    await declare(volume("US-KS-2"));
    await service.forgetCalls();
    await service.fault({ match: { operation: "createNetworkVolume" }, act: { delayMs: 1_500 } });
    await killWhen(stack, async () => (await service.calls()).includes("createNetworkVolume"));
    await until(async () => (await ids()).length === 2);
    await service.clearFaults();
    createdId = (await ids()).find((id) => id !== before) ?? "";
    await rm(join(String(stack.env.PULUMI_HOME), "computecloud"), { recursive: true });
    const refused = said(await stack.up({ env, fails: true }));
    expect(refused).toMatch(`${createdId} has the generated name of this resource`);
    expect(refused).toContain(`\`npx pulumi-computecloud orphans --delete ${createdId}\``);
  });
  afterEach(() => scenario[Symbol.asyncDispose]());

  test("takes the place of the old one where computecloud:existing adopts", async () => {
    const { stack } = scenario;
    await stack.setConfig("computecloud:existing", "adopt");
    await stack.up({ env });
    expect(await ids()).toEqual([createdId]);
    await stack.pulumi(["config", "rm", "computecloud:existing"]);
    expect((await stack.preview({ env })).changes).toEqual({ same: 1 });
  });

  test("is deleted by the command that the message names, where the change is taken back", async () => {
    const { declare, stack } = scenario;
    await declare(volume("EU-RO-1"));
    expect((await orphans(stack, "--delete", "--yes", createdId)).exitCode).toBe(0);
    expect((await stack.up({ env })).changes).toEqual({ same: 1 });
    expect(await ids()).toHaveLength(1);
  });
});
