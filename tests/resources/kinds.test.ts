/* What commands that work on a whole account know of each kind, from its definition alone. */
import { describe, expect, test } from "@jest/globals";
import { adoptableKinds } from "../../provider/cli/adopt/account";
import { readsOf } from "../../provider/cli/doctor/command";
import { createClient } from "../../provider/client";
import { type Area, areaOf } from "../../provider/client/outcomes/statuses";
import { FromResource } from "../../provider/lifecycle/example";
import { factsOf } from "../../provider/lifecycle/fields";
import { definitions } from "../../provider/resources";
import { inOrder, kinds, ordered } from "../../provider/resources/order";
import { serviceThat } from "../cli/hostileService";

const byName = Object.entries(kinds);

/** The compiler asks for every area of the client. */
const AREAS: Readonly<Record<Area, true>> = {
  pods: true,
  clusters: true,
  serverless: true,
  templates: true,
  "network volumes": true,
  "global volumes": true,
  registries: true,
  secrets: true,
  tags: true,
  "cost centers": true,
  "the account": true,
  "the catalog": true,
  billing: true,
};

/** A client whose service refuses every call. */
async function refusing() {
  const service = await serviceThat((_, response) => {
    response.writeHead(403, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ status: 403, title: "Forbidden" }));
  });
  const { address: baseUrl } = service;
  return {
    service,
    client: createClient({ apiKey: "k", baseUrl, serverlessUrl: baseUrl, graphqlUrl: `${baseUrl}/graphql` }),
  };
}

/** The kinds that the examples of a kind refer to. */
function referred(value: unknown): string[] {
  if (value instanceof FromResource) return [value.kind];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(referred) : [];
}

describe("a kind", () => {
  test.each(byName)("%s says what a 403 of its list names", async (_, { noun, list }) => {
    if (list === undefined) return;
    const { service, client } = await refusing();
    try {
      await expect(list({ client })).rejects.toThrow(`read access to ${areaOf(noun)}`);
    } finally {
      await client.close();
      await service[Symbol.asyncDispose]();
    }
  });

  test.each(Object.entries(definitions))("%s uses the kinds that its examples refer to", (name, { examples }) => {
    expect(kinds[name]?.uses).toEqual(expect.arrayContaining(examples.flatMap(({ args }) => referred(args))));
  });

  test.each(byName)("%s is an orphan by its generated name where it has one and a list of its own", (_, kind) => {
    const { name } = kind.inputs.shape;
    const isNamed = name !== undefined && factsOf(name).autoNamed === true && kind.listedWith === undefined;
    expect(kind.orphans === "named").toBe(isNamed);
  });

  test.each(byName)("%s can be listed and deleted where a killed run may leave one", (_, kind) => {
    const needed = kind.orphans === "none" ? [] : ["list", "delete"];
    expect(Object.keys(kind)).toEqual(expect.arrayContaining(needed));
  });
});

test("every kind that can be adopted is, after the kinds that it uses", () => {
  expect(adoptableKinds).toEqual(
    inOrder.flatMap((name) => (kinds[name]?.adoption === "none" ? [] : kinds[name]?.kind)),
  );
  expect([...inOrder].sort()).toEqual(Object.keys(kinds).sort());
  for (const [name, { uses }] of byName)
    for (const used of uses) expect(inOrder.indexOf(used)).toBeLessThan(inOrder.indexOf(name));
});

test("a use of what is not a kind, or of itself, is an error", () => {
  expect(() => ordered({ pod: { uses: ["tempalte"] } })).toThrow('pod can\'t use "tempalte": it is not a kind');
  expect(() => ordered({ a: { uses: ["b"] }, b: { uses: ["a"] } })).toThrow(
    'b can\'t use "a": it uses that kind itself',
  );
});

test("doctor tries every area of rights", async () => {
  const { service, client } = await refusing();
  try {
    const reads = Object.entries(readsOf(client, {}));
    expect(reads.map(([area]) => area).sort()).toEqual(Object.keys(AREAS).sort());
    for (const [area, read] of reads) await expect(read()).rejects.toThrow(`read access to ${area}`);
  } finally {
    await client.close();
    await service[Symbol.asyncDispose]();
  }
});
