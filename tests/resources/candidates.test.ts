import { expect, test } from "@jest/globals";
import { BadRequestError, PermissionError, ServiceError } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import { candidates, createWithFirst, keepsPlacement } from "../../provider/resources/pods/candidates";
import { contextOf, NOWHERE } from "../harness/context";
import { impatient } from "../harness/place";

const impatientContext = () => contextOf(NOWHERE, { clock: impatient() });
const PLACES = candidates(["L4", "L40"], ["EU-RO-1", "US-KS-2"]);
const noRoom = () => new BadRequestError("no room", { status: 400, detail: "no instances" });

/** Tries all places, each of which answers with the error that is given for it; the first without one is taken. */
async function tried(errors: readonly Error[], places = PLACES, waiting = {}, context: Context = impatientContext()) {
  const tries: string[] = [];
  const outcome = await createWithFirst(
    context,
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

const [first] = PLACES;
const one = first === undefined ? [] : [first];

test("what waits for capacity is tried everywhere again after each pause, until one has room", async () => {
  let again = 0;
  const { tries, outcome } = await tried(Array.from({ length: 9 }, noRoom), PLACES, {
    waitForCapacity: "1h",
    onAgain: () => {
      again += 1;
    },
  });
  expect(outcome).toBe("made");
  expect(tries.slice(8)).toEqual(["L4,EU-RO-1", "L4,US-KS-2"]);
  expect(again).toBe(2);
});

test("what waits for capacity is an error once the time is over, after a last look, which says that nothing was created", async () => {
  const clock = impatient();
  const context = contextOf(NOWHERE, { clock });
  const { tries, outcome } = await tried(Array.from({ length: 200 }, noRoom), one, { waitForCapacity: "10m" }, context);
  expect(String(outcome)).toMatch(
    /could not be placed within waitForCapacity \(10m\).*nothing was created.*no instances/,
  );
  expect(clock.waits.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(599_000);
  expect(tries.length).toBe(clock.waits.length + 1);
  expect(Math.max(...clock.waits)).toBe(120_000);
});

test("what waits for capacity says in its status what it waits for, and for how long", async () => {
  const said: string[] = [];
  const context = impatientContext();
  const log = { ...context.log, status: (subject: string, text: string) => void said.push(`${subject} ${text}`) };
  await tried([noRoom()], one, { waitForCapacity: "2h" }, { ...context, log });
  expect(said).toEqual(["Pod waits for capacity for up to 120 min more: L4 in EU-RO-1: no instances"]);
});

test("what waits for capacity ends at once when the run is cancelled, and nothing was created", async () => {
  const cancelled = new AbortController();
  const context = { ...contextOf(NOWHERE), signal: cancelled.signal };
  const log = { ...context.log, status: () => cancelled.abort() };
  const { tries, outcome } = await tried(Array(9).fill(noRoom()), one, { waitForCapacity: "2h" }, { ...context, log });
  expect(tries).toHaveLength(1);
  expect(String(outcome)).toContain("the wait for capacity was cancelled. Nothing was created.");
  expect(outcome).toMatchObject({ cause: { status: 400 } });
});

test("what waits for capacity is never sent again where the answer may mean that it was made", async () => {
  const lost = new ServiceError("lost", { status: 502 });
  const { tries, outcome } = await tried([noRoom(), lost], one, { waitForCapacity: "2h" });
  expect([tries, outcome]).toEqual([["L4,EU-RO-1", "L4,EU-RO-1"], lost]);
});

test("what waits for capacity is not waited for where the catalog shows plenty again and again: the service refuses it for another reason", async () => {
  const waiting = { waitForCapacity: "2h", hasPlenty: async () => true };
  const { tries, outcome } = await tried(Array.from({ length: 99 }, noRoom), one, waiting);
  expect(tries).toHaveLength(3);
  expect(String(outcome)).toMatch(/is refused\. The catalog shows much free hardware.*no instances/);
});

const old = { gpuTypeId: "L40", dataCenterId: "EU-RO-1", dataCenterIds: ["EU-RO-1", "US-KS-2"] };
const keeps = (path: string, next: unknown, state: object = old) =>
  keepsPlacement({ path, field: path, old: undefined, next, replaces: true, facts: {} }, { ...state }, "gpu.id");

test.each<[string, string, unknown, boolean]>([
  ["the GPU type that it became", "gpu.id", "L40", true],
  ["another GPU type", "gpu.id", "L4", false],
  ["a list with the present data center", "dataCenterIds", ["EU-RO-1"], true],
  ["a list without it", "dataCenterIds", ["US-CA-2"], false],
  ["no list any more", "dataCenterIds", [], true],
  ["another argument", "cloud", ["EU-RO-1"], false],
])("a placement is judged for %s", (_, path, next, expected) => expect(keeps(path, next)).toBe(expected));

test("a placement that is not known stays where the list only got longer", () => {
  const unknown = { dataCenterIds: ["EU-RO-1"] };
  expect(keeps("dataCenterIds", ["US-KS-2", "EU-RO-1"], unknown)).toBe(true);
  expect(keeps("dataCenterIds", ["US-KS-2"], unknown)).toBe(false);
  expect(keeps("dataCenterIds", ["US-KS-2"], {})).toBe(false);
});
