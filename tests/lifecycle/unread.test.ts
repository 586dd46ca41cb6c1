/* What an import by id alone makes of what it finds, and how the first declaration fills in the rest. */
import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { declaredKeys, replaces, secret, writeOnly } from "../../provider/lifecycle/fields";
import { declarable, noteUnread, PLACEHOLDER, unreadPaths, withDeclared } from "../../provider/lifecycle/unread";

const schema = z.strictObject({
  size: z.int().default(10),
  zone: z.string().optional(),
  password: secret(writeOnly(z.string())),
  places: writeOnly(replaces(z.array(z.string()).default([]))),
  env: declaredKeys(z.record(z.string(), z.string()).default({})),
  gpu: z.strictObject({ id: z.string(), count: z.int().default(1), cuda: writeOnly(z.string().optional()) }).optional(),
});

describe("what a program would have to declare", () => {
  test("leaves out defaults, what isn't shown and what may be a secret", () => {
    const observed = { size: 10, zone: null, env: { TOKEN: "t" }, gpu: { id: "L4", count: 1, memory: 24 } };
    expect(declarable(schema, observed)).toEqual({ password: PLACEHOLDER, gpu: { id: "L4" } });
    expect(declarable(schema, { size: 20 })).toEqual({ size: 20, password: PLACEHOLDER });
  });

  test("is noted where it could not be read", () => {
    expect(unreadPaths(schema)).toEqual(["password", "places", "env", "gpu.cuda"]);
  });
});

describe("the state of an imported resource", () => {
  const state = { gpu: { id: "L4", count: 1 }, places: [], ...noteUnread(["places", "gpu.cuda", "env"]) };

  test("knows no more before a program declares the resource", () => {
    expect(withDeclared(state, noteUnread(["places"]))).toBe(state);
  });

  test("takes what it could not read from the arguments of the last run", () => {
    const declared = { gpu: { id: "L4", cuda: "12.4" }, places: ["EU-RO-1"] };
    expect(withDeclared(state, declared)).toEqual({
      gpu: { id: "L4", count: 1, cuda: "12.4" },
      places: ["EU-RO-1"],
    });
  });
});
