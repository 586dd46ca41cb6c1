import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { commaParts } from "../../client";
import { hideUnmarked } from "../../provider/engine/secrecy";
import type { Difference } from "../../provider/lifecycle/fields/difference";
import {
  computedWhenOmitted,
  control,
  declaredKeys,
  openWhenEmpty,
  replaces,
  replacesWhenRemoved,
  replacesWhenSwitched,
  shrinkReplaces,
  unordered,
  writeOnly,
} from "../../provider/lifecycle/fields/fields";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { PLACEHOLDER } from "../../provider/lifecycle/fields/unread";
import { ownMember, pick, textsIn, valueAt, withoutNulls } from "../../provider/lifecycle/fields/values";
import {
  ignoreChanges,
  ignored,
  joined,
  optionWithin,
  replacedOnChange,
  replaceOnChanges,
} from "../../provider/lifecycle/plan/changeOptions";
import { differences, refreshed } from "../../provider/lifecycle/plan/diff";
import { serverlessFleet } from "../../provider/resources/fleet/serverlessFleet";
import { template } from "../../provider/resources/serverless/template";

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
  disk: shrinkReplaces(z.union([z.int(), z.string()]).optional()),
  template: replacesWhenRemoved(z.string().optional()),
  wait: control(z.boolean().optional()),
  args: openWhenEmpty(z.string().optional()),
  ports: openWhenEmpty(z.array(z.string()).optional()),
  scaling: z.strictObject({ kind: z.string().optional(), speed: computedWhenOmitted(z.int().optional()) }).optional(),
  mounts: z.array(z.union([z.string(), z.strictObject({ path: z.string() })])).optional(),
  volumes: z.array(z.strictObject({ path: z.string() })).optional(),
  mounted: z.strictObject({ network: z.array(z.strictObject({ volumeId: replaces(z.string()) })) }).optional(),
});
const state = { name: "a", zone: "z1", count: 1, tags: ["x", "y"], pools: ["p", "q"], env: {} };

const paths = (old: object, next: object) =>
  differences(schema, { ...old }, { ...next }).map(({ path, replaces }) => [path, replaces]);

test.each<[string, object, object]>([
  ["null and left out", { ...state, zone: null }, { ...state, zone: undefined }],
  ["left out and default", { ...state, count: undefined, tags: [] }, { ...state, tags: undefined }],
  ["another order of a set", state, { ...state, tags: ["y", "x"] }],
  ["what the service chose and nobody declared", { ...state, tier: "FAST" }, state],
  ["a default inside an object", { ...state, gpu: { id: "g" } }, { ...state, gpu: { id: "g", count: 1 } }],
  ["what steers the provider alone", { ...state, wait: true }, { ...state, wait: false }],
])("differences are none between %s", (_, old, next) => expect(paths(old, next)).toEqual([]));

test.each<[string, unknown, unknown, boolean]>([
  ["name", "a", "b", false],
  ["zone", "z1", "z2", true],
  ["pools", ["p", "q"], ["q", "p"], false],
  ["gpu", undefined, { id: "g" }, true],
  ["name", "a", UNKNOWN, false],
  ["zone", "z1", UNKNOWN, true],
  ["zone", "z1", undefined, true],
  ["compute", undefined, { pods: UNKNOWN }, true],
  ["disk", 20, 10, true],
  ["disk", 10, 20, false],
  ["disk", undefined, 20, false],
  ["disk", 20, undefined, false],
  ["disk", "20", 10, false],
  ["disk", 20, "10", false],
  ["template", "a", "b", false],
  ["template", undefined, "b", false],
  ["template", "a", undefined, true],
  ["gpu", { id: "g" }, undefined, true],
  ["gpu", { id: "g" }, UNKNOWN, true],
  ["mounted", { network: [{ volumeId: "v" }] }, UNKNOWN, true],
  ["volumes", [{ path: "/a" }], UNKNOWN, false],
  ["name", 2, 1, false],
  ["name", "a", undefined, false],
])("differences of %s from %j to %j replace: the last is %j", (field, before, after, expected) =>
  expect(paths({ ...state, [field]: before }, { ...state, [field]: after })).toEqual([[field, expected]]),
);

