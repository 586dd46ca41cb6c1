// @long: the way out of each message.
/*
 * A message that names a way out is a promise. Each test meets the message, does what it says to the letter, and looks: it
 * works, nothing that stood before is lost, and the next preview has nothing to do. Others are followed in takingOver
 * (names and adoption), account (keys of other accounts), killed (notes of killed runs) and sshKeys.
 */
import { afterEach, describe, expect, test } from "@jest/globals";
import { hurried } from "../../tools/run/stack";
import type { Resources } from "../harness/program";
import { said, scenarioForAll } from "../harness/scenario";

const VOLUME = { size: 20, dataCenter: "EU-RO-1" };
const SERVERLESS = { image: "emulator/delay:1", serverless: true };

const one = (kind: string, args: object, options: object = {}): Resources => ({ it: { kind, args, options } });

const { stack, service, declare, up } = scenarioForAll({ resources: {} });
afterEach(async () => {
  await stack.destroy({ env: hurried(30) });
});

/** The update of this program fails. */
async function upError(resources: Resources): Promise<string> {
  await declare(resources);
  return said(await stack.up({ fails: true, env: hurried(30) }));
}

/** The preview of this program fails. */
async function previewError(resources: Resources): Promise<string> {
  await declare(resources);
  return said(await stack.preview({ fails: true }));
}

async function expectUnchanged(resources: Resources): Promise<void> {
  await declare(resources);
  expect((await stack.preview()).changes).toEqual({ same: Object.keys(resources).length });
}

const idOf = async (name = "it") => (await stack.resource(name)).id ?? "";
const state = () => service.state();

describe("a volume", () => {
  test("that can't shrink: keep the size, or declare a new one", async () => {
    const before = one("NetworkVolume", VOLUME);
    await up(before);
    const id = await idOf();
    expect(await previewError(one("NetworkVolume", { ...VOLUME, size: 10 }))).toContain(
      "Keep the size, or declare a new NetworkVolume and copy the data over.",
    );
    await expectUnchanged(before);
    await up({ ...before, smaller: { kind: "NetworkVolume", args: { ...VOLUME, size: 10 } } });
    expect((await state()).networkVolumes.map((volume) => volume.id)).toContain(id);
    expect((await state()).networkVolumes).toHaveLength(2);
  });

  test("that a replacement would delete: set an option that keeps it, and run pulumi up before the change", async () => {
    const elsewhere = { ...VOLUME, dataCenter: "US-KS-2" };
    const ids = async () => (await state()).networkVolumes.map(({ id }) => id);
    await up(one("NetworkVolume", VOLUME));
    await declare(one("NetworkVolume", elsewhere, { retainOnDelete: true }));
    expect(said(await stack.preview())).toContain(
      "which deletes its data. To keep that, set `protect: true` or `retainOnDelete: true` and run `pulumi up` before this change",
    );
    const lost = await idOf();
    await stack.up();
    expect(await ids()).not.toContain(lost);

    const [before] = await ids();
    await up(one("NetworkVolume", VOLUME, { retainOnDelete: true }));
    expect(await ids()).toEqual([before, await idOf()]);
    await up(one("NetworkVolume", VOLUME, { protect: true }));
    expect(await previewError(one("NetworkVolume", elsewhere, { protect: true }))).toContain("protect");
    await up(one("NetworkVolume", VOLUME));
    await service.removed(`/v2/network-volumes/${before}`);
  });

  test("that another stack's endpoint uses: keep it with retainOnDelete, or delete what uses it", async () => {
    const volume = one("NetworkVolume", VOLUME);
    await up(volume);
    const id = await idOf();
    const body = {
      ...{ name: "theirs", type: "QUEUE", image: "i:1", gpu: { pools: ["ADA_24"] } },
      ...{ scaling: { type: "QUEUE_DELAY", queueDelay: 4 }, networkVolumes: [id], workers: { min: 0, max: 1 } },
    };
    const theirs = await service.create("/v2/serverless", body);
    expect(await upError({})).toMatch(
      /is used by .*theirs.*Delete what uses it, or keep it: set retainOnDelete and run `pulumi up` before it leaves the program/,
    );
    await up(one("NetworkVolume", VOLUME, { retainOnDelete: true }));
    await up({});
    expect((await state()).networkVolumes).toEqual([expect.objectContaining({ id })]);

    await up(one("NetworkVolume", { ...VOLUME, adoptId: id }));
    expect(said(await stack.destroy({ fails: true }))).toContain("or after a destroy run `pulumi state delete`");
    await stack.pulumi(["state", "delete", (await stack.resource("it")).urn, "--yes", "--stack", stack.name]);
    await stack.destroy();
    expect((await state()).networkVolumes).toEqual([expect.objectContaining({ id })]);

    await up(one("NetworkVolume", { ...VOLUME, adoptId: id }));
    expect(await upError({})).toContain("Delete what uses it");
    await service.rest("PATCH", `/v2/serverless/${theirs}`, { workers: { min: 0, max: 0 } });
    await service.removed(`/v2/serverless/${theirs}`);
    await up({});
    expect((await state()).networkVolumes).toEqual([]);
  });

  test("that an adoption can't change: declare the value as it is", async () => {
    const id = await service.create("/v2/network-volumes", { name: "old", ...VOLUME });
    const adopting = { name: "old", adoptId: id };
    expect(await previewError(one("NetworkVolume", { ...VOLUME, ...adopting, dataCenter: "US-KS-2" }))).toMatch(
      /can't be brought to these arguments in place: dataCenter.*EU-RO-1.*Declare these values as they are/s,
    );
    const asItIs = one("NetworkVolume", { ...VOLUME, ...adopting });
    await up(asItIs);
    await expectUnchanged(asItIs);
    expect((await state()).networkVolumes).toEqual([expect.objectContaining({ id })]);
  });

  test("whose adoptId names another: declare a second one for it, or forget the first", async () => {
    await up(one("NetworkVolume", VOLUME));
    const first = await idOf();
    const other = await service.create("/v2/network-volumes", { name: "other", ...VOLUME });
    const taking = { ...VOLUME, name: "other", adoptId: other };
    expect(await previewError(one("NetworkVolume", taking))).toContain(
      "Declare a resource of another name for it, or forget this one first with `pulumi state delete`.",
    );
    const both = { ...one("NetworkVolume", VOLUME), second: { kind: "NetworkVolume", args: taking } };
    await up(both);
    await expectUnchanged(both);
    const ids = async () => (await state()).networkVolumes.map(({ id }) => id).sort();
    expect(await ids()).toEqual([first, other].sort());

    await stack.pulumi(["state", "delete", (await stack.resource("it")).urn, "--yes"]);
    await stack.pulumi(["state", "delete", (await stack.resource("second")).urn, "--yes"]);
    await up(one("NetworkVolume", taking));
    expect(await ids()).toEqual([first, other].sort());
    await service.removed(`/v2/network-volumes/${first}`);
  });
});

