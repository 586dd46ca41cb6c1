/* Every operation of REST with values that its own schema allows, and with some that it does not. */
import { beforeAll, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { emulatorForAll } from "../../harness/account";
import { operationsOf } from "../openapi/document";
import { valuesOf } from "../openapi/values";
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
