/* Pulumi's options that name properties by their paths: which differences they mean. */
import { expect, test } from "@jest/globals";
import { commaParts } from "../../client";
import type { Difference } from "../../provider/lifecycle/fields/difference";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { ownMember, pick, textsIn, valueAt, withoutNulls } from "../../provider/lifecycle/fields/values";
import {
  ignoreChanges,
  ignored,
  joined,
  optionWithin,
  replacedOnChange,
  replaceOnChanges,
} from "../../provider/lifecycle/plan/changeOptions";

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