test("a cost center that can't be renamed: take the value back, or replace it by its URN, and its resources move", async () => {
  await service.settings({ changesCostCenters: false });
  const program = (value: string): Resources => ({
    ...one("NetworkVolume", VOLUME),
    center: { kind: "CostCenter", args: { value, resources: [{ type: "NETWORK_VOLUME", id: "$it.id" }] } },
  });
  await up(program("research"));
  const volume = await idOf();
  expect(await upError(program("training"))).toContain(
    "Take the old value back, or make another cost center in its place, to which its resources move: `pulumi up --replace` with its URN.",
  );
  await expectUnchanged(program("research"));
  await up(program("training"), ["--replace", (await stack.resource("center")).urn]);
  const { costCenters } = await state();
  expect(costCenters.find(({ value }) => value === "training")?.resources).toEqual([
    { type: "NETWORK_VOLUME", id: volume },
  ]);
  expect(costCenters.find(({ value }) => value === "research")?.resources).toEqual([]);
  await expectUnchanged(program("training"));
  await service.settings({ changesCostCenters: true });
});

test("a locked pod: locked: false, pulumi up, then delete it", async () => {
  const pod = { image: "i:1", gpu: { id: "NVIDIA L4" } };
  await up(one("Pod", { ...pod, locked: true }));
  const message = await upError({});
  expect(message).toContain("Set locked: false, run `pulumi up`, then delete it.");
  expect((await state()).pods).toHaveLength(1);
  await up(one("Pod", { ...pod, locked: false }));
  await up({});
  expect((await state()).pods).toEqual([]);
});

