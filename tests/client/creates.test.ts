import type { Socket } from "node:net";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { Agent, buildConnector } from "undici";
import type { Client } from "../../client";
import { placeForAll } from "../harness/place";
import { pod, savedEndpoint, template } from "../harness/requests";
import { json, reset, Script, type Step, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

const script = serverForEach(new Script());

const sent = () => script.received.map(({ method, url = "" }) => `${method} ${url.replace(/\?.*/, "")}`);
/** Later than whatever the client's clock, on which waiting takes no time, may show by then. */
const createdSince = (id: string, name = "new") => ({ id, name, createdAt: new Date(Date.now() + 3_600_000) });
const lists = (...ids: string[]) => json({ pods: ids.map((id) => createdSince(id)) });

const systemError = (code: string, syscall: string) =>
  Object.assign(new Error(`${syscall} ${code} 127.0.0.1`), { code, syscall });

/** Sockets that fail as the system would make them fail: the first connect, or the first that is connected. */
function routes(code: string) {
  const connect = buildConnector({});
  const sockets: Socket[] = [];
  const failing = { connects: 0 };
  const dispatcher = new Agent({
    connect(options, callback) {
      if (failing.connects > 0) {
        failing.connects -= 1;
        callback(systemError(code, "connect"), null);
        return;
      }
      connect(options, (...result) => {
        if (result[1] !== null) sockets.push(result[1]);
        callback(...result);
      });
    },
  });
  const loseRoute: Step = () => void sockets[0]?.destroy(systemError(code, "read"));
  return { dispatcher, failing, loseRoute };
}

test.each(["EHOSTUNREACH", "ENETUNREACH"])(
  "a route that is lost (%s) before the connect has sent nothing",
  async (code) => {
    const { dispatcher, failing } = routes(code);
    failing.connects = 1;
    script.play(json(createdSince("made"), 201));
    expect(await script.client({ dispatcher }).pods.create(pod("new"))).toMatchObject({ id: "made" });
    expect(sent()).toEqual(["POST /v2/pods"]);
    await dispatcher.destroy();
  },
);

test("a route that is lost (ETIMEDOUT) before the connect has sent nothing, and is not waited for twice where nobody ever answered", async () => {
  const { dispatcher, failing } = routes("ETIMEDOUT");
  failing.connects = 1;
  const error = await errorOf(script.client({ dispatcher }).pods.create(pod("new")));
  expect(error).toMatchObject({ name: "TimeoutError", code: "ETIMEDOUT" });
  expect(error).not.toMatchObject({ outcomeUnknown: true });
  expect(sent()).toEqual([]);
  await dispatcher.destroy();
});

test.each(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"])(
  "a route that is lost (%s) while the answer is awaited is a lost answer",
  async (code) => {
    const { dispatcher, loseRoute } = routes(code);
    script.play(loseRoute, lists("made"));
    expect(await script.client({ dispatcher }).pods.create(pod("new"))).toMatchObject({ id: "made" });
    expect(sent()).toEqual(["POST /v2/pods", "GET /v2/pods", "GET /v2/pods"]);
    await dispatcher.destroy();
  },
);

test.each([
  ["has no id", { data: { saveEndpoint: { name: "new" } } }],
  ["has no endpoint", { data: { saveEndpoint: null } }],
  ["has no data", { data: null }],
  ["is not GraphQL", ["not", "graphql"]],
])("a saveEndpoint whose answer %s is looked for, and not sent again", async (_, answer) => {
  const created = createdSince("made");
  script.play(
    json(answer),
    json({ endpoints: [created] }),
    json({ endpoints: [created] }),
    json({ data: { myself: { e0: created } } }),
  );
  expect(await script.client().endpoints.save(savedEndpoint("new", "t"))).toMatchObject({ id: "made" });
  expect(sent()).toEqual(["POST /graphql", "GET /v2/serverless", "GET /v2/serverless", "POST /graphql"]);
});

const problem = (code: string) => json({ data: null, errors: [{ message: "no", extensions: { code } }] });
const transient = ["INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE", "GATEWAY_TIMEOUT", "RATE_LIMITED"];

test.each(transient)("a GraphQL error of code %s is asked for again by a read", async (code) => {
  script.play(problem(code), json({ data: { myself: { endpoints: [] } } }));
  expect(await script.client().endpoints.list()).toEqual([]);
  expect(script.received).toHaveLength(2);
});

test.each(transient)("a GraphQL error of code %s is a lost answer for a create", async (code) => {
  script.play(problem(code), json({ endpoints: [] }));
  const save = script.client().endpoints.save(savedEndpoint("new", "t"));
  await expect(save).rejects.toMatchObject({ name: "MayExistError", candidates: [] });
  expect(sent().filter((call) => call === "POST /graphql")).toHaveLength(1);
});

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

test("an action that was sent again, as its effect did not show and is refused as it took effect meanwhile, is done", async () => {
  script.play(reset, shows("RUNNING"), conflict, shows("EXITED"));
  expect(await script.client().pods.action("p", "stop")).toMatchObject({ status: "EXITED" });
  expect(sent().filter((call) => call.startsWith("POST"))).toHaveLength(2);
});

test("an action that was sent again, as its effect did not show and is refused for another reason, ends in the refusal", async () => {
  script.play(reset, shows("RUNNING"), conflict, shows("RUNNING"));
  await expect(script.client().pods.action("p", "stop")).rejects.toMatchObject({ name: "ConflictError" });
});

test("an action that was sent again, as its effect did not show is not looked at when it was refused at once", async () => {
  script.play(conflict);
  await expect(script.client().pods.action("p", "stop")).rejects.toMatchObject({ name: "ConflictError" });
  expect(sent()).toEqual(["POST /v2/pods/p/action"]);
});

test.each([{ name: "new" }, { id: "", name: "new" }])(
  "an answer to a create without an id is lost: %j",
  async (answer) => {
    script.play(json(answer, 201), json({ templates: [{ id: "made", name: "new" }] }));
    expect(await script.client().templates.create(template("new"))).toMatchObject({ id: "made" });
    expect(sent().filter((call) => call.startsWith("POST"))).toHaveLength(1);
  },
);

// Through the emulator; what tells such a create from others of its name is in creator.test.ts.
describe("a create whose answer is lost", () => {
  const place = placeForAll();
  let client: Client;
  beforeEach(async () => {
    await place.reset();
    client = place.client({ clock: place.sharedClock() });
  });
  const lose = (path: string) => place.fault({ method: "POST", path }, { drop: "after" });
  test("is not sent again because the list lags behind", async () => {
    await place.fault({ method: "POST", path: "/v2/pods" }, { staleMs: 2_500 });
    await lose("/v2/pods");
    const { id } = await place.client({ clock: place.sharedClock() }).pods.create(pod("late"));
    expect((await place.state()).pods).toMatchObject([{ id }]);
  });

  test("is found by its time alone when it has no name", async () => {
    const delegate = (repository: string) =>
      client.delegations.create({ resource: `arn:aws:ecr:us-east-1:123456789012:repository/${repository}` });
    await delegate("first");
    await lose("/v2/registries/delegations");
    const { id } = await delegate("second");
    const { delegations } = await place.state();
    expect(delegations).toHaveLength(2);
    expect(delegations?.[1]).toMatchObject({ id });
  });

  test("over GraphQL is found beyond the cap of GraphQL's list", async () => {
    await place.service.settings({ endpointListCap: 1 });
    const { id: templateId } = await client.templates.create({ ...template("t"), serverless: true });
    await client.endpoints.save(savedEndpoint("first", templateId));
    await place.fault({ operation: "saveEndpoint" }, { drop: "after" });
    const saved = await client.endpoints.save(savedEndpoint("second", templateId));
    expect((await place.state()).endpoints).toMatchObject([{ name: "first" }, { id: saved.id, name: "second" }]);
    await place.service.settings({ endpointListCap: 400 });
  });
});
