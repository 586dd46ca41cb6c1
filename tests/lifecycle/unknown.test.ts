/* Previews hold values that aren't known yet: a schema takes them anywhere and checks the rest as ever. */
import { expect, test } from "@jest/globals";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc";
import { z } from "zod";
import { containsUnknown, tolerateUnknown, UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { PLACEHOLDER } from "../../provider/lifecycle/fields/unread";

test("the text for a value not known yet is the engine's", () => expect(UNKNOWN).toBe(unknownValue));

test("an unknown is found at any depth", () => {
  expect([UNKNOWN, [1, UNKNOWN], { a: [{ b: UNKNOWN, c: 1 }], d: 1 }].map(containsUnknown)).toEqual([true, true, true]);
  expect(["text", null, undefined, [], [1], { a: { b: null } }].some(containsUnknown)).toBe(false);
});

const scaling = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("delay"), seconds: z.int() }),
  z.strictObject({ by: z.literal("count"), requests: z.int().default(4) }),
]);
const schema = tolerateUnknown(
  z.strictObject({
    name: z.string(),
    size: z
      .int()
      .min(1)
      .refine((size) => size !== 13, { params: { by: "hand" } })
      .optional(),
    disk: z.int().default(20),
    ports: z.array(z.int()).default([]),
    limits: z.record(z.string(), z.int()).optional(),
    gpu: z
      .strictObject({ id: z.string(), count: z.int().default(1) })
      .refine(({ id, count }) => id !== "one" || count === 1, { path: ["count"], error: "there is one" })
      .optional(),
    scaling: scaling.optional(),
  }),
);
const parsed = (args: object) => schema.parse({ name: "a", ...args });
const complaints = (args: object) =>
  schema.safeParse({ name: "a", ...args }).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

test.each([
  ["nothing", {}, {}],
  ["a known value", { size: 2 }, { size: 2 }],
  ["an unknown value", { name: UNKNOWN, size: UNKNOWN, disk: UNKNOWN }, {}],
  ["the placeholder of an import", { gpu: { id: "L4", count: PLACEHOLDER } }, {}],
  ["an unknown list, map, object and union", { ports: UNKNOWN, limits: UNKNOWN, gpu: UNKNOWN, scaling: UNKNOWN }, {}],
  ["an unknown in a list", { ports: [80, UNKNOWN] }, {}],
  ["an unknown in a map", { limits: { a: 1, b: UNKNOWN } }, {}],
  ["an unknown in an object", { gpu: { id: UNKNOWN } }, { gpu: { id: UNKNOWN, count: 1 } }],
  ["a known branch", { scaling: { by: "count" } }, { scaling: { by: "count", requests: 4 } }],
  ["an unknown in a known branch", { scaling: { by: "delay", seconds: UNKNOWN } }, {}],
  ["a branch that is not known, and nothing of it is checked", { scaling: { by: UNKNOWN, seconds: "x" } }, {}],
])("a schema that tolerates unknowns takes %s", (_, args, result) =>
  expect(parsed(args)).toEqual({ name: "a", disk: 20, ports: [], ...args, ...result }),
);

test.each([
  ["a value", { size: 0 }, "size: must be at least 1"],
  ["a value beside an unknown", { name: UNKNOWN, size: 1.5 }, "size: must be a whole number"],
  ["what is none of the arguments", { sise: 1 }, "does not take sise"],
  ["in a list", { ports: [UNKNOWN, "80"] }, "ports.1: must be a number, not a string"],
  ["in a map", { limits: { a: "1", b: UNKNOWN } }, "limits.a: must be a number, not a string"],
  ["in an object", { gpu: { id: UNKNOWN, count: "2" } }, "gpu.count: must be a number"],
  ["in a branch", { scaling: { by: "delay", seconds: "x" } }, "scaling.seconds: must be a number"],
  ["in place of a branch", { scaling: { by: "moon" } }, `scaling.by: must be one of "delay"`],
  ["in place of a union", { scaling: null }, "scaling: must be an object, not null"],
  ["a text in place of a union", { scaling: "delay" }, "scaling: must be an object, not a string"],
  ["by a rule of the schema", { gpu: { id: "one", count: 2 } }, "gpu.count: there is one"],
  ["in place of a map", { limits: "a=1" }, "limits: must be a map, not a string"],
])("a schema that tolerates unknowns refuses a mistake: %s", (_, args, complaint) =>
  expect(complaints(args)).toEqual([expect.stringContaining(complaint)]),
);

test("a schema that tolerates unknowns keeps what the schema's own issue says, however deep it is", () => {
  const issues = schema.safeParse({ name: "a", size: 13, gpu: { id: 1 }, sise: 1 }).error?.issues;
  expect(issues).toEqual([
    expect.objectContaining({
      path: ["size"],
      params: { issue: expect.objectContaining({ code: "custom", params: { by: "hand" } }) },
    }),
    expect.objectContaining({
      path: ["gpu", "id"],
      params: { issue: expect.objectContaining({ code: "invalid_type", expected: "string" }) },
    }),
    expect.objectContaining({
      path: [],
      params: { issue: expect.objectContaining({ code: "unrecognized_keys", keys: ["sise"] }) },
    }),
  ]);
});

test("a schema that tolerates unknowns knows unions of objects only", () => {
  const nested = z.discriminatedUnion("by", [scaling]);
  expect(() => tolerateUnknown(nested)).toThrow("only unions of objects are discriminated here");
});
