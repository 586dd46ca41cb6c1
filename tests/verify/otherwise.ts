import type { FactId } from "../../cli/verify/facts";
import type { SettingsInput } from "../../emulator";
import type { Call, Reply, Rule } from "./proxy";

const problem = (status: number): Reply => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: { title: "Otherwise", status, detail: "the service does otherwise" },
});
const DONE: Reply = { status: 204, headers: {}, body: undefined };
const good = (body: unknown): Reply => ({ status: 200, headers: { "content-type": "application/json" }, body });

/** The calls that a rule is about: method and beginning of the path, such as `POST /v2/templates`. */
const isCall = ({ method, path }: Call, route: string): boolean => `${method} ${path}`.startsWith(route);
const isOwnKey = ({ headers }: Call): boolean => headers.authorization?.endsWith("emulator-key") === true;

/** What the service answers is changed. */
const answering =
  (route: string, change: (reply: Reply, call: Call) => Reply): Rule =>
  async (call, forward) => {
    const reply = await forward(call);
    return isCall(call, route) ? change(reply, call) : reply;
  };

/** A call is answered without the service. */
const refusing =
  (route: string, answer: Reply): Rule =>
  async (call, forward) =>
    isCall(call, route) ? answer : forward(call);

/** What the service is asked for is changed. */
const asking =
  (route: string, change: (body: Call["body"]) => unknown): Rule =>
  (call, forward) =>
    forward(isCall(call, route) ? { ...call, body: change(call.body) } : call);

/** A create that is refused with this status is sent again under another name. */
const underAnotherName =
  (route: string, status: number): Rule =>
  async (call, forward) => {
    const reply = await forward(call);
    if (!isCall(call, route) || reply.status !== status) return reply;
    return forward({ ...call, body: { ...call.body, name: `${call.body.name}-2` } });
  };

/** A create is refused with this status where there was one like it. */
function unrepeated(route: string, status: number, likeness: (body: Call["body"]) => string): Rule {
  const earlier = new Set<string>();
  return async (call, forward) => {
    if (!isCall(call, route)) return forward(call);
    const { size } = earlier;
    return earlier.add(likeness(call.body)).size === size ? problem(status) : forward(call);
  };
}

const withBody = (reply: Reply, change: object): Reply =>
  reply.status < 300 ? { ...reply, body: { ...reply.body, ...change } } : reply;
const withoutPages = ({ body: { pagination: _, ...body }, ...reply }: Reply) => ({ ...reply, body });
const status = (from: number, to: Reply) => (reply: Reply) => (reply.status === from ? to : reply);

/** Settings with which the emulator behaves otherwise. */
export const settings: { readonly [Id in FactId]?: Partial<SettingsInput> } = {
  "quota-headers": { rateLimitExempt: true },
  "undeclared-stays-empty": { filledIn: { ports: ["8888/http", "22/tcp"] } },
  "worker-quota": { workerQuota: 1_000_000_000 },
  "graphql-shows-flashboot": { graphqlLacks: ["flashBootType"] },
  "graphql-several-saves": { graphqlMostMutations: 1 },
  "rest-patches-template": { restPatchesTemplate: false },
  "rest-deletes-template": { restDeletesTemplate: "never" },
  "graphql-key-in-header": { graphqlKeyIn: "query" },
  "template-shared": { oneEndpointPerTemplate: true },
  "stream-object": { streamForm: "array" },
  "registry-patch": { restPatchesRegistries: false },
  "tags-attached": { attachmentPaths: "plain" },
  "tag-resources-shown": { tagsShowResources: false },
  "cost-centers-change": { changesCostCenters: false },
};

