import {
  AuthenticationError,
  type Client,
  ConnectionError,
  type CpuType,
  commaParts,
  type DataCenter,
  type GpuType,
  PermissionError,
  WrongAddressError,
} from "../../client";
import { isRecord } from "../../common/json";
import { notInCatalog, suggestion } from "../../common/suggestion";
import type { CheckFailure, Context, NamedArguments } from "../lifecycle/definition";
import { isUnknown } from "../lifecycle/fields/unknown";
import type { Properties } from "../lifecycle/fields/values";
import { perRun } from "../lifecycle/perRun";
import type { CatalogKind } from "./catalogued";
import { catalogReferences, type Reference } from "./references";
import { declaredSecrets } from "./secretReferences";

const PATIENCE_MS = 10_000;

/** The lists that names are looked up in. A run asks for each of them once, even if that fails. */
class Lists {
  readonly #requests = new Map<string, Promise<unknown>>();

  constructor(private readonly client: Client) {}

  gpus = (): Promise<readonly GpuType[]> => this.#once("gpus", (options) => this.client.catalog.gpus({}, options));
  cpus = (): Promise<readonly CpuType[]> => this.#once("cpus", (options) => this.client.catalog.cpus({}, options));
  /** Includes the CPU flavors of each data center, so most checks of a flavor need no second list. */
  dataCenters = (): Promise<readonly DataCenter[]> =>
    this.#once("dataCenters", (options) => this.client.catalog.dataCenters({ include: ["CPU_AVAILABILITY"] }, options));

  /**
   * Whether a data center offers this flavor. `false` proves nothing: the list of data centers lacks some flavors, and is
   * not asked if the flavors' own list is there.
   */
  async offersCpu(id: string): Promise<boolean> {
    if (this.#requests.has("cpus")) return false;
    return (await this.dataCenters()).some(({ cpuAvailability = [] }) => cpuAvailability.some((cpu) => cpu.id === id));
  }

  volumes = (id: string) =>
    this.#including(
      "volumes",
      (options) => this.client.networkVolumes.list(options),
      (each) => each.id === id,
    );
  secrets = (isIt: (secret: { readonly name?: string | undefined }) => boolean) =>
    this.#including("secrets", (options) => this.client.secrets.list(options), isIt);

  /** The account's own. A public template of another account is not listed. */
  templates = () => this.#including("templates", (options) => this.client.templates.list(options));

  /**
   * Resources of the account. Asks again if this one is missing: the program may have made it since, in another process.
   * Undefined if the key may not list them, or the service has no such list.
   */
  async #including<T>(name: string, list: List<T>, isIt?: (one: T) => boolean): Promise<readonly T[] | undefined> {
    try {
      const wasRequested = this.#requests.has(name);
      const all = await this.#once(name, list);
      if (!wasRequested || isIt === undefined || all.some(isIt)) return all;
      this.#requests.delete(name);
      return await this.#once(name, list);
    } catch (error) {
      if (error instanceof PermissionError || error instanceof WrongAddressError) return undefined;
      throw error;
    }
  }

  #once<T>(name: string, list: List<T>): Promise<readonly T[]> {
    const request = this.#requests.get(name) as Promise<readonly T[]> | undefined;
    if (request !== undefined) return request;
    const answer = list({ timeoutMs: PATIENCE_MS });
    this.#requests.set(name, answer);
    return answer;
  }
}

type List<T> = (options: { timeoutMs: number }) => Promise<readonly T[]>;

const catalogOf = perRun(({ client }: Context) => ({ lists: new Lists(client), isUnreadable: false }));

/** Checks the names in arguments that the state does not hold, even if their place in a list has changed. */
export function checkNames(
  context: Context,
  { schema, old, inputs, referenced }: NamedArguments,
): Promise<CheckFailure[]> {
  const before = new Set(catalogReferences(schema, old).map(withoutPath));
  const references = catalogReferences(schema, inputs, referenced).filter((each) => !before.has(withoutPath(each)));
  return checkCatalog(context, references);
}

const withoutPath = ({ path: _, ...named }: Reference): string => JSON.stringify(named);

/**
 * Checks names in new or changed arguments against the catalog, so that a preview shows a typo. If the catalog can't be
 * read, this warns once and checks nothing. A refused key or connection is a failure, because every later call would meet
 * it.
 */
