/* Where pods and clusters are placed; for which nothing is free: what waits, what says so first, and what is not given up for it. */
import { afterEach, expect, jest, test } from "@jest/globals";
import { BadRequestError, PermissionError, ServiceError } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { candidates, createWithFirst } from "../../provider/resources/pods/candidates";
import { cluster } from "../../provider/resources/pods/cluster";
import { pod } from "../../provider/resources/pods/pod";
import { contextOf, NOWHERE, withMessages } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { impatient, placeForAll } from "../harness/place";
import { errorOf } from "../harness/until";

const SEED = "0123456789abcdef";
const POD = { name: "train", image: "example.com/train:1", gpu: { id: "NVIDIA L4" } };
const compute = { gpuTypeId: "NVIDIA L4", gpuCountPerPod: 1, podCount: 2 };
const CLUSTER = { name: "train", type: "TRAINING", image: "example.com/train:1", compute };

const place = placeForAll();
const folder = folderForEach();
const clock = place.sharedClock();
afterEach(async () => {
  await place.service.settings({ catalog: {} });
  await place.reset();
});

/** The capacity that comes back after so many attempts to place something. */
const noneFor = (times: number) =>
  place.service.fault({ match: { times }, act: { capacity: { gpuTypeId: "NVIDIA L4" } } });

type Kind = typeof pod | typeof cluster;
function newRun(definition: Kind = pod, more: Partial<Context> = {}) {
  const real = contextOf(place.emulator, { clock }, folder.path);
  const { context: telling, said } = withMessages(real, ["info", "warn"]);
  const { context: showing, said: statuses } = withMessages(telling, ["status"]);
  const context: Context = { ...showing, ...more };
  const run = new Lifecycle(definition, async () => context);
  const checked = async (args: object, old: Properties = {}) => (await run.check(old, { ...args })).inputs;
  return { run, said, statuses, ledger: context.ledger, checked };
}

test("waitForCapacity creates a pod once a GPU is free, and not before or twice", async () => {
  await noneFor(60);
  const { run, statuses, ledger, checked } = newRun();
  const began = clock.now();
  await run.create(await checked({ ...POD, __seed: SEED, dataCenterIds: ["OC-AU-1"], waitForCapacity: "2h" }));
  expect((await place.state()).pods).toHaveLength(1);
  expect(clock.now() - began).toBeGreaterThan(60_000);
  expect(statuses.join()).toMatch(/waits for capacity for up to 1\d\d min more: NVIDIA L4 in OC-AU-1: .*instances/);
  // The note of the create is as old as its last attempt, so a killed run's successor looks for it.
  expect(Number(ledger.creates.at(SEED)?.begun) - began).toBeGreaterThan(60_000);
});

test("waitForCapacity creates a cluster, too", async () => {
  await noneFor(5);
  const { run, checked } = newRun(cluster);
  await run.create(await checked({ ...CLUSTER, dataCenterIds: ["OC-AU-1"], waitForCapacity: "1h" }));
  expect((await place.state()).clusters).toHaveLength(1);
});

test("waitForCapacity ends at once when the run is cancelled, and leaves neither a pod nor a note", async () => {
  await noneFor(1_000);
  const cancelled = new AbortController();
  const real = contextOf(place.emulator, {}, folder.path);
  const log = { ...real.log, status: (_: string, text: string) => text.startsWith("waits") && cancelled.abort() };
  const { run, ledger, checked } = newRun(pod, { ...real, log, signal: cancelled.signal });
  const error = await errorOf(run.create(await checked({ ...POD, __seed: SEED, waitForCapacity: "2h" })));
  expect(String(error)).toContain("the wait for capacity was cancelled. Nothing was created.");
  expect((await place.state()).pods).toEqual([]);
  expect(ledger.creates.at(SEED)).toBeUndefined();
});

test("waitForCapacity does not wait where the service refuses something else, though much is free", async () => {
  const { run, checked } = newRun();
  const inputs = await checked({ ...POD, registry: "none-such", waitForCapacity: "2h" });
  const began = clock.now();
  await expect(run.create(inputs)).rejects.toThrow(/much free hardware.*registry credential 'none-such' not found/);
  expect(clock.now() - began).toBeLessThan(120_000);
});

const newVolume = (): Promise<string> =>
  place.service.create("/v2/network-volumes", { name: "v", size: 10, dataCenter: "EU-RO-1" });