test("differences of one field tell it, whatever lies inside", () => {
  const change = (before: object, after: object) =>
    differences(schema, { ...state, ...before }, { ...state, ...after }).map(({ path, field }) => [path, field]);
  expect(change({ compute: { pods: 1 } }, { compute: { pods: 2 } })).toEqual([["compute.pods", "compute"]]);
  expect(change({ name: "a" }, { name: "b" })).toEqual([["name", "name"]]);
  const nested = z.strictObject({ gpu: z.strictObject({ pool: z.strictObject({ id: z.string() }) }) });
  expect(differences(nested, { gpu: { pool: { id: "a" } } }, { gpu: { pool: { id: "b" } } })).toMatchObject([
    { path: "gpu.pool.id", field: "gpu" },
  ]);
});

test("differences of what the service may choose count where it was declared inside an object, or is given", () => {
  const scaling = (speed?: number) => ({ ...state, scaling: { kind: "k", speed } });
  expect(paths(scaling(2), scaling())).toEqual([["scaling.speed", false]]);
  expect(paths({ ...state, tier: "SLOW" }, { ...state, tier: "FAST" })).toEqual([["tier", true]]);
});

test("differences of a list whose members are no objects, or turn into some, are those of the whole list", () => {
  const volumes = (...list: unknown[]) => ({ ...state, volumes: list });
  const both = volumes({ path: "/a" }, { path: "/c" });
  expect(paths(volumes({ path: "/a" }, { path: "/b" }), both)).toEqual([["volumes.1.path", false]]);
  expect(paths(volumes("/a", { path: "/b" }), volumes({ path: "/a" }, { path: "/c" }))).toEqual([["volumes", false]]);
  expect(paths(volumes({ path: "/a" }), volumes("/a"))).toEqual([["volumes", false]]);
  expect(paths({ ...state, volumes: {} }, volumes({ path: "/a" }))).toEqual([["volumes", false]]);
  expect(paths(volumes({ path: "/a" }), { ...state, volumes: {} })).toEqual([["volumes", false]]);
  expect(paths({ ...state, mounts: ["/a"] }, { ...state, mounts: [{ path: "/a" }] })).toEqual([["mounts", false]]);
});

test("differences compare a set without changing it", () => {
  const tags = Object.freeze(["y", "x"]);
  expect(paths({ ...state, tags }, state)).toEqual([]);
  expect(paths({ ...state, tags }, { ...state, tags: ["x", "z"] })).toEqual([["tags", false]]);
});

test("differences go by the inner fields where an object stays", () => {
  const gpu = (id: string, count: number) => ({ ...state, gpu: { id, count } });
  expect(paths(gpu("g", 1), gpu("g", 2))).toEqual([["gpu.count", false]]);
  expect(paths(gpu("g", 1), gpu("h", 1))).toEqual([["gpu.id", true]]);
  const cpu = (...ids: string[]) => ({ ...state, cpu: ids.map((id) => ({ id })) });
  expect(paths(cpu("a"), cpu("b"))).toEqual([["cpu.0.id", false]]);
  expect(paths(cpu("a"), cpu("a", "b"))).toEqual([["cpu", false]]);
  expect(paths(cpu("a"), state)).toEqual([["cpu", true]]);
  const compute = (pods: number) => ({ ...state, compute: { pods } });
  expect(paths(compute(2), compute(3))).toEqual([["compute.pods", true]]);
});

test("a refresh drops a declared value that was removed on the service's side", () => {
  expect(refreshed(schema, state, { zone: null })).not.toHaveProperty("zone");
  const { gpu } = refreshed(schema, { ...state, gpu: { id: "g", count: 1 } }, { gpu: { count: 1 } });
  expect(gpu).toEqual({ count: 1 });
});

test("a refresh keeps a default that the service leaves out, at the top and inside", () => {
  const declared = { ...state, gpu: { id: "g", count: 1 } };
  expect(refreshed(schema, declared, { count: null, gpu: { id: "g" } })).toEqual(declared);
});

test("a refresh leaves alone what was never declared, what can't be read, and the declared order of a set", () => {
  const declared = { ...state, password: "secret", env: { A: "1" } };
  const observed = { compute: { pods: 9 }, password: "other", tags: ["y", "x"], env: { A: "1", B: "injected" } };
  expect(refreshed(schema, declared, observed)).toEqual(declared);
});

test("a refresh lets the service fill in what was declared empty, and nothing else", () => {
  const observed = { args: "run", ports: ["80/tcp"] };
  expect(refreshed(schema, { ...state, args: "", ports: [] }, observed)).toMatchObject({ args: "", ports: [] });
  expect(refreshed(schema, { ...state, args: "serve", ports: ["1/tcp"] }, observed)).toMatchObject(observed);
  expect(refreshed(schema, { ...state, pools: [] }, { pools: ["p"] })).toMatchObject({ pools: ["p"] });
});