export async function checkCatalog(context: Context, references: readonly Reference[]): Promise<CheckFailure[]> {
  const { settings, log } = context;
  if (!settings.catalogChecks || references.length === 0) return [];
  const catalog = catalogOf(context);
  try {
    const failures = await Promise.all(
      references.map(async ({ path, kind, name, beside }) => {
        const reason = await checks.get(kind)?.(catalog.lists, name, beside, context);
        return reason === undefined ? [] : [{ property: path, reason }];
      }),
    );
    return failures.flat();
  } catch (error) {
    if (error instanceof AuthenticationError) return [{ property: "computecloud:apiKey", reason: error.message }];
    if (error instanceof ConnectionError) return [{ property: "computecloud:baseUrl", reason: error.message }];
    if (!catalog.isUnreadable) {
      catalog.isUnreadable = true;
      log.warn(
        `GPU types, pools, data centers, volumes, templates and secrets are not all checked, because a list could not be read: ${String(error)}`,
      );
    }
    return [];
  }
}

/** Why a name is wrong; undefined if it is right, or its list is empty. `beside` has other arguments, by their names. */
type Check = (lists: Lists, name: string, beside: Properties, context: Context) => Promise<string | undefined>;

const CHECKS: Readonly<Record<Exclude<CatalogKind, "poolList" | "placeList"> | "location" | "secret", Check>> = {
  async gpuType(lists, id, { count, cloud = "SECURE", globalNetworking }) {
    const gpus = await lists.gpus();
    const gpuType = gpus.find((gpu) => gpu.id === id);
    const ofPool = gpus.flatMap(({ pool, id: type }) => (pool === id ? [`"${type}"`] : []));
    if (ofPool.length > 0) return `"${id}" is a pool, not a GPU type; choose one of its types: ${ofPool.join(", ")}`;
    if (gpuType === undefined) return notListed("GPU type", id, gpus);
    if (globalNetworking === true && gpuType.manufacturer === "AMD")
      return `"${id}" has no global network: globalNetworking needs an NVIDIA GPU`;
    const most = cloud === "SECURE" ? gpuType.maxCount?.secure : gpuType.maxCount?.community;
    if (typeof count !== "number" || most === undefined || count <= most) return undefined;
    return most === 0
      ? `"${id}" is not offered in the ${cloud} cloud`
      : `"${id}" comes at most ${most} to a pod in the ${cloud} cloud, not ${count}`;
  },

  /** A GPU type that is taken out of pools. */
  async excludedType(lists, type, { pools }) {
    const gpus = await lists.gpus();
    const candidates = gpus.filter(({ pool }) => pool && Array.isArray(pools) && pools.includes(pool));
    if (gpus.length === 0 || candidates.some(({ id }) => id === type)) return undefined;
    return `"${type}" is not a GPU type in the listed pools${suggestion(type, idsOf(candidates))}`;
  },

  async pool(lists, pool) {
    const gpus = await lists.gpus();
    const pools = [...new Set(gpus.flatMap((gpu) => gpu.pool ?? []))];
    if (pools.length === 0 || pools.includes(pool)) return undefined;
    const type = gpus.find(({ id, name }) => [id, name].some((each) => each?.toLowerCase() === pool.toLowerCase()));
    if (type === undefined) return notInCatalog("GPU pool", pool, pools);
    if (!type.pool) return `"${pool}" is a GPU type that no pool has; known pools: ${pools.join(", ")}`;
    const others = gpus.filter((gpu) => gpu.pool === type.pool && gpu !== type).map(({ id }) => `"${id}"`);
    const wayOut = "exclude those if only this type will do: as -<type> in gpuIds, or in gpu.excludedTypes";
    const also = others.length === 0 ? "" : `, which also holds ${others.join(", ")}; ${wayOut}`;
    return `"${pool}" is a GPU type, not a pool; its pool is "${type.pool}"${also}`;
  },

  async cpu(lists, id, { vcpuCount }) {
    const isUsual = typeof vcpuCount !== "number" || vcpuCount <= USUAL_VCPUS;
    if (isUsual && (await lists.offersCpu(id))) return undefined;
    const cpus = await lists.cpus();
    const flavor = cpus.find((each) => each.id === id);
    if (flavor === undefined) return notListed("CPU flavor", id, cpus);
    const { min, max } = flavor.vcpu ?? {};
    if (typeof vcpuCount !== "number" || min === undefined || max === undefined) return undefined;
    if (vcpuCount >= min && vcpuCount <= max) return undefined;
    return `"${id}" comes with ${min} to ${max} vCPUs, not ${vcpuCount}`;
  },

  async dataCenter(lists, id, beside) {
    const all = await lists.dataCenters();
    const dataCenter = all.find((each) => each.id === id);
    if (dataCenter === undefined) return notListed("data center", id, all);
    const where = (offers: (each: DataCenter) => unknown) => idsOf(all.filter(offers)).join(", ") || "no data center";
    if (beside.globalNetworking === true && dataCenter.globalNetwork === false)
      return `"${id}" has no global network, which globalNetworking needs; it is at ${where((each) => each.globalNetwork)}`;
    // Only a volume has a type beside its data center, given or not.
    const { volumeType: type } = beside;
    const has = ({ networkVolumeTypes: types = [] }: DataCenter) =>
      type === undefined ? types.length > 0 : types.some((each) => each === type);
    const offered = dataCenter.networkVolumeTypes;
    if (!("volumeType" in beside) || offered === undefined || has(dataCenter)) return undefined;
    if (type === undefined) return `"${id}" offers no network volumes; they are at ${where(has)}`;
    return `"${id}" offers no ${type} network volumes; it offers ${offered.join(", ") || "none"}, and ${type} is at ${where(has)}`;
  },

  /** A country code, or a data center. */
  async location(lists, location) {
    const ids = idsOf(await lists.dataCenters());
    const countries = [...new Set([...COUNTRIES, ...ids.flatMap(countryOf)])];
    if (ids.length === 0 || ids.includes(location) || countries.includes(location)) return undefined;
    return `"${location}" is neither a country code (${countries.sort().join(", ")}) nor a data center of the catalog${suggestion(location, ids)}`;
  },

  async networkVolume(lists, id, { dataCenters, locations, made }, { ledger }) {
    // The volumes of this program exist, even if the list was read before they were made.
    const programVolume = isRecord(made) ? made : ledger.ids.recorded(id);
    const volumes = programVolume === undefined ? await lists.volumes(id) : [];
    if (volumes === undefined) return undefined;
    const volume = programVolume ?? volumes.find((each) => each.id === id);
    if (volume === undefined)
      return `there is no network volume "${id}" in this account${suggestion(id, idsOf(volumes))}`;
    const { dataCenter } = volume;
    const places: readonly unknown[] = Array.isArray(dataCenters) ? dataCenters : commaParts(String(locations ?? ""));
    if (typeof dataCenter !== "string" || places.length === 0) return undefined;
    if ([dataCenter, ...countryOf(dataCenter)].some((place) => places.includes(place))) return undefined;
    const within = locations === undefined ? "dataCenterIds" : "locations";
    return `${called("network volume", id)} is in ${dataCenter}, which ${within} does not include. Add ${dataCenter} there, or leave ${within} out`;
  },

  async podTemplate(lists, id, beside, context) {
    return (await isServerless(lists, id, beside, context)) === true
      ? `${called("template", id)} is for serverless endpoints. Remove serverless from the template, or name another`
      : undefined;
  },

  async serverlessTemplate(lists, id, beside, context) {
    return (await isServerless(lists, id, beside, context)) === false
      ? `${called("template", id)} is for pods. Give the template serverless: true, or name another`
      : undefined;
  },

  async secret(lists, name, _, context) {
    if (declaredSecrets(context).has(name.toLowerCase())) return undefined;
    const isIt = (secret: { readonly name?: string | undefined }) => secret.name?.toLowerCase() === name.toLowerCase();
    const secrets = await lists.secrets(isIt);
    if (secrets === undefined || secrets.some(isIt)) return undefined;
    const names = secrets.flatMap((secret) => secret.name ?? []);
    return (
      `refers to the secret "${name}", which neither this program nor the account has${suggestion(name, names)}. Declare it, ` +
      "and pass its `reference`, so that it is made first"
    );
  },
};

