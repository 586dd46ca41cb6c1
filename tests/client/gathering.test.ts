/* Saves and deletes that are asked for together share a document, and each has a verdict of its own. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { type Client, GraphqlError, MayExistError } from "../../client";
import { placeForAll } from "../harness/place";
import { savedEndpoint, template } from "../harness/requests";
import { json, Script, serverForEach } from "../harness/script";

describe("a client that gathers", () => {
  const place = placeForAll({ settings: { rateLimitExempt: true, workerQuota: 10 } });
  let client: Client;
  let templateId: string;
  beforeEach(async () => {
    await place.reset();
    await place.service.settings({ graphqlMostMutations: 1_000 });
    client = place.client({ clock: place.sharedClock() }).gathering();
    templateId = (await client.templates.create({ ...template("t"), serverless: true })).id;
    await place.forgetCalls();
  });

  const inputs = (count: number) =>
    Array.from({ length: count }, (_, index) => savedEndpoint(`endpoint-${index}`, templateId));
  const save = (all: ReturnType<typeof inputs>, uniqueName = true) =>
    Promise.all(all.map((input) => client.endpoints.save(input, { uniqueName })));
  const settled = (all: ReturnType<typeof inputs>) =>
    Promise.allSettled(all.map((input) => client.endpoints.save(input, { uniqueName: true })));
  const storedEndpoints = async () => (await place.state()).endpoints ?? [];
  const saves = async () => (await place.sent()).filter((call) => call === "saveEndpoint").length;

  test("creates 60 in three calls, each answered by itself", async () => {
    const saved = await save(inputs(60));
    expect(saved.map(({ name }) => name)).toEqual(inputs(60).map(({ name }) => name));
    expect(new Set(saved.map(({ id }) => id)).size).toBe(60);
    expect(await place.sent()).toEqual(["saveEndpoint", "saveEndpoint", "saveEndpoint"]);
  });

  test("saves, finds and deletes existing ones together too", async () => {
    const saved = await save(inputs(30));
    await place.forgetCalls();
    const changed = await Promise.all(
      saved.map(({ id }, index) => client.endpoints.save({ ...savedEndpoint(`other-${index}`, templateId), id })),
    );
    expect(changed.map(({ id }) => id)).toEqual(saved.map(({ id }) => id));
    expect((await Promise.all(saved.map(({ id }) => client.endpoints.find(id)))).map((each) => each?.name)).toEqual(
      changed.map(({ name }) => name),
    );
    await Promise.all(saved.map(({ id }) => client.endpoints.delete(id)));
    expect(await storedEndpoints()).toEqual([]);
    // Half of what was asked for is gone, which GraphQL says in words only.
    await Promise.all([...saved.slice(0, 15).map(({ id }) => id), "gone"].map((id) => client.endpoints.delete(id)));
    const sent = await place.sent();
    expect(sent.filter((call) => call === "saveEndpoint")).toHaveLength(2);
    expect(sent.filter((call) => call === "deleteEndpoint")).toHaveLength(3);
  });

  test("shares a list among all that ask for one at the same moment, and reads it anew for the next", async () => {
    const lists = await Promise.all(Array.from({ length: 10 }, () => client.serverless.list()));
    expect(lists).toEqual(Array.from({ length: 10 }, () => []));
    await save(inputs(1));
    expect(await client.serverless.list()).toHaveLength(1);
    expect((await place.sent()).filter((call) => call === "GET /v2/serverless")).toHaveLength(2);
  });

  test("sends by itself what has a signal of its own, which ends that call alone", async () => {
    const [first, second, third] = await save(inputs(3));
    await place.forgetCalls();
    const { signal } = new AbortController();
    await Promise.all([
      client.endpoints.delete(String(first?.id), { signal }),
      client.endpoints.delete(String(second?.id)),
      client.endpoints.delete(String(third?.id)),
    ]);
    expect((await place.sent()).filter((call) => call === "deleteEndpoint")).toHaveLength(2);
    expect(await storedEndpoints()).toEqual([]);
    const ended = client.serverless.list({ signal: AbortSignal.abort(new Error("ended")) });
    const other = client.serverless.list();
    await expect(ended).rejects.toThrow("ended");
    expect(await other).toEqual([]);
  });

  test("lets a field that is refused fail alone", async () => {
    const all = inputs(10).map((input, index) => (index === 4 ? { ...input, templateId: "nosuch" } : input));
    const results = await settled(all);
    const reasons = results.flatMap((each, index) => (each.status === "rejected" ? [[index, each.reason]] : []));
    expect(reasons).toEqual([[4, expect.any(GraphqlError)]]);
    expect(await storedEndpoints()).toHaveLength(9);
    expect(await saves()).toBe(1);
  });

  test("counts what the account allows one by one", async () => {
    const results = await settled(inputs(4).map((input) => ({ ...input, workers: { ...input.workers, max: 4 } })));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
  });

  test.each([
    ["dropped", { drop: "after" }],
    ["cut off", { truncate: true }],
    ["replaced by a 502", { status: 502 }],
  ] as const)("looks for each by its name when the answer was %s, and makes nothing twice", async (how, act) => {
    await place.fault({ operation: "saveEndpoint" }, act);
    if (how === "replaced by a 502") {
      const results = await settled(inputs(5));
      for (const result of results) expect(result).toMatchObject({ reason: expect.any(MayExistError) });
      expect(await storedEndpoints()).toEqual([]);
    } else {
      const saved = await save(inputs(30));
      expect(new Set(saved.map(({ id }) => id)).size).toBe(30);
      expect(await storedEndpoints()).toHaveLength(30);
    }
    expect(await saves()).toBe(how === "replaced by a 502" ? 1 : 2);
  });

  test("sends again what the service has not touched, and what changes nothing when it is sent twice", async () => {
    await place.fault({ operation: "saveEndpoint" }, { status: 429, headers: { "retry-after": "1" } });
    const saved = await save(inputs(5));
    expect(await storedEndpoints()).toHaveLength(5);
    await place.fault({ operation: "saveEndpoint" }, { drop: "after" });
    await Promise.all(
      saved.map(({ id }, index) => client.endpoints.save({ ...savedEndpoint(`other-${index}`, templateId), id })),
    );
    expect((await storedEndpoints()).map(({ name }) => name).sort()).toEqual(saved.map((_, index) => `other-${index}`));
  });

  test("sends one by one what the service does not take together", async () => {
    await place.service.settings({ graphqlMostMutations: 1 });
    const saved = await save(inputs(5));
    expect(await storedEndpoints()).toHaveLength(5);
    expect(await saves()).toBe(6);
    await Promise.all(saved.map(({ id }) => client.endpoints.delete(id)));
    expect(await storedEndpoints()).toEqual([]);
  });

  test("refuses what it does not know before anything is sent, and that alone", async () => {
    const odd = { ...savedEndpoint("odd", templateId), colour: "red" };
    const results = await settled([...inputs(2), odd]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(results[2]).toMatchObject({ reason: { message: expect.stringContaining("colour") } });
  });

  test("fails all with a key that is refused, and sends nothing again", async () => {
    const wrongKeyClient = place.client({ apiKey: "wrong-key-0123456789" }).gathering();
    const all = inputs(3).map((input) => wrongKeyClient.endpoints.save(input));
    for (const result of await Promise.allSettled(all))
      expect(result).toMatchObject({ reason: { name: "AuthenticationError" } });
    expect(await place.calls()).toHaveLength(1);
  });
});

describe("an answer to several creates", () => {
  const script = serverForEach(new Script());

  const both = () => {
    const client = script.client().gathering();
    const all = ["one", "two"].map((name) => client.endpoints.save(savedEndpoint(name, "t"), { uniqueName: true }));
    return Promise.allSettled(all);
  };
  const endpoint = (id: string, name: string) => ({ id, name, createdAt: new Date().toISOString() });
  const saved = [endpoint("id1", "one"), endpoint("id2", "two")];
  const list = json({ endpoints: saved });
  const problem = (path: string[] | undefined, code: string) => ({ message: "no", path, extensions: { code } });
  const readAnswer = json({ data: { myself: { e0: saved[0], e1: saved[1] } } });

  test.each([
    ["without one of them", { data: { e0: saved[0], e1: null } }],
    [
      "with an error of the service's for one of them",
      { data: { e0: saved[0], e1: null }, errors: [problem(["e1"], "INTERNAL_SERVER_ERROR")] },
    ],
    ["with one that can't be read", { data: { e0: saved[0], e1: { name: "two" } } }],
  ])("%s is lost for that one alone", async (_, answer) => {
    script.play(json(answer), list, list, json({ data: { myself: { e0: saved[1] } } }));
    const [one, two] = await both();
    expect([one, two]).toMatchObject([{ value: { id: "id1" } }, { value: { id: "id2" } }]);
    expect(script.sent()).toEqual(["POST /graphql", "GET /v2/serverless", "GET /v2/serverless", "POST /graphql"]);
  });

  test.each([
    ["that one refusal has emptied", { data: null, errors: [problem(["e0"], "RUNPOD")] }],
    ["whose refusal names no field", { data: null, errors: [problem(undefined, "RUNPOD")] }],
    ["that is empty", { data: null }],
    ["that is none", 7],
  ])("%s leaves the others to be looked for", async (how, answer) => {
    script.play(json(answer), list, list, readAnswer);
    const [one, two] = await both();
    if (how === "that one refusal has emptied") expect(one).toMatchObject({ reason: expect.any(GraphqlError) });
    else expect(one).toMatchObject({ value: { id: "id1" } });
    expect(two).toMatchObject({ status: "fulfilled" });
    expect(script.sent().filter((call) => call === "POST /graphql")).toHaveLength(2);
  });

  test.each([
    ["a 400", json({ errors: [problem(undefined, "GRAPHQL_VALIDATION_FAILED")] }, 400)],
    ["a 200 without data", json({ errors: [problem(undefined, "GRAPHQL_VALIDATION_FAILED")] })],
  ])("that refuses the document, with %s, is followed by one call each", async (_, refusal) => {
    script.play(refusal, json({ data: { saveEndpoint: saved[0] } }), json({ data: { saveEndpoint: saved[1] } }));
    const results = await both();
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(script.sent()).toEqual(["POST /graphql", "POST /graphql", "POST /graphql"]);
  });
});
