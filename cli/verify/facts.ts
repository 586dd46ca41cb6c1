/** How we know a fact, as docs/service.md marks it. */
type Source = "schema" | "brief" | "docs" | "seen" | "guess";

/**
 * A statement about the service that the provider or the emulator depends on, with a trial of the same id. docs/service.md marks
 * each with its id, and others that can't be tried for a few cents within minutes.
 */
export interface Fact {
  readonly sentence: string;
  readonly known: readonly Source[];
  /** How the provider handles the other answer. */
  readonly either?: string;
}

type Row = readonly [sentence: string, known: readonly Source[], either?: string];

/** Every fact that `verify` tries, by id, in the order of docs/service.md. */
const facts = {
  "key-refused": ["A missing or made-up key is answered with 401.", ["brief", "docs"]],
  "broken-schema-422": [
    "A body that breaks the schema is refused with 422 and a problem document.",
    ["schema", "seen"],
  ],
  "unknown-property-422": ["An unknown property of a body is refused with 422.", ["seen"]],
  "unknown-query-ignored": ["An unknown query parameter of GET /v2/pods is ignored.", ["seen"]],
  "lists-paged": [
    "A list takes `limit`, and its answer has a `pagination` block.",
    ["docs", "seen"],
    "it follows pages where there are any, and takes a list without them as whole",
  ],
  "every-list-paged": [
    "Every other list that may be long takes `limit`, too, and shows a `pagination` block.",
    ["docs"],
    "it follows pages where there are any, and takes a list without them as whole",
  ],
  "create-201": ["A create is answered with 201.", ["schema"], "any status below 300 is a success"],
  "second-delete-404": [
    "A second delete is answered with 404.",
    ["schema"],
    "what is gone counts as deleted, whatever the second answer is",
  ],
  "request-id": ["Every answer has `x-request-id`.", ["seen"]],
  "quota-headers": [
    "Every answer to a key has `RateLimit` and `RateLimit-Policy`.",
    ["brief", "schema"],
    "without them it sends calls until a 429",
  ],
  "names-191": ["A name has at most 191 characters.", ["docs"]],
  "template-names-unique": ["A second template of the same name is refused with 400.", ["guess"]],
  "registry-names-unique": ["A second registry of the same name is refused with 400.", ["guess"]],
  "env-replaced": ["`env` in a PATCH replaces the whole map.", ["seen"]],
  "undeclared-stays-empty": [
    "A template that declares neither `ports` nor `args` shows none.",
    ["guess"],
    "what is undeclared stays as it is, and is no drift",
  ],
  "symmetric-ports": ["A TCP port from 70000 is accepted.", ["docs"]],
  "fifty-variables": ["More than 50 variables are refused.", ["docs"]],
  "ten-http-ports": ["More than 10 http ports are refused.", ["docs"]],
  "worker-quota": ["The sum of all `workers.max` is limited.", ["docs"]],
  "save-is-no-patch": ["`saveEndpoint` with an id resets an omitted idle timeout to its default.", ["seen"]],
  "graphql-shows-flashboot": ["GraphQL shows an endpoint's `flashBootType`.", ["seen"], "it asks again without it"],
  "graphql-bad-key": [
    "GraphQL answers a made-up key with 401, or with 200 and `myself: null`.",
    ["seen"],
    "it treats any answer without a user as a refusal",
  ],
  "graphql-several-saves": [
    "One GraphQL document may ask for several saves under aliases.",
    ["guess"],
    "what is refused together is sent one by one",
  ],
  "two-views": ["REST shows an endpoint that GraphQL has made, under the same id.", ["seen"]],
  "countries-kept": ["A PATCH without `dataCenterIds` keeps the countries of `locations`.", ["guess"]],
  "rest-patches-template": [
    "A PATCH of REST that changes an endpoint's container changes the template that GraphQL has bound to it.",
    ["guess"],
  ],
  "rest-deletes-template": [
    "A DELETE of REST removes the template that is bound to the endpoint and to no other.",
    ["docs"],
  ],
  "no-time-limit-is-0": ["An endpoint that GraphQL makes without a time limit has `timeout: 0`.", ["guess"]],
  "graphql-key-in-header": [
    "GraphQL takes the key in `Authorization: Bearer`.",
    ["docs", "seen"],
    "graphqlKeyIn: query puts the key into the address",
  ],
  "template-in-use-400": ["Deleting a template that an endpoint uses is refused with 400.", ["docs"]],
  "template-shared": ["A serverless template may serve several endpoints at a time.", ["docs"]],
  "volume-names-repeat": ["A second network volume of the same name is allowed.", ["guess"]],
  "volume-grows-only": ["A network volume that would shrink is refused.", ["schema", "seen"]],
  "queue-key-bearer": ["A queue takes the key as `Bearer`, too.", ["seen"]],
  "stream-object": ["`/stream` answers an object with `stream` in it.", ["seen"], "it reads an object and a bare list"],
  "cancel-ended-400": ["Cancelling a job that has ended is refused with 400.", ["guess"]],
  "retry-unfailed-400": ["Retrying a job that did not fail is refused with 400.", ["guess"]],
  "entrypoint-and-cmd": ["Containers have `entrypoint` and `cmd` beside `args`.", ["docs"]],
  "args-contradict-400": ["`args` together with another `cmd` is refused with 400.", ["guess"]],
  "large-pod-413": [
    "A pod's body of more than 102,400 bytes is refused with 413, before the key is looked at.",
    ["docs"],
  ],
  "registry-patch": [
    "PATCH /v2/registries/{id} changes a registry's credentials.",
    ["docs"],
    "where REST can't, GraphQL changes the credentials",
  ],
  "secret-value-hidden": [
    "Secrets are kept under /v2/account/secrets, and neither a create nor a read shows a value.",
    ["docs"],
  ],
  "secret-list-hides-values": ["Neither the list of secrets nor the answer to a PATCH shows a value.", ["docs"]],
  "secret-names-any-case": [
    "Secrets whose names differ in case only have the same name: the second is refused with 409.",
    ["guess"],
  ],
  "global-volumes": ["Global volumes are listed at /v2/global-volumes.", ["docs"]],
  tags: ["Tags have a key and a value, at /v2/tags.", ["docs"]],
  "tags-attached": [
    "PUT and DELETE /v2/tags/{id}/resources/{type}/{resourceId} attach and detach a tag.",
    ["seen"],
    "it tries the other address after a 404 or 405",
  ],
  "tag-resources-shown": [
    "A tag shows its resources with `?include=resources`.",
    ["seen"],
    "where they are not shown, it relies on the state",
  ],
  "tags-twice": ["A second tag of the same key and value is allowed.", ["guess"]],
  "cost-centers": ["Cost centers are listed at /v2/cost-centers.", ["docs"]],
  "cost-centers-change": [
    "PATCH /v2/cost-centers/{id} renames a cost center, and DELETE deletes it.",
    ["docs"],
    "after a 404 or 405 it empties one instead, and says how another takes its place",
  ],
  account: ["GET /v2/account shows `id` and `email`.", ["docs"]],
  "account-limits": ["GET /v2/account/limits shows `spendRate` and `serverlessWorkers`.", ["guess"]],
  balance: ["GET /v2/billing/balance shows `balanceAmount` and `billingMode`.", ["guess"]],
  builds: ["Builds of endpoints that come from GitHub are listed at /v2/serverless/{id}/builds.", ["docs"]],
  "rest-timeout-default": [
    "An endpoint that REST makes without a `timeout` has 300000.",
    ["schema", "seen"],
    "it always sends a timeout",
  ],
  "rest-endpoint-defaults": [
    "An endpoint that REST makes without them has FlashBoot OFF and an idle timeout of 10 s.",
    ["guess"],
    "it always sends both",
  ],
  "workers-merged": ["A PATCH with a part of `workers` keeps the rest.", ["guess"], "it sends the whole object"],
  "cuda-floor-cleared": ['A PATCH with `minCudaVersion: ""` clears it.', ["guess"]],
} as const satisfies Readonly<Record<string, Row>>;

export type FactId = keyof typeof facts;

export const factIds = Object.keys(facts) as FactId[];

export function factOf(id: FactId): Fact {
  const [sentence, sources, either]: Row = facts[id];
  return { sentence, known: sources, ...(either !== undefined && { either }) };
}
