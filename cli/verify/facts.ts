/** How we know a fact, as docs/service.md marks it. */
export type Source = "schema" | "brief" | "docs" | "seen" | "guess";

/** A statement about the service that the provider or the emulator depends on. docs/service.md marks each with its id. */
export interface Fact {
  readonly sentence: string;
  readonly known: readonly Source[];
  /** How the provider handles the other answer. */
  readonly either?: string;
  /** Why `verify` does not try it. All other facts have a trial with the same id. */
  readonly untried?: string;
}

const needsBuild = "only an endpoint that comes from a repository has builds";
const needsPod = "it takes a running pod, which costs more than a question is worth";
const needsTime = "it shows after days only";
const needsManyCalls = "it takes hundreds of calls";
const mayStartCluster = "a service that does otherwise would start a cluster";
const mayStay = "an older service never deletes one again";
const needsReceiver = "it takes an address that the service can reach";
const unused = "nothing in this package depends on it yet";
const eitherIsRight = "the provider works with either answer";
const newerThanTheTrials = "it came to be known after the trials were written";
const future = "it is about a day to come";

/** Every uncertain fact, by id, in the order of docs/service.md. */
export const facts = {
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
  "creates-repeat": {
    sentence: "A create that is sent twice makes two things: there are no idempotency keys.",
    known: ["seen"],
    untried: "that a header has no effect can't be shown without knowing its name",
  },
  "request-id": { sentence: "Every answer has `x-request-id`.", known: ["seen"] },
  "quota-headers": {
    sentence: "Every answer to a key has `RateLimit` and `RateLimit-Policy`.",
    known: ["brief", "schema"],
    either: "without them it sends calls until a 429",
  },
  "user-agents-refused": {
    sentence: "Default user agents of common libraries are turned away on some hosts.",
    known: ["seen"],
    untried: eitherIsRight,
  },
  "names-191": { sentence: "A name has at most 191 characters.", known: ["docs"] },
  "template-names-unique": { sentence: "A second template of the same name is refused with 400.", known: ["guess"] },
  "registry-names-unique": { sentence: "A second registry of the same name is refused with 400.", known: ["guess"] },
  "no-money-402": {
    sentence: "A new pod is refused with 402 when the balance covers less than an hour of it.",
    known: ["docs"],
    untried: "it takes an account without money",
  },
  "env-replaced": { sentence: "`env` in a PATCH replaces the whole map.", known: ["seen"] },
  "platform-variables": {
    sentence: "The platform adds variables of its own to the environment of pods and workers.",
    known: ["seen"],
    untried: eitherIsRight,
  },
  "undeclared-stays-empty": {
    sentence: "A template that declares neither `ports` nor `args` shows none.",
    known: ["guess"],
    either: "what is undeclared stays as it is, and is no drift",
  },
  "symmetric-ports": { sentence: "A TCP port from 70000 is accepted.", known: ["docs"] },
  "fifty-variables": { sentence: "More than 50 variables are refused.", known: ["docs"] },
  "ten-http-ports": { sentence: "More than 10 http ports are refused.", known: ["docs"] },
  "pods-not-moved": {
    sentence: "A pod that can't be placed within `dataCenterIds` is refused with 400, never moved.",
    known: ["seen"],
    untried: needsPod,
  },
  "community-pods-unpinned": {
    sentence: "A new COMMUNITY pod with `dataCenterIds` is never placed.",
    known: ["seen"],
    either: "a preview warns, and the create is sent",
    untried: needsPod,
  },
  "locked-pod-409": {
    sentence: "Stopping or resetting a locked pod is refused with 409.",
    known: ["guess"],
    untried: needsPod,
  },
  "console-adds-pods": {
    sentence: "The console can add pods to a cluster.",
    known: ["docs"],
    untried: mayStartCluster,
  },
  "idle-lowers-workers": {
    sentence: "After three days without requests the service lowers `workers.max` to 2, after seven to 0.",
    known: ["docs"],
    untried: needsTime,
  },
  "worker-quota": { sentence: "The sum of all `workers.max` is limited.", known: ["docs"] },
  "quota-by-balance": {
    sentence: "5 workers without a balance, and 10, 20, 30, 40, 50 or 60 from 100, 200, 300, 500, 700 or 900 USD on.",
    known: ["docs"],
    untried: "an account has one balance",
  },
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
  "graphql-end": {
    sentence: "GraphQL ends early in 2027 and answers 410 from then on.",
    known: ["docs"],
    untried: future,
  },
  "two-views": { sentence: "REST shows an endpoint that GraphQL has made, under the same id.", known: ["seen"] },
  "countries-kept": {
    sentence: "A PATCH without `dataCenterIds` keeps the countries of `locations`.",
    known: ["guess"],
  },
  "models-kept": {
    sentence: "`saveEndpoint` without `modelReferences` keeps them.",
    known: ["seen"],
    untried: "it takes a model that the service caches",
  },
  "models-shown": {
    sentence: "GraphQL shows an endpoint's `modelReferences`, with the commit that a branch named.",
    known: ["seen"],
    untried: "it takes a model that the service caches",
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
  "stale-reads": {
    sentence: "A read right after a create may miss it for 2.5 s.",
    known: ["seen"],
    untried: eitherIsRight,
  },
  "template-shared": { sentence: "A serverless template may serve several endpoints at a time.", known: ["docs"] },
  "volume-in-use": {
    sentence: "Deleting a network volume is refused while a pod or a leftover worker holds it.",
    known: ["seen"],
    untried: needsPod,
  },
  "volume-names-repeat": { sentence: "A second network volume of the same name is allowed.", known: ["guess"] },
  "volume-grows-only": { sentence: "A network volume that would shrink is refused.", known: ["schema", "seen"] },
  "queue-key-bearer": { sentence: "A queue takes the key as `Bearer`, too.", known: ["seen"] },
  "queue-limits": {
    sentence: "Each operation of a queue has limits of calls per 10 s and of calls at a time.",
    known: ["docs"],
    untried: needsManyCalls,
  },
  "ttl-over": {
    sentence: "A job whose time to live is over is answered with 404, or is TIMED_OUT.",
    known: ["docs"],
    untried: eitherIsRight,
  },
  "result-too-large": {
    sentence: "A worker's result above 10 MB, or 20 MB after runsync, is dropped: the job is COMPLETED without output.",
    known: ["seen"],
    untried: "it takes a worker that returns megabytes, and `verify` starts none",
  },
  "stream-object": {
    sentence: "`/stream` answers an object with `stream` in it.",
    known: ["seen"],
    either: "it reads an object and a bare list",
  },
  "cancel-ended-400": { sentence: "Cancelling a job that has ended is refused with 400.", known: ["guess"] },
  "retry-unfailed-400": { sentence: "Retrying a job that did not fail is refused with 400.", known: ["guess"] },
  "webhook-repeats": {
    sentence: "A webhook that is not answered with 2xx is called up to twice more.",
    known: ["docs", "seen"],
    untried: needsReceiver,
  },
  "webhook-unsigned": { sentence: "The call of a webhook is not signed.", known: ["docs"], untried: needsReceiver },
  "health-late": {
    sentence: "`/health` of a new endpoint may answer 404 for some seconds.",
    known: ["seen"],
    untried: eitherIsRight,
  },
  "balancer-address": {
    sentence: "A load balancer has a host name of its own, takes the key as Bearer, and passes every path on.",
    known: ["docs"],
    either: "the addresses are those that REST shows",
    untried: newerThanTheTrials,
  },
  "balancer-ports": {
    sentence:
      "A load balancer sends requests to PORT and health checks to PORT_HEALTH, which must be exposed unless they are 80.",
    known: ["docs"],
    untried: newerThanTheTrials,
  },
  "balancer-health": {
    sentence:
      "A worker of a load balancer is ready after 200, boots after 204, and gets no requests after anything else.",
    known: ["docs"],
    untried: newerThanTheTrials,
  },
  "balancer-booting-204": {
    sentence: "While a worker boots, a health check of the caller's is answered with 204.",
    known: ["guess"],
    either: eitherIsRight,
    untried: newerThanTheTrials,
  },
  "balancer-limits": {
    sentence:
      "A load balancer answers 400 after 2 minutes without a worker, 524 after 5.5 minutes, and 502 for 8 minutes with wrong ports; bodies have at most 30 MB.",
    known: ["docs"],
    untried: newerThanTheTrials,
  },
  "balancer-too-large": {
    sentence: "A load balancer refuses a larger request with 413, and breaks off a larger answer.",
    known: ["guess"],
    either: eitherIsRight,
    untried: newerThanTheTrials,
  },
  "balancer-spread": {
    sentence:
      "A load balancer asks for a worker for every so many open requests, repeats nothing, and picks the least busy worker.",
    known: ["docs"],
    either: eitherIsRight,
    untried: newerThanTheTrials,
  },
  "openai-routes": {
    sentence: "A queue answers OpenAI's routes under `/openai/v1` for images that serve them.",
    known: ["docs"],
    untried: newerThanTheTrials,
  },
  "openai-jobs": {
    sentence: "Each request to these routes is a job with the input `openai_route` and `openai_input`.",
    known: ["seen"],
    either: "nothing but the emulator depends on it",
    untried: newerThanTheTrials,
  },
  "openai-refusals": {
    sentence: "A worker's error with a `code` is answered with that status.",
    known: ["guess"],
    either: "every error status counts as a refusal",
    untried: newerThanTheTrials,
  },
  "rest-v1-end": { sentence: "REST v1 ends on 1 December 2026.", known: ["docs"], untried: future },
  "ended-410": { sentence: "An interface that has ended answers 410.", known: ["seen"], untried: future },
  "entrypoint-and-cmd": { sentence: "Containers have `entrypoint` and `cmd` beside `args`.", known: ["docs"] },
  "args-contradict-400": { sentence: "`args` together with another `cmd` is refused with 400.", known: ["guess"] },
  "machine-choice-hidden": {
    sentence: "`gpu.minRamPerGpu` and `gpu.minVcpuCountPerGpu` choose a pod's machine and are never shown.",
    known: ["docs"],
    untried: needsPod,
  },
  "large-pod-413": {
    sentence: "A pod's body of more than 102,400 bytes is refused with 413, before the key is looked at.",
    known: ["docs"],
  },
  "cluster-template": {
    sentence: "Clusters take a pod template instead of an image.",
    known: ["docs"],
    untried: mayStartCluster,
  },
  "cluster-template-unknown": {
    sentence: "A cluster of an unknown template is refused with 404, of one for endpoints with 422.",
    known: ["guess"],
    untried: mayStartCluster,
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
  "endpoint-global-volumes": {
    sentence:
      "Endpoints take and always show `mounts: { network, global }` in REST; an entry is `{ volumeId }`, of `global` at most one.",
    known: ["seen"],
    either: "nothing is sent where none is declared, and a warning beside the refusal says what to do",
    untried: newerThanTheTrials,
  },
  "saved-global-volumes": {
    sentence:
      "`saveEndpoint` takes `volumes` with `volumeType: OBJECT_STORE_VOLUME`, and keeps them where they are left out.",
    known: ["seen"],
    either: "nothing is sent where none is declared, and a warning beside the refusal says what to do",
    untried: newerThanTheTrials,
  },
  "pod-global-mounts": {
    sentence: "Pods take `mounts.global`, with the form of `mounts.network`.",
    known: ["guess"],
    either: "a warning beside the refusal says what to do; where it is not shown, it is taken as declared",
    untried: needsPod,
  },
  "global-volume-in-use-400": {
    sentence: "Deleting a global volume that is in use is refused with 400.",
    known: ["guess"],
    untried: needsPod,
  },
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
  "cost-center-values": {
    sentence: "A cost center has a value of 1 to 50 characters.",
    known: ["docs"],
    untried: mayStay,
  },
  "cost-centers-change": {
    sentence: "PATCH /v2/cost-centers/{id} renames a cost center, and DELETE deletes it.",
    known: ["docs"],
    either: "after a 404 or 405 it empties one instead, and says how another takes its place",
  },
  "cost-center-resources": {
    sentence: "Cost centers are attached as tags are, and a resource may have two.",
    known: ["guess"],
    untried: mayStay,
  },
  account: { sentence: "GET /v2/account shows `id` and `email`.", known: ["docs"] },
  "account-limits": { sentence: "GET /v2/account/limits shows `spendRate` and `serverlessWorkers`.", known: ["guess"] },
  balance: { sentence: "GET /v2/billing/balance shows `balanceAmount` and `billingMode`.", known: ["guess"] },
  builds: {
    sentence: "Builds of endpoints that come from GitHub are listed at /v2/serverless/{id}/builds.",
    known: ["docs"],
  },
  "build-logs": {
    sentence: "The log of a build is a stream of events with a `line` each, as a worker's is.",
    known: ["guess"],
    untried: needsBuild,
  },
  metrics: { sentence: "An endpoint has metrics of requests and workers.", known: ["docs"], untried: unused },
  "audit-logs": {
    sentence: "The account's audit logs can be listed with the right audit:read.",
    known: ["docs"],
    untried: unused,
  },
  "key-scopes": {
    sentence: "The rights of restricted keys have the words of the schema, such as `pods:read`.",
    known: ["docs"],
    untried: "the service does not say which rights a key has",
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

type Facts = typeof facts;
export type TriedId = { [Id in FactId]: Facts[Id] extends { readonly untried: string } ? never : Id }[FactId];

export const factIds = Object.keys(facts) as FactId[];
/** Widened, so that optional properties can be read from every fact. */
export const factOf = (id: FactId): Fact => facts[id];
export const isTried = (id: FactId): id is TriedId => factOf(id).untried === undefined;