test("a member of a cluster that is adopted as a pod: adopt the cluster instead", async () => {
  const compute = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
  const cluster = { name: "train", type: "RAY", compute, image: "i:1" };
  const id = await service.create("/v2/clusters", cluster);
  const [member] = (await state()).pods;
  const pod = { image: "i:1", gpu: { id: "NVIDIA L4" }, adoptId: member?.id };
  const [, named = ""] = /adopt the Cluster "([^"]+)" instead/.exec(await previewError(one("Pod", pod))) ?? [];
  expect(named).toBe(id);
  const adopted = one("Cluster", { ...cluster, adoptId: named });
  await up(adopted);
  await expectUnchanged(adopted);
  expect((await state()).pods).toHaveLength(2);
});

describe("an endpoint", () => {
  const endpoint = (args: object = {}): Resources => ({
    template: { kind: "Template", args: { ...SERVERLESS, env: { EMULATOR_DELAY_MS: "3600000" } } },
    it: { kind: "ServerlessEndpoint", args: { templateId: "$template.id", gpuIds: "ADA_24", workersMax: 2, ...args } },
  });

  test("that was deleted elsewhere: pulumi refresh, then pulumi up", async () => {
    await up(endpoint());
    await service.removed(`/v2/serverless/${await idOf()}`);
    expect(await upError(endpoint({ workersMax: 3 }))).toMatch(
      /Run `pulumi refresh`, then `pulumi up` (to create it )?again/,
    );
    await stack.refresh();
    await stack.up();
    await expectUnchanged(endpoint({ workersMax: 3 }));
    expect((await state()).endpoints).toEqual([
      expect.objectContaining({ workers: expect.objectContaining({ max: 3 }) }),
    ]);
  });

  test("whose workers have not stopped: keep it with pulumi up --refresh, or wait and run the same command again", async () => {
    await up(endpoint());
    const id = await idOf();
    await service.queue("POST", `${id}/run`, { input: {} });
    const message = said(await stack.destroy({ fails: true, env: hurried(30) }));
    expect(message).toMatch(
      /or wait, then run the same command again. To keep it instead, declare it with its workersMax and run `pulumi up --refresh`/,
    );
    await up(endpoint(), ["--refresh"]);
    expect((await state()).endpoints).toEqual([
      expect.objectContaining({ id, workers: expect.objectContaining({ max: 2 }) }),
    ]);
    await expectUnchanged(endpoint());

    await service.advance(2 * 3_600_000);
    await stack.destroy({ env: hurried(30) });
    expect((await state()).endpoints).toEqual([]);
  });
});

test("a protected fleet's member: take the change back, release it, or protectMembers: false", async () => {
  const member = { image: "i:1", gpuIds: "ADA_24" };
  const fleet = (endpoints: object, more: object = {}): Resources =>
    one("ServerlessFleet", { endpoints, ...more }, { protect: true });
  await up(fleet({ chat: member, code: member, old: member }));
  const ids = async () => (await state()).endpoints.map(({ id }) => id).sort();
  const before = await ids();
  const message = await previewError(fleet({ chat: member }));
  expect(message).toContain("Take the change back. Or allow it with protectMembers: false");
  expect(message).toContain("To keep a member running without the fleet, name it in released.");
  await expectUnchanged(fleet({ chat: member, code: member, old: member }));
  await up(fleet({ chat: member, old: member }, { released: ["code"] }));
  expect(await ids()).toEqual(before);
  await up(fleet({ chat: member }, { released: ["code"], protectMembers: false }));
  expect(await ids()).toHaveLength(2);
  const [code] = (await state()).endpoints.filter(({ name = "" }) => name.includes("code"));
  await up(one("ServerlessFleet", { endpoints: { chat: member } }));
  await service.removed(`/v2/serverless/${code?.id}`);
});

test("a pod that is not there in time: pulumi up keeps waiting, and pulumi destroy removes it", async () => {
  await service.settings({ podBootMs: 3_600_000 });
  const pod = one("Pod", { image: "i:1", gpu: { id: "NVIDIA L4" }, createTimeout: "1s" });
  expect(await upError(pod)).toContain("`pulumi up` keeps waiting, `pulumi destroy` removes it.");
  const [first] = (await state()).pods;
  await service.advance(3_600_000);
  await stack.up();
  await expectUnchanged(pod);
  expect((await state()).pods.map(({ id }) => id)).toEqual([first?.id]);
  await service.settings({ podBootMs: 0 });
});