test("a refresh keeps what steers the provider, and the place of a secret that was not read", () => {
  const declared = { ...state, wait: true, name: PLACEHOLDER };
  expect(refreshed(schema, declared, { wait: false, name: "theirs" })).toEqual(declared);
});

test("a refresh takes over an object that takes the place of a text, and a text that takes that of an object", () => {
  expect(refreshed(schema, { ...state, disk: 10 }, { disk: { size: 10 } })).toMatchObject({ disk: { size: 10 } });
  expect(refreshed(schema, { ...state, scaling: { kind: "k" } }, { scaling: "k" })).toMatchObject({ scaling: "k" });
  const loose = z.strictObject({ labels: z.record(z.string(), z.string()) });
  expect(refreshed(loose, { labels: { a: "1" } }, { labels: { b: "2" } })).toEqual({ labels: { b: "2" } });
});

test("a refresh shows a declared variable that was changed or removed", () =>
  expect(refreshed(schema, { ...state, env: { A: "1", B: "2" } }, { env: { A: "9", PORT: "80" } }).env).toEqual({
    A: "9",
  }));

const fleet = (endpoints: object) => ({ endpoints });
const hidden = (values: object, marked: object) => hideUnmarked(serverlessFleet.inputs, { ...values }, { ...marked });

describe("of a state that the engine encrypts by the arguments", () => {
  test("what the arguments hold stays, whatever its value", () => {
    const state = fleet({ chat: { env: { TOKEN: "old", MODE: "a" }, gpuIds: "ADA_24" } });
    expect(hidden(state, fleet({ chat: { env: { TOKEN: "new", MODE: "a" } } }))).toEqual(state);
  });

  test("a member that is no argument any more keeps the names of its variables, and all that is not a secret", () => {
    const state = { ...fleet({ chat: { env: { TOKEN: "a" }, gpuIds: "ADA_24" } }), ids: { chat: "id" } };
    const masked = { ...fleet({ chat: { env: { TOKEN: "[secret]" }, gpuIds: "ADA_24" } }), ids: { chat: "id" } };
    expect(hidden(state, fleet({}))).toEqual(masked);
    // A refresh goes by the state: what was hidden stays so when it is read.
    expect(hidden(state, masked)).toEqual(masked);
  });

  // finds mutant unmarked-secrets-recorded
  test("a variable that a member has lost is hidden", () => {
    const state = fleet({ chat: { env: { TOKEN: "a", OLD: "b" } } });
    const masked = fleet({ chat: { env: { TOKEN: "a", OLD: "[secret]" } } });
    expect(hidden(state, fleet({ chat: { env: { TOKEN: "a" } } }))).toEqual(masked);
  });

  test("so is an argument that the program had made a secret", () => {
    const secret = { args: "--key a", gpuIds: "ADA_24", __secrets: ["args"] };
    const masked = { ...secret, args: "[secret]" };
    expect(hidden(fleet({ chat: secret }), fleet({}))).toEqual(fleet({ chat: masked }));
    expect(hidden(fleet({ chat: secret }), fleet({ chat: { args: "" } }))).toEqual(fleet({ chat: masked }));
    expect(hidden(fleet({ chat: secret }), fleet({ chat: secret }))).toEqual(fleet({ chat: secret }));
    expect(hidden(fleet({ chat: secret }), fleet({ chat: masked }))).toEqual(fleet({ chat: masked }));
  });

  test("a variable that the arguments lack is hidden, though the class marks the output", () => {
    const state = { env: { TOKEN: "a", ADDED: "b" }, image: "a:1" };
    const masked = { ...state, env: { TOKEN: "a", ADDED: "[secret]" } };
    expect(hideUnmarked(template.inputs, state, { env: { TOKEN: "b" } })).toEqual(masked);
  });
});

/* Pulumi's options that name properties by their paths: which differences they mean. */
const difference = (path: string, old: unknown, next: unknown): Difference => {
  const [field = ""] = path.split(".");
  return { path, field, old, next, replaces: false, facts: {} };
};

