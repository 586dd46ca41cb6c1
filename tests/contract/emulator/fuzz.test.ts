/* Every operation of REST with values that its own schema allows, and with some that it does not. */
import { beforeAll, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { emulatorForAll } from "../../harness/account";
import { follow, type JsonSchema, type OpenApi, operationsOf } from "../openapi/document";
import { type Ask, Conversation } from "./conversation";

const RUNS = 12;
const SEED = 20_260_815;

const { emulator } = emulatorForAll();
let talk: Conversation;
beforeAll(async () => {
  talk = await Conversation.begin(emulator);
});

/** As it goes over the wire: what makes values up gives some of them no prototype, which equality then minds. */
const asJson = (ask: Ask): Ask => JSON.parse(JSON.stringify(ask));

/** Anything at all in place of one property, or beside the others. */
const spoilt = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(body, fc.jsonValue({ maxDepth: 2 }), fc.nat()).map(([value, other, place]) => {
    const names = [...Object.keys(Object(value)), "bogus"];
    return typeof value === "object" ? { ...value, [names[place % names.length] ?? "bogus"]: other } : other;
  });

it("never fails inside, and answers as both documents say, whatever is sent", async () => {
  const documents = [talk.ownDocument, ...(talk.contract ? [talk.contract] : [])];
  const statuses = new Map<string, Set<number>>();
  for (const validator of documents)
    for (const { id, query, body } of operationsOf(validator.document).values()) {
      const values = valuesOf(validator.document);
      const bodies = body && values(body);
      const asks = fc.record({
        query: fc
          .record(Object.fromEntries(query.map(({ name, schema }) => [name, values(schema)])), { requiredKeys: [] })
          .map((drawn) => Object.fromEntries(Object.entries(drawn).map(([name, value]) => [name, String(value)]))),
        ...(bodies && { body: fc.oneof(bodies, spoilt(bodies)) }),
      });
      await fc.assert(
        fc.asyncProperty(asks.map(asJson), async (ask) => {
          const { status, problems } = await talk.exchange(id, ask);
          statuses.set(id, (statuses.get(id) ?? new Set()).add(status));
          expect({ id, ask, problems, isFailure: status >= 500 }).toEqual({ id, ask, problems: [], isFailure: false });
        }),
        { numRuns: RUNS, seed: SEED },
      );
    }
  expect(statuses.size).toBe(talk.ownDocument.operations.size);
});

/** What the values of a schema are made by, beyond what the comparison of documents looks at. */
interface ValueSchema extends JsonSchema {
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly format?: string;
}

/** Words that mean something to the service, so that values get further than its first look at them. */
const WORDS = ["NVIDIA GeForce RTX 4090", "ADA_24", "EU-RO-1", "repo/image:1", "8888/http", "cpu3c", "12.4", "a"];

/** No number is exact any more from 2^53 on; what draws no line takes them. */
const BEYOND_EXACT = 2 ** 60;

/** Values that a schema of the document allows, as far as properties by themselves say; some break rules between them. */
function valuesOf(document: OpenApi) {
  const values = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const node: ValueSchema = follow(document, schema);
    if (node.const !== undefined) return fc.constant(node.const);
    if (node.enum !== undefined) return fc.constantFrom(...node.enum);
    const union = node.anyOf ?? node.oneOf;
    if (union !== undefined && node.properties === undefined) return fc.oneof(...union.map((member) => values(member)));
    const { allOf, ...rest } = node;
    if (allOf !== undefined)
      return fc.tuple(...[...allOf, rest].map((part) => values(part))).map((parts) => Object.assign({}, ...parts));
    const [type] = [node.type ?? (node.properties === undefined ? "anything" : "object")].flat();
    switch (type) {
      case "boolean":
        return fc.boolean();
      case "integer":
        return fc.oneof(
          {
            weight: 9,
            arbitrary: fc.integer({ min: node.minimum ?? -5, max: Math.min(node.maximum ?? 5000, 1_000_000) }),
          },
          { weight: 1, arbitrary: fc.constant(node.maximum ?? BEYOND_EXACT) },
        );
      case "number":
        return fc.double({ min: node.minimum ?? -5, max: node.maximum ?? 5000, noNaN: true });
      case "string":
        return text(node);
      case "array":
        return fc.array(values(node.items ?? {}), {
          minLength: node.minItems ?? 0,
          maxLength: Math.min(node.maxItems ?? 3, 3),
        });
      case "object":
        return objects(node);
      default:
        return fc.constant({});
    }
  };

  const objects = (node: ValueSchema): fc.Arbitrary<unknown> => {
    const { properties = {}, required = [], additionalProperties } = node;
    if (typeof additionalProperties === "object" && Object.keys(properties).length === 0)
      return fc.dictionary(fc.stringMatching(/^[A-Z]{1,5}$/), values(additionalProperties), { maxKeys: 3 });
    const model = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, values(inner)]));
    return fc.record(model, { requiredKeys: required.filter((name) => name in model) });
  };
  return values;
}

function text({ pattern, format, minLength = 0 }: ValueSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  return fc.oneof(fc.constantFrom(...WORDS), fc.string({ minLength, maxLength: 12 }));
}
