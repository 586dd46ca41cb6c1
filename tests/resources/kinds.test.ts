/* What commands that work on a whole account know of each kind, from its definition alone. */
import { beforeEach, expect, test } from "@jest/globals";
import { adoptableKinds } from "../../cli/adopt/account";
import { readsOf } from "../../cli/doctor/command";
import { createClient } from "../../client";
import { areaOf, rights } from "../../client/outcomes/statuses";
import { createEstimator } from "../../provider/cost/monthlyCost";
import { FromResource } from "../../provider/lifecycle/fields/example";
import { factsOf } from "../../provider/lifecycle/fields/fields";
import { definitions } from "../../provider/resources";
import { inOrder, kinds, ordered } from "../../provider/resources/order";
import { NOWHERE } from "../harness/context";
import { json, Script, serverForEach } from "../harness/script";

const byName = Object.entries(kinds);

/** A service that refuses every call. */
const script = serverForEach(new Script());
const refusal = json({ status: 403, title: "Forbidden" }, 403, { "content-type": "application/problem+json" });
beforeEach(() => script.play(refusal));

/** The kinds that the examples of a kind refer to. */
function referred(value: unknown): string[] {
  if (value instanceof FromResource) return [value.kind];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(referred) : [];
}

test.each(byName)("a kind %s says what a 403 of its list names", async (_, { noun, list }) => {
  if (list === undefined) return;
  await expect(list({ client: script.client() })).rejects.toThrow(`read access to ${areaOf(noun)}`);
});

test.each(Object.entries(definitions))("a kind %s uses the kinds that its examples refer to", (name, { examples }) =>
  expect(kinds[name]?.uses).toEqual(expect.arrayContaining(examples.flatMap(({ args }) => referred(args)))),
);

test.each(byName)("a kind %s is an orphan by its generated name where it has one and a list of its own", (_, kind) => {
  const { name } = kind.inputs.shape;
  const isNamed =
    name !== undefined &&
    factsOf(name).autoNamed === true &&
    (kind.adoption === "none" || kind.adoption.listedWith === undefined);
  expect(kind.orphans === "named").toBe(isNamed);
});

// Without arguments no price is found, so nothing is asked.
test.each(byName)("a kind %s has a price where it says so", async (_, { kind, priced }) => {
  const estimate = createEstimator(createClient(NOWHERE));
  const cost = await estimate({ type: `computecloud:index:${kind}`, props: {} });
  expect(cost !== undefined).toBe(priced);
});

test.each(byName)("a kind %s can be listed and deleted where a killed run may leave one", (_, kind) =>
  expect(Object.keys(kind)).toEqual(expect.arrayContaining(kind.orphans === "none" ? [] : ["list", "delete"])),
);

test("every kind that can be adopted is, after the kinds that it uses", () => {
  expect(adoptableKinds).toEqual(
    inOrder.flatMap((name) => (kinds[name]?.adoption === "none" ? [] : kinds[name]?.kind)),
  );
  expect([...inOrder].sort()).toEqual(Object.keys(kinds).sort());
  for (const [name, { uses }] of byName)
    for (const used of uses) expect(inOrder.indexOf(used)).toBeLessThan(inOrder.indexOf(name));
});

test("a definition has at most 30 members, none of which is for one or two kinds alone", () => {
  const members = Object.values(definitions).flatMap((kind) => ("create" in kind ? Object.keys(kind) : []));
  const users = [...Map.groupBy(members, (member) => member)].map(([member, { length }]) => ({ member, length }));
  expect(users.length).toBeLessThanOrEqual(30);
  expect(users.filter(({ length }) => length < 3)).toEqual([]);
});

test("a use of what is not a kind, or of itself, is an error", () => {
  expect(() => ordered({ pod: { uses: ["tempalte"] } })).toThrow('pod can\'t use "tempalte": it is not a kind');
  expect(() => ordered({ a: { uses: ["b"] }, b: { uses: ["a"] } })).toThrow(
    'b can\'t use "a": it uses that kind itself',
  );
});

test("doctor tries every area of rights", async () => {
  const reads = Object.entries(readsOf(script.client(), {}));
  const { Request: _, ...nouns } = rights;
  const areas = new Set(Object.values(nouns).map(({ area }) => area));
  expect(reads.map(([area]) => area).sort()).toEqual([...areas].sort());
  for (const [area, read] of reads) await expect(read()).rejects.toThrow(`read access to ${area}`);
});