/** For each fact without a setting of the emulator: a service that behaves otherwise. */
export const otherwise: { readonly [Id in FactId]?: () => Rule } = {
  "key-refused": () => async (call, forward) =>
    isCall(call, "GET /v2/templates") && !isOwnKey(call) ? good({ templates: [] }) : forward(call),
  "broken-schema-422": () =>
    answering("POST /v2/templates", (reply, { body }) => (body.image === 7 ? problem(400) : reply)),
  "unknown-property-422": () => asking("POST /v2/templates", ({ verifyUnknown: _, ...body }) => body),
  "unknown-query-ignored": () => refusing("GET /v2/pods?verifyUnknown", problem(422)),
  "lists-paged": () => answering("GET /v2/templates?limit", withoutPages),
  "every-list-paged": () => answering("GET /v2/tags?limit", withoutPages),
  "create-201": () => answering("POST /v2/templates", (reply) => status(201, { ...reply, status: 200 })(reply)),
  "second-delete-404": () => answering("DELETE /v2/templates/", status(404, DONE)),
  "request-id": () => async (call, forward) => {
    const { headers, ...reply } = await forward(call);
    const { "x-request-id": _, ...otherHeaders } = headers;
    return { ...reply, headers: otherHeaders };
  },
  "names-191": () =>
    asking("POST /v2/templates", (body) => ({ ...body, name: body.name.slice(0, 191 - (body.name.length % 191)) })),
  "template-names-unique": () => underAnotherName("POST /v2/templates", 400),
  "registry-names-unique": () => underAnotherName("POST /v2/registries", 400),
  "secret-names-any-case": () => underAnotherName("POST /v2/account/secrets", 409),
  "volume-names-repeat": () => unrepeated("POST /v2/network-volumes", 400, ({ name }) => name),
  "volume-grows-only": () => answering("PATCH /v2/network-volumes/", status(400, good({}))),
  "env-replaced": () => async (call, forward) => {
    if (!isCall(call, "PATCH /v2/templates/") || call.body.env === undefined) return forward(call);
    const before = await forward({ ...call, method: "GET", body: undefined });
    return forward({ ...call, body: { ...call.body, env: { ...before.body.env, ...call.body.env } } });
  },
  "symmetric-ports": () =>
    answering("POST /v2/templates", (reply, { body }) => (body.ports?.includes("70001/tcp") ? problem(422) : reply)),
  "fifty-variables": () =>
    asking("POST /v2/templates", ({ env = {}, ...body }) => ({
      ...body,
      env: Object.fromEntries(Object.entries(env).slice(0, 50)),
    })),
  "ten-http-ports": () =>
    asking("POST /v2/templates", ({ ports = [], ...body }) => ({ ...body, ports: ports.slice(0, 10) })),
  "save-is-no-patch": () => async (call, forward) => {
    const input = call.body?.variables?.input;
    if (call.to !== "graphql" || input?.id === undefined || "idleTimeout" in input) return forward(call);
    return forward({ ...call, body: { ...call.body, variables: { input: { ...input, idleTimeout: 7 } } } });
  },
  "graphql-bad-key": () => async (call, forward) =>
    call.to === "graphql" && !isOwnKey(call) ? good({ errors: [{ message: "who is asking?" }] }) : forward(call),
  "two-views": () => async (call, forward) =>
    isCall(call, "GET /v2/serverless/") && !call.path.endsWith("/builds") ? problem(404) : forward(call),
  "countries-kept": () =>
    asking("PATCH /v2/serverless/", (body) => (body.name === undefined ? body : { ...body, dataCenterIds: [] })),
  "no-time-limit-is-0": () =>
    answering("GET /v2/serverless/", (reply) =>
      reply.body.timeout === 0 ? withBody(reply, { timeout: 600_000 }) : reply,
    ),
  "template-in-use-400": () => answering("DELETE /v2/templates/", status(400, DONE)),
  "queue-key-bearer": () => async (call, forward) =>
    call.to === "queue" && call.headers.authorization?.startsWith("Bearer ") ? problem(401) : forward(call),
  "cancel-ended-400": () => queueAnswering("/cancel/"),
  "retry-unfailed-400": () => queueAnswering("/retry/"),
  "entrypoint-and-cmd": () =>
    answering("POST /v2/templates", (reply) => withBody(reply, { entrypoint: undefined, cmd: undefined })),
  "args-contradict-400": () =>
    asking("POST /v2/templates", ({ args, cmd, ...body }) =>
      args === undefined ? { ...body, cmd } : { ...body, args },
    ),
  "large-pod-413": () => answering("POST /v2/pods", status(413, problem(401))),
  "secret-value-hidden": () =>
    answering("POST /v2/account/secrets", (reply, { body }) => withBody(reply, { value: body.value })),
  "secret-list-hides-values": () => {
    const values: string[] = [];
    return async (call, forward) => {
      if (isCall(call, "POST /v2/account/secrets")) values.push(call.body.value);
      const reply = await forward(call);
      return call.path === "/v2/account/secrets" && call.method === "GET" ? withBody(reply, { values }) : reply;
    };
  },
  "global-volumes": () => async (call, forward) => (call.path === "/v2/global-volumes" ? problem(404) : forward(call)),
  account: () =>
    answering("GET /v2/account", ({ body, ...reply }, { path }) => ({
      ...reply,
      body: path === "/v2/account" ? { id: body.id } : body,
    })),
  tags: () => async (call, forward) =>
    isCall(call, "GET /v2/tags/") && !call.path.includes("?") ? problem(404) : forward(call),
  "tags-twice": () => unrepeated("POST /v2/tags", 409, JSON.stringify),
  "cost-centers": () => async (call, forward) =>
    call.path === "/v2/cost-centers" ? good({ items: [] }) : forward(call),
  "account-limits": () => refusing("GET /v2/account/limits", problem(404)),
  balance: () => answering("GET /v2/billing/balance", (reply) => withBody(reply, { balanceAmount: "10.00" })),
  builds: () => async (call, forward) =>
    call.to === "rest" && call.path.endsWith("/builds") ? problem(404) : forward(call),
  "rest-timeout-default": () => asking("POST /v2/serverless", (body) => ({ timeout: 0, ...body })),
  "rest-endpoint-defaults": () => asking("POST /v2/serverless", (body) => ({ flashboot: "FLASHBOOT", ...body })),
  "workers-merged": () =>
    asking("PATCH /v2/serverless/", ({ workers, ...body }) =>
      workers ? { ...body, workers: { idleTimeout: 5, ...workers } } : body,
    ),
  "cuda-floor-cleared": () => asking("PATCH /v2/serverless/", ({ gpu: _, ...body }) => body),
};

function queueAnswering(path: string): Rule {
  return async (call, forward) => {
    const reply = await forward(call);
    return call.to === "queue" && call.path.includes(path) && reply.status === 400 ? good({}) : reply;
  };
}
