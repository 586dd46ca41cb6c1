import { z } from "zod";
import { COMPLIANCES, REGIONS } from "./catalog/dataCenters";
import { AVAILABILITY_LEVELS } from "./catalog/stock";
import { DAY_MS } from "./clock";

/** A restricted key's access to one area. */
const access = z.enum(["none", "read-only", "read-write"]);

/** The rights of a restricted key: the words of the service's schema, and two of our own for the other interfaces. */
export const RIGHTS = [
  "pods",
  "serverless",
  "clusters",
  "volumes",
  "templates",
  "secrets",
  "authentication",
  "membership",
  "billing",
  "tags",
  "audit",
  "catalog",
  "account",
  "graphql",
  "queue",
] as const;
export type KeyRight = (typeof RIGHTS)[number];

const apiKey = z.strictObject({
  key: z.string().min(1),
  /** `areas` limits `restricted` keys; an omitted area is `none`. */
  kind: z.enum(["all", "read-only", "restricted"]).default("all"),
  areas: z.partialRecord(z.enum(RIGHTS), access).default({}),
  /** Queue access endpoint by endpoint, before `areas.queue`. */
  endpoints: z.record(z.string(), access).default({}),
});
export type ApiKey = z.infer<typeof apiKey>;

const YEAR_MS = 365 * DAY_MS;
const milliseconds = z.int().min(0).max(YEAR_MS);
const count = z.int().max(1_000_000_000);
const dollars = z.number().min(0).max(1e12);

const level = z.enum(AVAILABILITY_LEVELS);
const inBothClouds = <Value extends z.ZodType>(value: Value) => z.strictObject({ secure: value, community: value });

/** A GPU type that the catalog does not have, or that replaces its own. */
const addedGpu = z
  .strictObject({
    id: z.string().min(1),
    name: z.string().min(1).optional(),
    manufacturer: z.enum(["NVIDIA", "AMD"]).default("NVIDIA"),
    /** A pool of serverless workers, known or new; null: for pods only. */
    pool: z.string().min(1).nullable().default(null),
    /** GB */
    memory: z.int().min(1).default(48),
    /** USD per hour for one GPU; 0: not offered in that cloud. `serverless`, where it has a pool, defaults to `secure`. */
    price: z.strictObject({ secure: dollars, community: dollars, serverless: dollars.optional() }),
    maxCount: inBothClouds(z.int().min(0)).optional(),
    /** Data center -> how much is free there, in addition to the pool's stock. */
    stock: z.record(z.string(), level).default({}),
  })
  .transform(({ name, maxCount, ...gpu }) => ({
    ...gpu,
    price: { ...gpu.price, serverless: gpu.pool === null ? undefined : (gpu.price.serverless ?? gpu.price.secure) },
    name: name ?? gpu.id,
    maxCount: maxCount ?? { secure: gpu.price.secure > 0 ? 8 : 0, community: gpu.price.community > 0 ? 8 : 0 },
  }));

/** A data center that the catalog does not have, or that replaces its own. */
const addedDataCenter = z
  .strictObject({
    id: z.string().min(1),
    name: z.string().min(1).optional(),
    /** ISO 3166-1 alpha-2. */
    country: z.string().regex(/^[A-Z]{2}$/),
    region: z.enum(REGIONS).default("UNKNOWN"),
    globalNetwork: z.boolean().default(false),
    /** Primary tier first; empty: no network volumes here. */
    networkVolumeTypes: z.array(z.enum(["STANDARD", "HIGH_PERFORMANCE"])).default([]),
    compliance: z.array(z.enum(COMPLIANCES)).default([]),
    /** Level -> pools, GPU types without a pool, CPU flavors. */
    stock: z.partialRecord(level, z.array(z.string())).default({}),
  })
  .transform(({ name, ...place }) => ({ ...place, name: name ?? place.id }));

