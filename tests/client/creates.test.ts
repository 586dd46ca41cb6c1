import { expect, test } from "@jest/globals";
import { savedEndpoint, template } from "../harness/requests";
import { json, reset, Script, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

const script = serverForEach(new Script());

const sent = () => script.received.map(({ method, url = "" }) => `${method} ${url.replace(/\?.*/, "")}`);

test.each([
  ["has no id", { data: { saveEndpoint: { name: "new" } } }],
  ["has no endpoint", { data: { saveEndpoint: null } }],
  ["has no data", { data: null }],
  ["is not GraphQL", ["not", "graphql"]],
])("a saveEndpoint whose answer %s is looked for, and not sent again", async (_, answer) => {
  // Later than whatever the client's clock, on which waiting takes no time, may show by then.
  const created = { id: "made", name: "new", createdAt: new Date(Date.now() + 3_600_000) };
  script.play(
    json(answer),
    json({ endpoints: [created] }),
    json({ endpoints: [created] }),
    json({ data: { myself: { e0: created } } }),
  );
  expect(await script.client().endpoints.save(savedEndpoint("new", "t"))).toMatchObject({ id: "made" });
  expect(sent()).toEqual(["POST /graphql", "GET /v2/serverless", "GET /v2/serverless", "POST /graphql"]);
});

test("a create whose answer was lost may exist, also when the clock ends the search", async () => {
  const cause = new Error("the run was told to stop");
  const clock = { now: Date.now, sleep: () => Promise.reject(cause) };
  script.play(json({ data: null }), json({ endpoints: [] }));
  const save = await errorOf(script.client({ clock }).endpoints.save(savedEndpoint("new", "t")));
  expect(save).toMatchObject({ name: "AbortError", outcomeUnknown: true, candidates: [], cause });
  expect(sent()).toEqual(["POST /graphql", "GET /v2/serverless"]);
});

const problem = (code: string) => json({ data: null, errors: [{ message: "no", extensions: { code } }] });
const transient = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE", "GATEWAY_TIMEOUT", "RATE_LIMITED"];

test.each(transient)(
  "a GraphQL error of code %s is asked for again by a read, and a create's answer is lost",
  async (code) => {
    script.play(problem(code), json({ data: { myself: { endpoints: [] } } }));
    expect(await script.client().endpoints.list()).toEqual([]);
    expect(sent()).toEqual(["POST /graphql", "POST /graphql"]);
    script.play(problem(code), json({ endpoints: [] }));
    const save = script.client().endpoints.save(savedEndpoint("new", "t"));
    await expect(save).rejects.toMatchObject({ name: "MayExistError", candidates: [] });
    expect(sent().filter((call) => call === "POST /graphql")).toHaveLength(3);
  },
);

test("a GraphQL error of another code is the service's no", async () => {
  // The list is asked for again without newer fields, which an older service may have refused.
  script.play(problem("BAD_USER_INPUT"), problem("BAD_USER_INPUT"), problem("BAD_USER_INPUT"));
  const client = script.client();
  await expect(client.endpoints.list()).rejects.toMatchObject({
    name: "GraphqlError",
    extensionCode: "BAD_USER_INPUT",
  });
  const save = await errorOf(client.endpoints.save(savedEndpoint("new", "t")));
  expect(save).toMatchObject({ name: "GraphqlError" });
  expect(save).not.toMatchObject({ outcomeUnknown: true });
  expect(script.received).toHaveLength(3);
});

const conflict = json({ title: "Conflict", status: 409, detail: "not allowed now" }, 409);
const shows = (status: string) => json({ id: "p", status });

test.each([
  ["is refused at once, without a look at it", [conflict], "ConflictError", 1],
  [
    "was lost, and whose second is refused as its effect shows",
    [reset, shows("RUNNING"), conflict, shows("EXITED")],
    "EXITED",
    4,
  ],
  ["was lost, and whose second is refused for another reason", [reset, shows("RUNNING"), conflict], "ConflictError", 4],
])("an action that %s ends so", async (_, steps, end, requests) => {
  script.play(...steps, shows("RUNNING"));
  const action = script.client().pods.action("p", "stop");
  expect(
    await action.then(
      (pod) => pod?.status,
      (error: Error) => error.name,
    ),
  ).toBe(end);
  expect(script.received).toHaveLength(requests);
});

test.each([{ name: "new" }, { id: "", name: "new" }])(
  "an answer to a create without an id is lost: %j",
  async (answer) => {
    script.play(json(answer, 201), json({ templates: [{ id: "made", name: "new" }] }));
    expect(await script.client().templates.create(template("new"))).toMatchObject({ id: "made" });
    expect(sent().filter((call) => call.startsWith("POST"))).toHaveLength(1);
  },
);
