import { expect, test } from "@jest/globals";
import { BadRequestError, PermissionError, ServiceError } from "../../client";
import { candidates, createWithFirst, keepsPlacement } from "../../provider/resources/pods/candidates";
import { contextOf, NOWHERE } from "../harness/context";

const context = contextOf(NOWHERE);
const PLACES = candidates(["L4", "L40"], ["EU-RO-1", "US-KS-2"]);
const noRoom = () => new BadRequestError("no room", { status: 400, detail: "no instances" });

/** Tries all places, each of which answers with the error that is given for it; the first without one is taken. */
async function tried(errors: readonly Error[], places = PLACES) {
  const asked: string[] = [];
  const outcome = await createWithFirst(context, "Pod", places, async ({ gpuTypeId, dataCenterId }) => {
    asked.push([gpuTypeId, dataCenterId].join());
    const error = errors[asked.length - 1];
    if (error !== undefined) throw error;
    return "made";
  }).catch((error: unknown) => error);
  return { asked, outcome };
}

test("what may be placed in several ways goes where there is room first: GPU types before data centers, in the program's order", async () => {
  const { asked, outcome } = await tried([noRoom(), new PermissionError("not here", { status: 403 })]);
  expect(outcome).toBe("made");
  expect(asked).toEqual(["L4,EU-RO-1", "L4,US-KS-2", "L40,EU-RO-1"]);
});

test("what may be placed in several ways and has room nowhere, is an error that names all that was tried", async () => {
  const { asked, outcome } = await tried(PLACES.map(noRoom));
  expect(asked).toHaveLength(4);
  expect(String(outcome)).toMatch(
    /Pod could not be placed\. Tried in order: L4 in EU-RO-1: no instances; L4 in US-KS-2: .*; L40 in US-KS-2: no instances\./,
  );
});

test.each([
  ["is too large", new BadRequestError("too large", { status: 413 })],
  ["may have been made", new ServiceError("lost", { status: 502 })],
])("what may be placed in several ways and %s, is tried nowhere else", async (_, error) => {
  expect(await tried([error])).toEqual({ asked: ["L4,EU-RO-1"], outcome: error });
});

test("what may be placed in several ways and has no choice, ends in the service's own error", async () => {
  const error = noRoom();
  expect(await tried([error], candidates([]))).toEqual({ asked: [","], outcome: error });
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
