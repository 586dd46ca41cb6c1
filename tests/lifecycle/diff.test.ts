import { expect, test } from "@jest/globals";
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
  labels: z.record(z.string(), z.string()).optional(),
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

const changesOf = (old: object, next: object) =>
  differences(schema, { ...state, ...old }, { ...state, ...next }).map(({ path, field, replaces }) => [
    path,
    field,
    replaces,
  ]);

test.each<[string, object, object]>([
  ["null and left out", { zone: null }, { zone: undefined }],
  ["left out and default", { count: undefined, tags: [] }, { tags: undefined }],
  // A comparison changes none of them.
  ["another order of a set", { tags: Object.freeze(["y", "x"]) }, {}],
  ["what the service chose and nobody declared", { tier: "FAST" }, {}],
  ["a default inside an object", { gpu: { id: "g" } }, { gpu: { id: "g", count: 1 } }],
  ["what steers the provider alone", { wait: true }, { wait: false }],
])("differences are none between %s", (_, old, next) => expect(changesOf(old, next)).toEqual([]));

test.each<[string, unknown, unknown, boolean]>([
  ["name", "a", "b", false],
  ["zone", "z1", "z2", true],
  ["pools", ["p", "q"], ["q", "p"], false],
  ["tags", ["y", "x"], ["x", "z"], false],
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
  // Where an object stays, its inner fields tell.
  ["gpu.count", { id: "g", count: 1 }, { id: "g", count: 2 }, false],
  ["gpu.id", { id: "g", count: 1 }, { id: "h", count: 1 }, true],
  ["compute.pods", { pods: 2 }, { pods: 3 }, true],
  ["mounted.network.0.volumeId", { network: [{ volumeId: "v" }] }, { network: [{ volumeId: "w" }] }, true],
  ["cpu.0.id", [{ id: "a" }], [{ id: "b" }], false],
  ["cpu", [{ id: "a" }], [{ id: "a" }, { id: "b" }], false],
  ["cpu", [{ id: "a" }], undefined, true],
  // What the service may choose counts where it was declared inside an object, or is given.
  ["scaling.speed", { kind: "k", speed: 2 }, { kind: "k" }, false],
  ["tier", "SLOW", "FAST", true],
  // Of a list whose members are no objects, or turn into some, the whole differs.
  ["volumes.1.path", [{ path: "/a" }, { path: "/b" }], [{ path: "/a" }, { path: "/c" }], false],
  ["volumes", ["/a", { path: "/b" }], [{ path: "/a" }, { path: "/c" }], false],
  ["volumes", [{ path: "/a" }], ["/a"], false],
  ["volumes", {}, [{ path: "/a" }], false],
  ["volumes", [{ path: "/a" }], {}, false],
  ["mounts", ["/a"], [{ path: "/a" }], false],
])("differences at %s from %j to %j replace: the last is %j", (path, before, after, expected) => {
  const [field = ""] = path.split(".");
  expect(changesOf({ [field]: before }, { [field]: after })).toEqual([[path, field, expected]]);
});

const filledIn = { args: "run", ports: ["80/tcp"] };
test.each<[string, declared: object, observed: object, changed: object]>([
  ["drops a value that was removed on the service's side", {}, { zone: null }, { zone: undefined }],
  ["drops one inside", { gpu: { id: "g", count: 1 } }, { gpu: { count: 1 } }, { gpu: { count: 1 } }],
  [
    "keeps a default that the service leaves out",
    { gpu: { id: "g", count: 1 } },
    { count: null, gpu: { id: "g" } },
    {},
  ],
  ["leaves alone what was never declared", { env: { A: "1" } }, { compute: { pods: 9 }, env: { A: "1", B: "b" } }, {}],
  ["leaves alone what can't be read", { password: "secret" }, { password: "other" }, {}],
  ["leaves alone the declared order of a set", {}, { tags: ["y", "x"] }, {}],
  ["lets the service fill in what was declared empty", { args: "", ports: [] }, filledIn, {}],
  ["follows it where something was declared", { args: "serve", ports: ["1/tcp"] }, filledIn, filledIn],
  ["follows it where nothing else is filled in", { pools: [] }, { pools: ["p"] }, { pools: ["p"] }],
  ["keeps what steers the provider", { wait: true }, { wait: false }, {}],
  ["keeps the place of a secret that was not read", { name: PLACEHOLDER }, { name: "theirs" }, {}],
  ["takes over an object in place of a text", { disk: 10 }, { disk: { size: 10 } }, { disk: { size: 10 } }],
  ["takes over a text in place of an object", { scaling: { kind: "k" } }, { scaling: "k" }, { scaling: "k" }],
  ["takes over a map", { labels: { a: "1" } }, { labels: { b: "2" } }, { labels: { b: "2" } }],
  [
    "shows a variable that was changed or removed",
    { env: { A: "1", B: "2" } },
    { env: { A: "9" } },
    { env: { A: "9" } },
  ],
])("a refresh %s", (_, declared, observed, changed) =>
  expect(refreshed(schema, { ...state, ...declared }, { ...observed })).toEqual({ ...state, ...declared, ...changed }),
);

const gpuIds = "ADA_24";
const secretArgs = { args: "--key a", gpuIds, __secrets: ["args"] };
const maskedArgs = { ...secretArgs, args: "[secret]" };

// finds mutant unmarked-secrets-recorded
test.each<[string, member: object, declared: object | undefined, recorded: object]>([
  [
    "what the arguments hold, whatever its value",
    { env: { TOKEN: "old", MODE: "a" }, gpuIds },
    { env: { TOKEN: "new", MODE: "a" } },
    { env: { TOKEN: "old", MODE: "a" }, gpuIds },
  ],
  ["a member's names of variables", { env: { TOKEN: "a" }, gpuIds }, undefined, { env: { TOKEN: "[secret]" }, gpuIds }],
  // A refresh goes by the state.
  [
    "what was hidden, as it is",
    { env: { TOKEN: "a" } },
    { env: { TOKEN: "[secret]" } },
    { env: { TOKEN: "[secret]" } },
  ],
  ["no lost variable", { env: { A: "a", OLD: "b" } }, { env: { A: "a" } }, { env: { A: "a", OLD: "[secret]" } }],
  ["what the program marks", secretArgs, secretArgs, secretArgs],
  ["nothing that it had marked", secretArgs, undefined, maskedArgs],
  ["nothing that it has emptied", secretArgs, { args: "" }, maskedArgs],
  ["nothing marked that was hidden", secretArgs, maskedArgs, maskedArgs],
])("a state that the engine encrypts by the arguments shows %s", (_, member, declared, recorded) => {
  const fleet = (chat?: object) => ({ endpoints: chat === undefined ? {} : { chat }, ids: { chat: "id" } });
  expect(hideUnmarked(serverlessFleet.inputs, fleet(member), fleet(declared))).toEqual(fleet(recorded));
});

test("a state hides a variable that the arguments lack, though the class marks the output", () => {
  const state = { env: { TOKEN: "a", ADDED: "b" }, image: "a:1" };
  const masked = { ...state, env: { TOKEN: "a", ADDED: "[secret]" } };
  expect(hideUnmarked(template.inputs, state, { env: { TOKEN: "b" } })).toEqual(masked);
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