/** What can be set when the emulator starts and through `PUT /settings`. Money is in USD, times are in ms. */
export const settingsSchema = z.strictObject({
  /** Leaves the rate-limit headers out and never answers 429. */
  rateLimitExempt: z.boolean().default(false),
  /** Calls per window of the REST interface. The defaults are far above the needs of a test suite. */
  quotas: z
    .strictObject({
      minute: count.min(1).default(100_000),
      hour: count.min(1).default(1_000_000),
      day: count.min(1).default(10_000_000),
    })
    .prefault({}),
  /** From create or start to RUNNING: half in PROVISIONING, half in STARTING. */
  podBootMs: milliseconds.default(0),
  /** From a worker's start until it can take a job. */
  workerColdStartMs: milliseconds.default(0),
  /** Largest sum of `workers.max` over all endpoints. */
  workerQuota: count.min(0).default(1000),
  /** Added to every answer of the three interfaces, in real time. */
  latencyMs: milliseconds.max(3_600_000).default(0),
  /** How late reads by id show what was created (404 until then), changed or deleted, on the emulator's clock. */
  readLagMs: milliseconds.default(0),
  /** The same for lists. */
  listLagMs: milliseconds.default(0),
  /** How many endpoints `myself { endpoints }` lists at most. */
  endpointListCap: count.min(1).default(400),
  /** How many mutations a GraphQL document may hold at most; a larger document is refused before it runs. */
  graphqlMostMutations: count.min(1).default(1_000),
  /** How GraphQL answers a bad key: with status 401, or with 200 and `myself: null`; the service does either. */
  graphqlBadKey: z.enum(["401", "null"]).default("401"),
  /** Where GraphQL takes the key: in the header or the query (`?api_key=`), or in the query alone. */
  graphqlKeyIn: z.enum(["either", "query"]).default("either"),
  /** Fields that GraphQL's schema lacks: a document that selects one is refused. */
  graphqlLacks: z.array(z.string()).default([]),
  /** Fields of GraphQL that the key may not read: each is null, with an error of its own. */
  graphqlForbids: z.array(z.string()).default([]),
  /** Whether GraphQL deletes an endpoint that has workers, or may have some; the service's own tools and documents disagree. */
  graphqlDeletesWithWorkers: z.boolean().default(true),
  /** When GraphQL ends, on the emulator's clock: from then on it answers 410. */
  graphqlEndsAt: z.iso.datetime().nullable().default(null),
  /**
   * Whether a REST DELETE also deletes the template that GraphQL has bound to the endpoint: always, only where nothing
   * else uses it, or never.
   */
  restDeletesTemplate: z.enum(["always", "unlessUsed", "never"]).default("unlessUsed"),
  /** Whether a PATCH of REST that changes an endpoint's container changes the template that GraphQL has bound to it, too. */
  restPatchesTemplate: z.boolean().default(true),
  /** What REST shows in `dataCenterIds` for an endpoint whose `locations` are countries: their data centers, or none. */
  restShowsCountries: z.enum(["dataCenters", "none"]).default("dataCenters"),
  /** Whether REST can change the credentials of a registry; older services can't and answer 405. */
  restPatchesRegistries: z.boolean().default(true),
  /** Where resources are attached: `/v2/tags/{id}/resources/{type}/{resourceId}`, or the same without `/resources`. */
  attachmentPaths: z.enum(["resources", "plain"]).default("resources"),
  /** Whether a tag shows its resources on request; otherwise the request is refused. */
  tagsShowResources: z.boolean().default(true),
  /** Whether a cost center can be renamed and deleted; older services can't and answer 405. */
  changesCostCenters: z.boolean().default(true),
  /** Whether pods and endpoints mount global volumes and show them, mount them unseen, or refuse them as older services do. */
  globalMounts: z.enum(["shown", "hidden", "refused"]).default("shown"),
  /** What `/stream` answers: an object with the job's status, or the bare list that some documents show. */
  streamForm: z.enum(["object", "array"]).default("object"),
  /** The largest results that the service takes from workers, in bytes of JSON. A job with a larger one completes without output. */
  runResultBytes: count.min(0).default(10 * 1024 * 1024),
  runSyncResultBytes: count.min(0).default(20 * 1024 * 1024),
  /** Whether pieces of a stream come with `metrics`, as those of the service's own workers do. */
  streamMetrics: z.boolean().default(false),
  /**
   * Image -> address of the server that its workers and pods run, such as `http://127.0.0.1:8000`. It answers every request to
   * a load balancer with that image, its health checks, a queue's requests to `/openai/...`, and a pod's http ports.
   */
  forward: z.record(z.string(), z.url({ protocol: /^https?$/ })).default({}),
  /** How many calls `GET /requests` keeps, the latest ones. */
  requestLogSize: count.min(1).default(100_000),
  /** The account's discount on serverless prices. */
  serverlessDiscount: z
    .strictObject({ discountFactor: z.number(), type: z.string(), expirationDate: z.iso.datetime() })
    .nullable()
    .default(null),
  /**
   * What templates, pods and endpoints show where nothing is declared: two users saw ports that they had not declared.
   * Variables are added to the declared ones.
   */
  filledIn: z
    .strictObject({
      ports: z.array(z.string()).default([]),
      args: z.string().default(""),
      env: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  /** How long a template counts as in use after its last user was deleted. */
  templateReleaseMs: milliseconds.default(0),
  /** Whether a serverless template serves only one endpoint at a time, as some of the service's documents say. */
  oneEndpointPerTemplate: z.boolean().default(false),
  /** Money on the account; a pod needs an hour's worth. */
  balance: dollars.default(10_000),
  /** Largest spend per hour over all running pods. */
  spendLimit: dollars.default(10_000),
  /** The emulated account. For another account start another emulator, and give it another `id`. */
  account: z
    .strictObject({
      id: z.string().min(1).default("user_emulated"),
      email: z.string().nullable().default("user@emulator.invalid"),
    })
    .prefault({}),
  /** Additions to the catalog; an entry with a known id replaces it. */
  catalog: z
    .strictObject({ gpus: z.array(addedGpu).default([]), dataCenters: z.array(addedDataCenter).default([]) })
    .prefault({}),
  /** Keys besides the one that the emulator was started with. */
  keys: z.array(apiKey).default([]),
});
export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

/** Merges a patch into settings; omitted settings and quotas stay. */
export function mergeSettings(current: Settings, patch: Partial<SettingsInput>): unknown {
  return { ...current, ...patch, quotas: { ...current.quotas, ...patch.quotas } };
}