/** A running pod or cluster in EU-RO-1, and what a diff to these arguments says. */
async function replacing(change: object, stock: readonly string[], old: object = {}, definition: Kind = pod) {
  const volumeId = await newVolume();
  const args = { ...(definition === pod ? POD : CLUSTER), mounts: { network: [{ volumeId, path: "/data" }] } };
  const first = newRun(definition);
  const inputs = await first.checked({ ...args, ...old });
  const { id, state } = await first.run.create(inputs);
  const networkVolumeTypes = ["STANDARD" as const];
  await place.service.settings({
    catalog: { dataCenters: [{ id: "EU-RO-1", country: "RO", networkVolumeTypes, stock: { LOW: [...stock] } }] },
  });
  const { run, said, checked } = newRun(definition);
  // What was stopped before it was placed records no data center: the volume has it.
  const recorded = "desiredStatus" in old ? { ...state, dataCenterId: undefined } : state;
  return { diff: run.diff(id, recorded, await checked({ ...args, ...old, ...change }, inputs)), said };
}
const larger = { gpu: { id: "NVIDIA H100 80GB HBM3" } };

test("a pod on a volume, which is deleted before its replacement, is not deleted where nothing is free for the replacement, which the preview says", async () => {
  const { diff } = await replacing(larger, ["ADA_24"]);
  await expect(diff).rejects.toThrow(
    /none of NVIDIA H100 80GB HBM3 is free in EU-RO-1 now: the program would be left without it\. It was not changed\./,
  );
});

test("a pod that moves to another volume is refused so only where the option deleteBeforeReplace deletes it first", async () => {
  const moved = async (volumeId: string, more: object = { __deleteBeforeReplace: true }) => {
    await place.service.settings({ catalog: {} });
    return replacing({ ...larger, mounts: { network: [{ volumeId, path: "/data" }] }, ...more }, []);
  };
  await expect((await moved(await newVolume())).diff).rejects.toThrow(
    /created, and none of NVIDIA H100 80GB HBM3 is free in EU-RO-1 now: .* `deleteBeforeReplace: false` creates the replacement first\./,
  );
  expect(await (await moved(await newVolume(), {})).diff).toMatchObject({ deleteBeforeReplace: false });
  expect(await (await moved(UNKNOWN)).diff).toMatchObject({ changes: true });
});

test.each<[string, object, string[], object, RegExp | undefined]>([
  ["where the new GPU is free", larger, ["ADA_80_PRO"], {}, undefined],
  ["where an alternative is free", { ...larger, gpuAlternatives: ["NVIDIA L4"] }, ["AMPERE_24"], {}, undefined],
  ["with a warning where the program waits", { ...larger, waitForCapacity: "1h" }, [], {}, /may be without it/],
  ["with a warning where its own GPU may serve again", { startSsh: true }, [], {}, /may be without it/],
  ["with a warning where it is stopped", larger, [], { desiredStatus: "EXITED" }, /may be without it/],
])("a pod on a volume, deleted before its replacement, is replaced %s", async (_, change, stock, old, warning) => {
  const { diff, said } = await replacing(change, stock, old);
  expect(await diff).toMatchObject({ deleteBeforeReplace: true });
  if (warning === undefined) expect(said).toEqual([]);
  else expect(said.join()).toMatch(warning);
});

// finds mutant two-write-to-one-volume
test("a cluster on a volume is deleted before its replacement, unless that may find no room; what its pods hold themselves is lost", async () => {
  const same = await replacing({ image: "example.com/train:2" }, [], {}, cluster);
  expect(await same.diff).toMatchObject({ deleteBeforeReplace: true });
  expect(same.said.join()).toMatch(/may be without it/);
  await place.service.settings({ catalog: {} });
  const more = await replacing({ compute: { ...compute, podCount: 3 } }, [], {}, cluster);
  await expect(more.diff).rejects.toThrow(
    /none of NVIDIA L4 is free in EU-RO-1 now: the program would be left without it/,
  );
  const mounts = { persistent: { size: 10, path: "/data" } };
  const { diff, said } = await replacing({ image: "example.com/train:2" }, [], { mounts }, cluster);
  expect(await diff).toMatchObject({ replaces: ["image"], deleteBeforeReplace: false });
  expect(said.join()).toMatch(
    /image can only change by a replacement, which deletes the persistent mounts of its pods/,
  );
});

