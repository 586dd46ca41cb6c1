/* What an import by id alone makes of what it finds, and how the first declaration fills in the rest. */
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { control, declaredKeys, replaces, secret, trigger, writeOnly } from "../../provider/lifecycle/fields/fields";
import {
  declarable,
  noteUnread,
  PLACEHOLDER,
  unreadIn,
  unreadPaths,
  withDeclared,
} from "../../provider/lifecycle/fields/unread";

const schema = z.strictObject({
  size: z.int().default(10),
  zone: z.string().optional(),
  password: secret(writeOnly(z.string())),
  places: writeOnly(replaces(z.array(z.string()).default([]))),
  env: declaredKeys(z.record(z.string(), z.string()).default({})),
  token: secret(z.string()),
  region: writeOnly(z.string()),
  wait: control(z.boolean().default(true)),
  bump: trigger(z.string()),
  labels: z.unknown(),
  disks: z.array(z.strictObject({ size: z.int().default(10), path: z.string() })).optional(),
  gpu: z.strictObject({ id: z.string(), count: z.int().default(1), cuda: writeOnly(z.string().optional()) }).optional(),
});

const toFillIn = { password: PLACEHOLDER, token: PLACEHOLDER, region: PLACEHOLDER };

test("what a program would have to declare leaves out defaults, what isn't shown and what may be a secret", () => {
  const observed = { size: 10, zone: null, env: { TOKEN: "t" }, gpu: { id: "L4", count: 1, memory: 24 } };
  expect(declarable(schema, observed)).toStrictEqual({ ...toFillIn, gpu: { id: "L4" } });
  const more = { size: 20, token: "hush", wait: false, bump: "2" };
  expect(declarable(schema, more)).toStrictEqual({ ...toFillIn, size: 20 });
});

test("what a program would have to declare leaves out defaults in lists, and takes other forms as they are", () => {
  const disks = [
    { size: 10, path: "/a" },
    { size: 20, path: "/b" },
  ];
  const declared = { disks: [{ path: "/a" }, { size: 20, path: "/b" }], labels: ["x"] };
  expect(declarable(schema, { disks, labels: ["x"] })).toStrictEqual({ ...toFillIn, ...declared });
  expect(declarable(schema, { disks: "none" })).toStrictEqual({ ...toFillIn, disks: "none" });
});

test("what a program would have to declare is noted where it could not be read", () => {
  expect(unreadPaths(schema)).toEqual(["password", "places", "env", "token", "region", "gpu.cuda"]);
  expect(noteUnread([])).toStrictEqual({});
  expect([unreadIn(noteUnread(["a"])), unreadIn({})]).toStrictEqual([["a"], []]);
});

const state = { gpu: { id: "L4", count: 1 }, places: [], ...noteUnread(["places", "gpu.cuda", "env"]) };

test("the state of an imported resource knows no more before a program declares the resource", () => {
  expect(withDeclared(state, noteUnread(["places"]))).toBe(state);
  const read = { gpu: { id: "L4" } };
  expect(withDeclared(read, { gpu: { id: "L40" } })).toBe(read);
});

test("the state of an imported resource takes what it could not read from the arguments of the last run", () => {
  const declared = { gpu: { id: "L4", cuda: "12.4" }, places: ["EU-RO-1"] };
  expect(withDeclared(state, declared)).toEqual({ gpu: { id: "L4", count: 1, cuda: "12.4" }, places: ["EU-RO-1"] });
  expect(withDeclared({ ...state, env: { A: "1" } }, { gpu: { id: "L4" } })).toStrictEqual({
    gpu: { id: "L4", count: 1 },
  });
});
