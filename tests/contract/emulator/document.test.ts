import { beforeAll, describe, expect, it } from "@jest/globals";
import { definitions } from "../../../provider/resources";
import { emulatorForAll } from "../../harness/account";
import { differences, propertiesOf } from "../openapi/compare";
import { deviationFor } from "../openapi/deviations";
import { type OpenApi, type Operation, operationsOf } from "../openapi/document";
import { contract, LATER_OPERATIONS } from "../openapi/later";

/** The sources of kinds that are created over REST. */
const SOURCES = Object.values(definitions)
  .map(({ source }) => source)
  .filter(({ operation }) => /^[A-Z]+ \/v2\/(?!\{)/.test(operation));

const { emulator } = emulatorForAll();
let ownDocument: OpenApi;
let operations: ReadonlyMap<string, Operation>;
beforeAll(async () => {
  ownDocument = JSON.parse(await (await fetch(`${emulator.baseUrl}/v2/openapi.json`)).text());
  operations = operationsOf(ownDocument);
});

it("the emulator's own OpenAPI document has the operation that each kind names as its source", () => {
  const has = new Set(Array.from(operations.values(), ({ method, path }) => `${method} ${path}`));
  expect(SOURCES.length).toBeGreaterThan(10);
  expect(SOURCES.filter(({ operation }) => !has.has(operation))).toEqual([]);
});

const withContract = contract === undefined ? describe.skip : describe;
const where = contract === undefined ? ", which is not at ../shared/contract/openapi.json," : "";

withContract(`beside the contract${where} the emulator's document`, () => {
  const theirs = contract ?? { paths: {}, components: {} };
  const both = () => Array.from(operationsOf(theirs).values(), (their) => ({ their, our: operations.get(their.id) }));

  it("has the same operations, by the same ids, at the same paths with the same query, and those that came later", () => {
    const queryOf = ({ query }: Operation) => query.map(({ name }) => name).toSorted();
    const listed = (each: Iterable<Operation>) =>
      Array.from(each, (one) => `${one.id}: ${one.method} ${one.path}?${queryOf(one)}`).toSorted();
    const ours = Array.from(operations.values());
    expect(listed(ours.filter(({ id }) => !LATER_OPERATIONS.has(id)))).toEqual(listed(operationsOf(theirs).values()));
  });

  it("has the page that each kind links: the vendor names pages by tag and summary", () => {
    const slug = (text = "") => text.toLowerCase().replaceAll(/[^a-z]+/g, "-");
    const pages = new Map(
      Array.from(operationsOf(theirs).values(), ({ method, path, tag, summary }) => [
        `${method} ${path}`,
        `api-reference-v2/${slug(tag)}/${slug(summary)}`,
      ]),
    );
    const linked = SOURCES.filter(({ operation }) => pages.has(operation));
    expect(linked.length).toBeGreaterThan(6);
    expect(linked.map(({ page }) => page)).toEqual(linked.map(({ operation }) => pages.get(operation)));
  });

  it("names every status that the contract names, and others only as listed deviations", () => {
    const differing = both().flatMap(({ their, our }) => {
      const ours = [...(our?.responses.keys() ?? [])];
      const missing = [...their.responses.keys()].filter((status) => status !== "default" && !ours.includes(status));
      const extra = ours.filter((status) => !their.responses.has(status));
      const unlisted = extra.filter((status) => deviationFor("status", their.id, Number(status)) === undefined);
      const say = (what: string) => (status: string) => `${their.id} ${what} ${status}`;
      return [...missing.map(say("lacks")), ...unlisted.map(say("has"))];
    });
    expect(differing).toEqual([]);
  });

  it("has the same properties in every request and answer, requires the same and promises no less", () => {
    const differing = both().flatMap(({ their, our }) => {
      const bodies = [our?.body, their.body] as const;
      const answers = Array.from(their.responses).flatMap(([status, response]) => {
        const [ourContent] = Object.values(our?.responses.get(status)?.content ?? {});
        const [theirContent] = Object.values(response.content ?? {});
        return status === "default" ? [] : [[status, ourContent?.schema, theirContent?.schema] as const];
      });
      return [["request", ...bodies] as const, ...answers].flatMap(([what, ourSchema = {}, theirSchema = {}]) => {
        const at = `${their.id} ${what}`;
        return differences(propertiesOf(ownDocument, ourSchema, at), propertiesOf(theirs, theirSchema, at));
      });
    });
    // An answer that always has what the contract only allows is what a client of the contract can read.
    const promisesMore = /^\w+ 20\d.* is required only in the emulator$/;
    expect(differing.filter((difference) => !promisesMore.test(difference))).toEqual([]);
  });
});
