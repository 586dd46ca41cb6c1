/* A service that shows late what was created, changed and deleted: nothing is lost, made twice or called deleted. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { kinds } from "../../provider/engine/kinds";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { contextOf, createResource, withMessages } from "../harness/context";
import { operationsOf } from "../harness/examples";
import { folderForEach } from "../harness/folder";
import { placeForAll } from "../harness/place";

const IMAGE = "example.com/image:1";
const SEED = "0123456789abcdef";
const gpu = { id: "NVIDIA L4" };
const compute = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
const scaling = { type: "QUEUE_DELAY", queueDelay: 4 };
const queue = { type: "QUEUE", image: IMAGE, gpu: { pools: ["AMPERE_24"] }, scaling };

/** A kind's arguments, and a change of them. */
const rows: Readonly<Record<string, readonly [args: object, change: object]>> = {
  networkVolume: [{ size: 10, dataCenter: "EU-RO-1" }, { size: 20 }],
  globalVolume: [{}, { name: "renamed" }],
  template: [{ image: IMAGE, serverless: true }, { image: "example.com/image:2" }],
  registry: [{ username: "ci", password: "hunter2" }, { password: "hunter3" }],
  secret: [{ name: "TOKEN", value: "one" }, { value: "two" }],
  ecrDelegation: [{ resource: "arn:aws:ecr:us-east-2:418399314813:repository/team/models" }, {}],
  tag: [{ key: "team", value: "a" }, { value: "b" }],
  costCenter: [{ value: "research" }, { value: "lab" }],
  pod: [{ image: IMAGE, gpu, awaitRunning: false }, { env: { A: "1" } }],
  cluster: [{ type: "TRAINING", image: IMAGE, compute, awaitRunning: false }, { name: "renamed" }],
  serverlessContainer: [queue, { timeout: 60_000 }],
  serverlessEndpoint: [{ templateId: "$template", gpuIds: "AMPERE_24" }, { idleTimeout: 20 }],
  serverlessFleet: [{ endpoints: { a: { image: IMAGE, gpuIds: "AMPERE_24" } } }, {}],
};
const COLLECTIONS: Readonly<Record<string, string>> = {
  ecrDelegation: "delegations",
  registry: "registries",
  serverlessContainer: "endpoints",
  serverlessEndpoint: "endpoints",
  serverlessFleet: "endpoints",
};

const place = placeForAll();
const clock = place.sharedClock();
const folder = folderForEach();
afterEach(async () => {
  await place.service.settings({ readLagMs: 0, listLagMs: 0 });
  await clock.sleep(120_000);
  await place.reset();
});

/** A process of a new run, and what it says. */
function newRun(kind: string, held: () => boolean = () => true) {
  const { context: telling, said } = withMessages(contextOf(place.emulator, { clock }, folder.path), ["info", "warn"]);
  const log = { ...telling.log, atEnd: () => {} };
  const context: Context = { ...telling, log, holderOf: async () => ({ by: held() ? "this stack" : "no stack" }) };
  return { run: operationsOf(kind, async () => context), said };
}

const there = async (kind: string) =>
  ((await place.state())[COLLECTIONS[kind] ?? `${kind}s`] ?? []).map(({ id }) => id);

async function argumentsOf(kind: string): Promise<Properties> {
  const [args] = rows[kind] ?? [{}];
  const named = ["costCenter", "ecrDelegation", "secret", "tag"].includes(kind) ? {} : { __logicalName: kind };
  const text = JSON.stringify({ ...named, __seed: SEED, ...args });
  if (!text.includes("$template")) return JSON.parse(text);
  const template = await place.service.create("/v2/templates", { name: "t", image: IMAGE, serverless: true });
  return JSON.parse(text.replace("$template", template));
}

const everyKind = Object.keys(rows);
const lags = [2_500, 8_000, 10_000];

test("every kind that has a list is tried", () => {
  // A fleet is its members, and the account has only one list of keys.
  const isListed = (kind: string) => kind === "serverlessFleet" || "list" in newRun(kind).run.definition;
  const listed = Object.keys(kinds).filter((kind) => kind !== "sshKeys" && isListed(kind));
  expect([...everyKind].sort()).toEqual(listed.sort());
});

describe.each(everyKind)("a %s that the service shows late", (kind) => {
  // finds mutants new-is-gone, update-undone-by-a-refresh
  test.each(lags)("by %i ms stays in the state, is changed, deleted and created again", async (lagMs) => {
    const args = await argumentsOf(kind);
    const [, change = {}] = rows[kind] ?? [];
    await clock.sleep(60_000);
    await place.service.settings({ readLagMs: lagMs, listLagMs: lagMs });

    const first = newRun(kind);
    const { inputs, ...created } = await createResource(first.run, args);
    const [id] = await there(kind);

    const refresh = newRun(kind);
    const read = await refresh.run.read(created.id, created.state);
    expect(read?.state).toEqual(created.state);
    expect(refresh.said.join()).toMatch(/is new, and the service does not show it yet: it stays in the state/);

    const up = newRun(kind);
    const next = await up.run.check(inputs, { ...args, ...change });
    const { changes } = await up.run.diff(created.id, read?.state ?? {}, next.inputs);
    await clock.sleep(lagMs);
    expect(changes).toBe(Object.keys(change).length > 0);
    const state = changes ? await up.run.update(created.id, created.state, next.inputs) : created.state;
    expect(await there(kind)).toEqual([id]);
    // The service shows what was created, and not what was changed.
    await clock.sleep(lagMs / 2);
    const refreshed = await newRun(kind).run.read(created.id, state);
    expect(refreshed?.state).toEqual(state);
    expect((await newRun(kind).run.diff(created.id, refreshed?.state ?? {}, next.inputs)).changes).toBe(false);

    await newRun(kind).run.delete(created.id, state);
    expect(await there(kind)).toEqual([]);

    const again = newRun(kind, () => false);
    await createResource(again.run, args);
    expect(await there(kind)).toHaveLength(1);
    expect(again.said.join()).not.toMatch(/interrupted|adopt/);
  });
});

