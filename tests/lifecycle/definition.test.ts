import { expect, test } from "@jest/globals";
import { z } from "zod";
import { defineResource, revision } from "../../provider/lifecycle/definition";
import { afterCreate, control, timeout, trigger } from "../../provider/lifecycle/fields/fields";

const inputs = z.strictObject({
  name: z.string(),
  locked: afterCreate(z.boolean().default(false)),
  of: trigger(z.number().optional()),
  patient: control(z.boolean().default(true)).describe("Whether it waits."),
  createTimeout: timeout("15m"),
});

/** What every definition below has in common. */
const common = {
  kind: "Thing",
  noun: "Request",
  uses: [],
  adoption: "none",
  orphans: "none",
  priced: false,
  source: { operation: "POST /things", page: "things" },
  description: "A thing.",
  inputs,
  shows: ["name"],
  outputs: z.object({ address: z.string(), memory: z.int().optional(), revision: revision("thing") }),
  examples: [{ title: "A thing", name: "thing", args: { name: "thing" } }],
} as const;
const operations = { create: async () => ({ id: "1", address: "a" }), delete: async () => true, observe: () => ({}) };

test("a definition computes exactly the outputs that it declares, or does not compile", () => {
  const shared = { ...common, ...operations, read: async () => ({ id: "1", address: "a" }) };
  const definitions = [
    defineResource({ ...shared, computed: ({ address }) => ({ address, memory: undefined }) }),
    defineResource({
      ...shared,
      // @ts-expect-error one is missing
      computed: ({ address }) => ({ address }),
    }),
    defineResource({
      ...shared,
      // @ts-expect-error one is too many
      computed: ({ address }) => ({ address, memory: 1, adress: address }),
    }),
    defineResource({
      ...shared,
      // @ts-expect-error one has another type
      computed: () => ({ address: 1, memory: 1 }),
    }),
  ];
  expect(definitions).toHaveLength(4);
});

test("a definition keeps from a create what it must not send, or does not compile", () => {
  const definition = defineResource({
    ...common,
    ...operations,
    create: async (_, sent, __, { patient, createTimeout }) => {
      // @ts-expect-error a control is not a part of the resource
      const { createTimeout: ___ } = sent;
      // @ts-expect-error it is only taken by updates
      const { locked: ____ } = sent;
      return { id: "1", address: `${sent.name} ${patient} ${createTimeout}` };
    },
    read: async () => undefined,
    update: async (_, id, { name, locked }) => ({ id, address: `${name} ${locked}` }),
    computed: ({ address }) => ({ address, memory: undefined }),
  });
  expect(definition.kind).toBe("Thing");
});