const checks: ReadonlyMap<string, Check> = new Map(Object.entries(CHECKS));

/** Undefined if the template is not known. */
async function isServerless(lists: Lists, id: string, { made }: Properties, { ledger }: Context): Promise<unknown> {
  const programTemplate = isRecord(made) ? made : ledger.ids.recorded(id);
  return (programTemplate ?? (await lists.templates())?.find((each) => each.id === id))?.serverless;
}

const called = (what: string, id: string): string => (isUnknown(id) ? `its ${what}` : `${what} "${id}"`);

const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

/** An empty list proves nothing. */
function notListed(kind: string, id: string, all: readonly { readonly id: string }[]): string | undefined {
  return all.length === 0 ? undefined : notInCatalog(kind, id, idsOf(all));
}

/** Every flavor has been observed to come with up to this many vCPUs. The service does not document that. */
const USUAL_VCPUS = 8;

/** Documented country codes. The ids of data centers show more. */
const COUNTRIES = ["CZ", "FR", "GB", "NO", "RO", "US"];

/** The country in a data center's id: `US-KS-2`, `CA-MTL-1`, `EU-RO-1`. */
function countryOf(id: string): string[] {
  const [first = "", second = ""] = id.split("-");
  const country = ["US", "CA"].includes(first) ? first : second;
  return /^[A-Z]{2}$/.test(country) ? [country] : [];
}