describe("a create that waits", () => {
  const waiting: [string, string, object, object][] = [
    ["for a pod to run", "pod", { image: IMAGE, gpu }, { status: "RUNNING" }],
    ["for a pod to stop", "pod", { image: IMAGE, gpu, desiredStatus: "EXITED" }, { status: "EXITED" }],
    ["for a pod to be locked", "pod", { image: IMAGE, gpu, locked: true }, { locked: true }],
    ["for a cluster", "cluster", { type: "TRAINING", image: IMAGE, compute }, { name: "x" }],
    ["for workers", "serverlessContainer", { ...queue, workers: { min: 1 }, awaitWorkers: true }, { name: "x" }],
  ];
  test.each(waiting)("%s goes on while the service does not show it", async (_, kind, args, expected) => {
    for (const lagMs of lags) {
      await clock.sleep(120_000);
      await place.reset();
      await place.service.settings({ readLagMs: lagMs, listLagMs: lagMs });
      const { run } = newRun(kind);
      await createResource(run, { name: "x", ...args });
      expect((await place.state())[`${kind === "serverlessContainer" ? "endpoint" : kind}s`]).toEqual([
        expect.objectContaining(expected),
      ]);
    }
  });

  test("goes on where not even writes find it, as after a create in another region", async () => {
    await place.fault({ method: "POST", path: "/v2/pods" }, { staleMs: 8_000 });
    const { run } = newRun("pod");
    await createResource(run, { name: "x", image: IMAGE, gpu, locked: true });
    expect((await place.state()).pods).toEqual([expect.objectContaining({ locked: true })]);
  });
});

describe("a delete right after a create", () => {
  // finds mutant new-is-not-deleted
  test("looks again where not even the delete finds it, and deletes it", async () => {
    await place.fault({ method: "POST", path: "/v2/network-volumes" }, { staleMs: 45_000 });
    const { run } = newRun("networkVolume");
    const { id, state } = await createResource(run, { name: "x", size: 10, dataCenter: "EU-RO-1" });
    const { run: destroy, said } = newRun("networkVolume");
    await destroy.delete(id, state);
    expect(await there("networkVolume")).toEqual([]);
    expect(said).toEqual([]);
  });

  // finds mutant deleted-is-new
  test("is done at once where a killed run had deleted it, and a refresh says that it is gone", async () => {
    const { run } = newRun("pod");
    const { id, state } = await createResource(run, { name: "x", image: IMAGE, gpu });
    await clock.sleep(60_000);
    await newRun("pod").run.delete(id, state);
    const began = clock.now();
    for (const next of [newRun("pod"), newRun("pod")]) {
      expect(await next.run.read(id, state)).toBeUndefined();
      await next.run.delete(id, state);
      expect(next.said.join()).toContain("was not found and is removed from the state");
    }
    expect(clock.now() - began).toBeLessThan(5_000);
  });

  test("ends where something else has deleted it, once it is too old to be shown late", async () => {
    const { run } = newRun("pod");
    const { id, state } = await createResource(run, { name: "x", image: IMAGE, gpu });
    await place.service.rest("DELETE", `/v2/pods/${id}`);
    const began = clock.now();
    const { run: destroy, said } = newRun("pod");
    await destroy.delete(id, state);
    expect(said.join()).toContain("was not found and is removed from the state");
    expect(clock.now() - began).toBeGreaterThan(80_000);
    expect(clock.now() - began).toBeLessThan(100_000);
  });
});

test("a list that shows for long what another machine has deleted is no lost state, as a read by its id says", async () => {
  const id = await place.service.create("/v2/network-volumes", { name: "x", size: 10, dataCenter: "EU-RO-1" });
  const args = { name: "x", size: 10, dataCenter: "EU-RO-1", __seed: SEED, __logicalName: "x" };
  const { inputs } = await newRun("networkVolume").run.check({}, { ...args, name: undefined });
  await place.service.rest("PATCH", `/v2/network-volumes/${id}`, { name: inputs.name });
  await place.service.settings({ listLagMs: 10_000 });
  await clock.sleep(10_000);
  await place.service.rest("DELETE", `/v2/network-volumes/${id}`);
  const { failures } = await newRun("networkVolume", () => false).run.check({}, { ...args, name: undefined });
  expect(failures).toEqual([]);
});
