import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { differences, refreshed } from "../../provider/lifecycle/diff";
import {
  computedWhenOmitted,
  declaredKeys,
  replaces,
  replacesWhenSwitched,
  unordered,
  writeOnly,
} from "../../provider/lifecycle/fields";
import { UNKNOWN } from "../../provider/lifecycle/unknown";

const schema = z.strictObject({
  name: z.string(),
  zone: replaces(z.string().optional()),
  tier: computedWhenOmitted(replaces(z.string().optional())),
  count: z.int().default(1),
  tags: unordered(z.array(z.string()).default([])),
  pools: z.array(z.string()).default([]),
  env: declaredKeys(z.record(z.string(), z.string()).default({})),
  password: writeOnly(z.string().optional()),
  cpu: replacesWhenSwitched(z.array(z.strictObject({ id: z.string() })).optional()),
  gpu: replacesWhenSwitched(z.strictObject({ id: replaces(z.string()), count: z.int().default(1) }).optional()),
  compute: replaces(z.strictObject({ pods: z.int() }).optional()),
});
const state = { name: "a", zone: "z1", count: 1, tags: ["x", "y"], pools: ["p", "q"], env: {} };

const paths = (old: object, next: object) =>
  differences(schema, { ...old }, { ...next }).map(({ path, replaces }) => [path, replaces]);

describe("differences", () => {
  test.each<[string, object, object]>([
    ["null and left out", { ...state, zone: null }, { ...state, zone: undefined }],
    ["left out and default", { ...state, count: undefined, tags: [] }, { ...state, tags: undefined }],
    ["another order of a set", state, { ...state, tags: ["y", "x"] }],
    ["what the service chose and nobody declared", { ...state, tier: "FAST" }, state],
    ["a default inside an object", { ...state, gpu: { id: "g" } }, { ...state, gpu: { id: "g", count: 1 } }],
  ])("are none between %s", (_, old, next) => {
    expect(paths(old, next)).toEqual([]);
  });

  test.each<[string, object, [string, boolean]]>([
    ["a plain argument", { name: "b" }, ["name", false]],
    ["one that replaces", { zone: "z2" }, ["zone", true]],
    ["the order of a list", { pools: ["q", "p"] }, ["pools", false]],
    ["an object that appears", { gpu: { id: "g" } }, ["gpu", true]],
    ["a value not known yet", { name: UNKNOWN }, ["name", false]],
    ["a value not known yet that may replace", { zone: UNKNOWN }, ["zone", true]],
    ["an argument that is removed", { zone: undefined }, ["zone", true]],
  ])("show %s", (_, change, expected) => {
    expect(paths(state, { ...state, ...change })).toEqual([expected]);
  });

  test("go by the inner fields where an object stays", () => {
    const gpu = (id: string, count: number) => ({ ...state, gpu: { id, count } });
    expect(paths(gpu("g", 1), gpu("g", 2))).toEqual([["gpu.count", false]]);
    expect(paths(gpu("g", 1), gpu("h", 1))).toEqual([["gpu.id", true]]);
    const cpu = (...ids: string[]) => ({ ...state, cpu: ids.map((id) => ({ id })) });
    expect(paths(cpu("a"), cpu("b"))).toEqual([["cpu.0.id", false]]);
    expect(paths(cpu("a"), cpu("a", "b"))).toEqual([["cpu", false]]);
    expect(paths(cpu("a"), state)).toEqual([["cpu", true]]);
    expect(paths({ ...state, compute: { pods: 2 } }, { ...state, compute: { pods: 3 } })).toEqual([
      ["compute.pods", true],
    ]);
  });
});

describe("a refresh", () => {
  test("brings declared values up to what the service says", () => {
    expect(refreshed(schema, state, { name: "b", count: 2, pools: ["q"], zone: "z1" })).toEqual({
      ...state,
      name: "b",
      count: 2,
      pools: ["q"],
    });
  });

  test("drops a declared value that was removed on the service's side", () => {
    expect(refreshed(schema, state, { zone: null })).not.toHaveProperty("zone");
    expect(refreshed(schema, { ...state, gpu: { id: "g", count: 1 } }, { gpu: { count: 1 } })).toMatchObject({
      gpu: { count: 1 },
    });
    expect(refreshed(schema, { ...state, gpu: { id: "g", count: 1 } }, { gpu: { count: 1 } }).gpu).not.toHaveProperty(
      "id",
    );
  });

  test("keeps a default that the service leaves out, at the top and inside", () => {
    const declared = { ...state, gpu: { id: "g", count: 1 } };
    expect(refreshed(schema, declared, { count: null, gpu: { id: "g" } })).toEqual(declared);
  });

  test("leaves alone what was never declared, what can't be read, and the declared order of a set", () => {
    const declared = { ...state, password: "secret", env: { A: "1" } };
    const observed = {
      compute: { pods: 9 },
      password: "other",
      tags: ["y", "x"],
      env: { A: "1", PUBLIC_KEY: "injected" },
    };
    expect(refreshed(schema, declared, observed)).toEqual(declared);
  });

  test("shows a declared variable that was changed or removed", () => {
    expect(refreshed(schema, { ...state, env: { A: "1", B: "2" } }, { env: { A: "9", PORT: "80" } }).env).toEqual({
      A: "9",
    });
  });
});
