/** How we know a fact, as docs/service.md marks it. */
export type Source = "schema" | "brief" | "docs" | "seen" | "guess";

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

/** Every fact that `verify` tries, by id, in the order of docs/service.md. */
const facts = {
  "key-refused": { sentence: "A missing or made-up key is answered with 401.", known: ["brief", "docs"] },
  "broken-schema-422": {
    sentence: "A body that breaks the schema is refused with 422 and a problem document.",
    known: ["schema", "seen"],
  },
  "unknown-property-422": { sentence: "An unknown property of a body is refused with 422.", known: ["seen"] },
  "unknown-query-ignored": { sentence: "An unknown query parameter of GET /v2/pods is ignored.", known: ["seen"] },
  "lists-paged": {
    sentence: "A list takes `limit`, and its answer has a `pagination` block.",
    known: ["docs", "seen"],
    either: "it follows pages where there are any, and takes a list without them as whole",
  },
  "every-list-paged": {
    sentence: "Every other list that may be long takes `limit`, too, and shows a `pagination` block.",
    known: ["docs"],
    either: "it follows pages where there are any, and takes a list without them as whole",
  },
  "create-201": {
    sentence: "A create is answered with 201.",
    known: ["schema"],
    either: "any status below 300 is a success",
  },
  "second-delete-404": {
    sentence: "A second delete is answered with 404.",
    known: ["schema"],
    either: "what is gone counts as deleted, whatever the second answer is",
  },
  "request-id": { sentence: "Every answer has `x-request-id`.", known: ["seen"] },
  "quota-headers": {
    sentence: "Every answer to a key has `RateLimit` and `RateLimit-Policy`.",
    known: ["brief", "schema"],
    either: "without them it sends calls until a 429",
  },
  "names-191": { sentence: "A name has at most 191 characters.", known: ["docs"] },
  "template-names-unique": { sentence: "A second template of the same name is refused with 400.", known: ["guess"] },
  "registry-names-unique": { sentence: "A second registry of the same name is refused with 400.", known: ["guess"] },
  "env-replaced": { sentence: "`env` in a PATCH replaces the whole map.", known: ["seen"] },
  "undeclared-stays-empty": {
    sentence: "A template that declares neither `ports` nor `args` shows none.",
    known: ["guess"],
    either: "what is undeclared stays as it is, and is no drift",
  },
  "symmetric-ports": { sentence: "A TCP port from 70000 is accepted.", known: ["docs"] },
  "fifty-variables": { sentence: "More than 50 variables are refused.", known: ["docs"] },
  "ten-http-ports": { sentence: "More than 10 http ports are refused.", known: ["docs"] },
  "worker-quota": { sentence: "The sum of all `workers.max` is limited.", known: ["docs"] },
  "save-is-no-patch": {
    sentence: "`saveEndpoint` with an id resets an omitted idle timeout to its default.",
    known: ["seen"],
  },
  "graphql-shows-flashboot": {
    sentence: "GraphQL shows an endpoint's `flashBootType`.",
    known: ["seen"],
    either: "it asks again without it",
  },
  "graphql-bad-key": {
    sentence: "GraphQL answers a made-up key with 401, or with 200 and `myself: null`.",
    known: ["seen"],
    either: "it treats any answer without a user as a refusal",
  },
  "graphql-several-saves": {
    sentence: "One GraphQL document may ask for several saves under aliases.",
    known: ["guess"],
    either: "what is refused together is sent one by one",
  },
  "two-views": { sentence: "REST shows an endpoint that GraphQL has made, under the same id.", known: ["seen"] },
  "countries-kept": {
    sentence: "A PATCH without `dataCenterIds` keeps the countries of `locations`.",
    known: ["guess"],
  },
  "rest-patches-template": {
    sentence: "A PATCH of REST that changes an endpoint's container changes the template that GraphQL has bound to it.",
    known: ["guess"],
  },
  "rest-deletes-template": {
    sentence: "A DELETE of REST removes the template that is bound to the endpoint and to no other.",
    known: ["docs"],
  },
  "no-time-limit-is-0": {
    sentence: "An endpoint that GraphQL makes without a time limit has `timeout: 0`.",
    known: ["guess"],
  },
  "graphql-key-in-header": {
    sentence: "GraphQL takes the key in `Authorization: Bearer`.",
    known: ["docs", "seen"],
    either: "graphqlKeyIn: query puts the key into the address",
  },
  "template-in-use-400": {
    sentence: "Deleting a template that an endpoint uses is refused with 400.",
    known: ["docs"],
  },
  "template-shared": { sentence: "A serverless template may serve several endpoints at a time.", known: ["docs"] },
  "volume-names-repeat": { sentence: "A second network volume of the same name is allowed.", known: ["guess"] },
  "volume-grows-only": { sentence: "A network volume that would shrink is refused.", known: ["schema", "seen"] },
  "queue-key-bearer": { sentence: "A queue takes the key as `Bearer`, too.", known: ["seen"] },
  "stream-object": {
    sentence: "`/stream` answers an object with `stream` in it.",
    known: ["seen"],
    either: "it reads an object and a bare list",
  },
  "cancel-ended-400": { sentence: "Cancelling a job that has ended is refused with 400.", known: ["guess"] },
  "retry-unfailed-400": { sentence: "Retrying a job that did not fail is refused with 400.", known: ["guess"] },
  "entrypoint-and-cmd": { sentence: "Containers have `entrypoint` and `cmd` beside `args`.", known: ["docs"] },
  "args-contradict-400": { sentence: "`args` together with another `cmd` is refused with 400.", known: ["guess"] },
  "large-pod-413": {
    sentence: "A pod's body of more than 102,400 bytes is refused with 413, before the key is looked at.",
    known: ["docs"],
  },
  "registry-patch": {
    sentence: "PATCH /v2/registries/{id} changes a registry's credentials.",
    known: ["docs"],
    either: "where REST can't, GraphQL changes the credentials",
  },
  "secret-value-hidden": {
    sentence: "Secrets are kept under /v2/account/secrets, and neither a create nor a read shows a value.",
    known: ["docs"],
  },
  "secret-list-hides-values": {
    sentence: "Neither the list of secrets nor the answer to a PATCH shows a value.",
    known: ["docs"],
  },
  "secret-names-any-case": {
    sentence: "Secrets whose names differ in case only have the same name: the second is refused with 409.",
    known: ["guess"],
  },
  "global-volumes": { sentence: "Global volumes are listed at /v2/global-volumes.", known: ["docs"] },
  tags: { sentence: "Tags have a key and a value, at /v2/tags.", known: ["docs"] },
  "tags-attached": {
    sentence: "PUT and DELETE /v2/tags/{id}/resources/{type}/{resourceId} attach and detach a tag.",
    known: ["seen"],
    either: "it tries the other address after a 404 or 405",
  },
  "tag-resources-shown": {
    sentence: "A tag shows its resources with `?include=resources`.",
    known: ["seen"],
    either: "where they are not shown, it relies on the state",
  },
  "tags-twice": { sentence: "A second tag of the same key and value is allowed.", known: ["guess"] },
  "cost-centers": { sentence: "Cost centers are listed at /v2/cost-centers.", known: ["docs"] },
  "cost-centers-change": {
    sentence: "PATCH /v2/cost-centers/{id} renames a cost center, and DELETE deletes it.",
    known: ["docs"],
    either: "after a 404 or 405 it empties one instead, and says how another takes its place",
  },
  account: { sentence: "GET /v2/account shows `id` and `email`.", known: ["docs"] },
  "account-limits": { sentence: "GET /v2/account/limits shows `spendRate` and `serverlessWorkers`.", known: ["guess"] },
  balance: { sentence: "GET /v2/billing/balance shows `balanceAmount` and `billingMode`.", known: ["guess"] },
  builds: {
    sentence: "Builds of endpoints that come from GitHub are listed at /v2/serverless/{id}/builds.",
    known: ["docs"],
  },
  "rest-timeout-default": {
    sentence: "An endpoint that REST makes without a `timeout` has 300000.",
    known: ["schema", "seen"],
    either: "it always sends a timeout",
  },
  "rest-endpoint-defaults": {
    sentence: "An endpoint that REST makes without them has FlashBoot OFF and an idle timeout of 10 s.",
    known: ["guess"],
    either: "it always sends both",
  },
  "workers-merged": {
    sentence: "A PATCH with a part of `workers` keeps the rest.",
    known: ["guess"],
    either: "it sends the whole object",
  },
  "cuda-floor-cleared": { sentence: 'A PATCH with `minCudaVersion: ""` clears it.', known: ["guess"] },
} as const satisfies Readonly<Record<string, Fact>>;

export type FactId = keyof typeof facts;

export const factIds = Object.keys(facts) as FactId[];
/** Widened, so that optional properties can be read from every fact. */
export const factOf = (id: FactId): Fact => facts[id];