// finds mutant older-one-is-a-leftover
test("a create that made nothing does not take over what somebody has made under its name since the run began", async () => {
  const { run, checked } = newRun();
  const args = { ...POD, __seed: SEED };
  await run.create(await checked({ ...POD, name: "first" }));
  const theirs = await place.service.create("/v2/pods", { ...POD, gpu: { ...POD.gpu, count: 1 } });
  await clock.sleep(600_000);
  await place.fault({ method: "POST", path: "/v2/pods" }, { drop: "before" });
  await expect(run.create(await checked(args))).rejects.toThrow("it has not appeared within 90 s");
  const next = newRun();
  expect((await next.run.create(await next.checked(args))).id).not.toBe(theirs);
  expect(next.said).toEqual([]);
});

const PLACES = candidates(["L4", "L40"], ["EU-RO-1", "US-KS-2"]);
const noRoom = () => new BadRequestError("no room", { status: 400, detail: "no instances" });

/** Tries all places, each of which answers with the error that is given for it; the first without one is taken. */
async function tried(errors: readonly Error[], places = PLACES, waiting = {}, clock = impatient()) {
  const tries: string[] = [];
  const outcome = await createWithFirst(
    contextOf(NOWHERE, { clock }),
    { subject: "Pod", ...waiting },
    places,
    async ({ gpuTypeId, dataCenterId }) => {
      tries.push([gpuTypeId, dataCenterId].join());
      const error = errors[tries.length - 1];
      if (error !== undefined) throw error;
      return "made";
    },
  ).catch((error: unknown) => error);
  return { tries, outcome };
}

test("what may be placed in several ways goes where there is room first: GPU types before data centers, in the program's order", async () => {
  const { tries, outcome } = await tried([noRoom(), new PermissionError("not here", { status: 403 })]);
  expect(outcome).toBe("made");
  expect(tries).toEqual(["L4,EU-RO-1", "L4,US-KS-2", "L40,EU-RO-1"]);
});

test("what may be placed in several ways and has room nowhere, is an error that names all that was tried", async () => {
  const { tries, outcome } = await tried(PLACES.map(noRoom));
  expect(tries).toHaveLength(4);
  expect(String(outcome)).toMatch(
    /Pod could not be placed\. Tried in order: L4 in EU-RO-1: no instances; L4 in US-KS-2: .*; L40 in US-KS-2: no instances\./,
  );
});

test.each([
  ["is too large", new BadRequestError("too large", { status: 413 })],
  ["may have been made", new ServiceError("lost", { status: 502 })],
])("what may be placed in several ways and %s, is tried nowhere else", async (_, error) =>
  expect(await tried([error])).toEqual({ tries: ["L4,EU-RO-1"], outcome: error }),
);

test("what may be placed in several ways and has no choice, ends in the service's own error", async () => {
  const error = noRoom();
  expect(await tried([error], candidates([]))).toEqual({ tries: [","], outcome: error });
});

const one = PLACES.slice(0, 1);

test("what waits for capacity is tried everywhere again after each pause, until one has room", async () => {
  const onAgain = jest.fn();
  const refusals = Array.from({ length: 9 }, noRoom);
  const { tries, outcome } = await tried(refusals, PLACES, { waitForCapacity: "1h", onAgain });
  expect(outcome).toBe("made");
  expect(tries.slice(8)).toEqual(["L4,EU-RO-1", "L4,US-KS-2"]);
  expect(onAgain).toHaveBeenCalledTimes(9);
});

test("what waits for capacity is an error once the time is over, after a last look, which says that nothing was created", async () => {
  const clock = impatient();
  const { tries, outcome } = await tried(Array.from({ length: 200 }, noRoom), one, { waitForCapacity: "10m" }, clock);
  expect(String(outcome)).toMatch(
    /could not be placed within waitForCapacity \(10m\).*nothing was created.*no instances/,
  );
  expect(clock.waits.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(599_000);
  expect(tries.length).toBe(clock.waits.length + 1);
  expect(Math.max(...clock.waits)).toBe(120_000);
});

test("what waits for capacity and is allowed nowhere is refused at once, and not where one place has no room", async () => {
  const forbidden = () => new PermissionError("not here", { status: 403 });
  const { tries, outcome } = await tried(PLACES.map(forbidden), PLACES, { waitForCapacity: "2h" });
  expect(tries).toHaveLength(4);
  expect(String(outcome)).toMatch(
    /Pod is refused\. No candidate is allowed, so waiting would not help\. Tried .*not here/,
  );
  expect(await tried([forbidden(), noRoom()], PLACES.slice(0, 2), { waitForCapacity: "2h" })).toMatchObject({
    outcome: "made",
  });
});