test.each<[string, string, unknown, unknown, boolean]>([
  ["env", "env", { A: "1" }, { A: "2" }, true],
  ["env", "environment", { A: "1" }, { A: "2" }, false],
  ["image", "env", "a", "b", false],
  ["*", "env", "a", "b", true],
  ["env.A", "env", { A: "1" }, { A: "2" }, true],
  ['env["A"]', "env", { A: "1" }, { A: "2" }, true],
  ['env["A.B"]', "env", { "A.B": "1" }, { "A.B": "2" }, true],
  ["env.A", "env", { A: "1" }, { A: "1", B: "2" }, false],
  ["env.A", "env", { A: "1" }, {}, true],
  ["env.A", "env", {}, { A: "1" }, true],
  ["env.toString", "env", {}, { A: "1" }, false],
  ["env.*", "env", { A: "1" }, { A: "1", B: "2" }, true],
  ["env.*", "env", { A: "1" }, { A: "1" }, false],
  ["mounts[0].path", "mounts.0.path", "/a", "/b", true],
  ["mounts[1].path", "mounts.0.path", "/a", "/b", false],
  ["mounts[*].path", "mounts.0.path", "/a", "/b", true],
  ["mounts[0].path", "mounts", [{ path: "/a" }], [{ path: "/b" }], true],
  ["mounts[1].path", "mounts", [{ path: "/a" }], [{ path: "/b" }], false],
  ["mounts[*].path", "mounts", [{ path: "/a" }], [{ path: "/a" }, { path: "/b" }], true],
  ["gpu", "gpu.count", 1, 2, true],
  ["gpu.id", "gpu.count", 1, 2, false],
  // A copy that follows its template: the values are the same.
  ["image", "image", "a", "a", true],
  // What is not known yet may differ anywhere inside.
  ["env.A", "env", { A: "1" }, UNKNOWN, true],
  ["env.A", "env", undefined, { A: "1" }, true],
  ["env.A", "env", "text", { B: "1" }, false],
])("an option %s means a difference at %s from %j to %j: the last is %j", (pattern, path, old, next, expected) => {
  const changed = difference(path, old, next);
  expect(replacedOnChange(changed, { __replaceOnChanges: ["other", pattern] })).toBe(expected);
  expect(ignored(changed, { __ignoreChanges: [pattern, "other"] })).toBe(expected);
  expect([replacedOnChange(changed, {}), ignored(changed, { __ignoreChanges: "env" })]).toEqual([false, false]);
});

test("an option is read by its parts, and handed on for what lies at one of its paths", () => {
  const options = ['endpoints["chat"].env["A"]', "endpoints.*.image", "defaults", "endpoints"];
  const paths = [["endpoints", "chat", "env", "A"], ["endpoints", "*", "image"], ["defaults"], ["endpoints"]];
  expect(replaceOnChanges({ __replaceOnChanges: options })).toEqual(paths);
  expect(ignoreChanges({ __ignoreChanges: options })).toEqual(paths);
  expect(ignoreChanges({})).toEqual([]);
  expect(optionWithin(paths, ["endpoints", "chat"])).toEqual(['["env"]["A"]', '["image"]', ""]);
  expect(optionWithin(paths, ["endpoints", "rank"])).toEqual(['["image"]', ""]);
  expect(joined(["a", "b.c"])).toBe('["a"]["b.c"]');
});

test("values lose what means nothing, at any depth", () => {
  const values = { a: null, b: undefined, c: [{ d: null, e: 1 }, null], f: { g: undefined }, h: 0, i: "", j: false };
  expect(withoutNulls(values)).toStrictEqual({ c: [{ e: 1 }, null], f: {}, h: 0, i: "", j: false });
  expect(withoutNulls(null)).toBeNull();
});

test("values are found by paths, and own members only", () => {
  expect(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"])).toBe(1);
  expect(valueAt({ a: null }, ["a", "b"])).toBeUndefined();
  expect(valueAt({ a: "text" }, ["a", "length"])).toBeUndefined();
  expect(valueAt(undefined, ["a"])).toBeUndefined();
  expect(valueAt({}, ["constructor"])).toBeUndefined();
  expect(valueAt(1, [])).toBe(1);
  expect([ownMember({ a: 1 }, "a"), ownMember<unknown>({}, "toString")]).toEqual([1, undefined]);
  expect(pick({ a: 1, b: 2 }, new Set(["b", "c"]))).toEqual({ b: 2 });
});

test("values give their texts, and lists their parts", () => {
  expect(textsIn({ a: ["x", 1, null, { b: "y" }], c: "z", d: undefined })).toEqual(["x", "y", "z"]);
  expect(commaParts(" a, b ,,c ")).toEqual(["a", "b", "c"]);
});
