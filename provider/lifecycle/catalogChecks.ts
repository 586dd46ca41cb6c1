import type { Client, CpuType, DataCenter, GpuType, NetworkVolume } from "../client";
import { AuthenticationError, ConnectionError, PermissionError, WrongAddressError } from "../client/errors";
import type { CheckFailure, Context } from "./definition";
import { secretMistake } from "./secretReferences";
import { suggestion } from "./suggestion";

/** An entry of the catalog, or a secret of the account, that an argument names. `path` is the path of that argument. */
export type CatalogReference = { readonly path: string } & (
  | {
      readonly gpuType: string;
      readonly count?: number | undefined;
      readonly cloud?: "SECURE" | "COMMUNITY" | undefined;
    }
  | { readonly pool: string }
  /** A GPU type that is excluded from pools. */
  | { readonly excludedType: string; readonly pools: readonly string[] }
  | { readonly dataCenter: string; readonly volumeType?: string | undefined }
  /** A country code, or a data center. */
  | { readonly location: string }
  | { readonly cpu: string; readonly vcpuCount?: number | undefined }
  | { readonly secret: string }
  /** A network volume, and where its user may run; empty for anywhere. */
  | { readonly networkVolume: string; readonly dataCenters: readonly string[] }
);

const PATIENCE_MS = 10_000;

/** The catalog's lists. A run asks for each of them once, even if that fails. */
class Catalog {
  readonly #lists = new Map<string, Promise<unknown>>();

  constructor(private readonly client: Client) {}

  gpus = (): Promise<readonly GpuType[]> => this.#once("gpus", (options) => this.client.catalog.gpus({}, options));
  cpus = (): Promise<readonly CpuType[]> => this.#once("cpus", (options) => this.client.catalog.cpus({}, options));
  /** The volumes. Asks again if this one is missing: the program may have made it since, in another process. */
  async volumesWith(id: string): Promise<readonly NetworkVolume[]> {
    const list = () => this.#once("networkVolumes", (options) => this.client.networkVolumes.list(options));
    if (this.#lists.has("networkVolumes")) {
      const volumes = await list();
      if (volumes.some((each) => each.id === id)) return volumes;
      this.#lists.delete("networkVolumes");
    }
    return list();
  }

  /** Includes the CPU flavors of each data center, so most checks of a flavor need no second list. */
  dataCenters = (): Promise<readonly DataCenter[]> =>
    this.#once("dataCenters", (options) => this.client.catalog.dataCenters({ include: ["CPU_AVAILABILITY"] }, options));

  /**
   * Whether a data center offers this flavor. `false` proves nothing: the list of data centers lacks some flavors, and is
   * not asked if the flavors' own list is there.
   */
  async offersCpu(id: string): Promise<boolean> {
    if (this.#lists.has("cpus")) return false;
    return (await this.dataCenters()).some(({ cpuAvailability = [] }) => cpuAvailability.some((cpu) => cpu.id === id));
  }

  #once<T>(name: string, list: (options: { timeoutMs: number }) => Promise<readonly T[]>): Promise<readonly T[]> {
    const asked = this.#lists.get(name) as Promise<readonly T[]> | undefined;
    if (asked !== undefined) return asked;
    const answer = list({ timeoutMs: PATIENCE_MS });
    this.#lists.set(name, answer);
    return answer;
  }
}

const catalogs = new WeakMap<Client, Catalog>();
const warned = new WeakSet<Client>();

/**
 * Checks names in new or changed arguments against the catalog, so that a preview shows a typo. If the catalog can't be
 * read, this warns once and checks nothing. A refused key or connection is a failure, because every later call would meet
 * it.
 */
export async function checkCatalog(context: Context, references: readonly CatalogReference[]): Promise<CheckFailure[]> {
  const { client, settings, log } = context;
  if (!settings.catalogChecks || references.length === 0) return [];
  const catalog = catalogs.get(client) ?? new Catalog(client);
  catalogs.set(client, catalog);
  try {
    const reasons = await Promise.all(
      references.map((reference) => {
        if ("secret" in reference) return ifListed(secretMistake(client, reference.secret, PATIENCE_MS));
        if (!("networkVolume" in reference)) return mistake(catalog, reference);
        // The volumes of this program exist, even if the list was read before they were made.
        if (context.holders.isRecorded(reference.networkVolume)) return undefined;
        return ifListed(
          catalog.volumesWith(reference.networkVolume).then((volumes) => volumeMistake(volumes, reference)),
        );
      }),
    );
    return references.flatMap(({ path }, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : [{ property: path, reason }];
    });
  } catch (error) {
    if (error instanceof AuthenticationError) return [{ property: "computecloud:apiKey", reason: error.message }];
    if (error instanceof ConnectionError) return [{ property: "computecloud:baseUrl", reason: error.message }];
    if (!warned.has(client)) {
      warned.add(client);
      log.warn(
        `GPU types, pools, data centers, volumes and secrets are not all checked, because a list could not be read: ${String(error)}`,
      );
    }
    return [];
  }
}

/** References stay unchecked if the key may not list what they name, or the service has no such list. */
async function ifListed(check: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof PermissionError || error instanceof WrongAddressError) return undefined;
    throw error;
  }
}

function volumeMistake(
  volumes: readonly NetworkVolume[],
  { networkVolume, dataCenters }: { networkVolume: string; dataCenters: readonly string[] },
) {
  const found = volumes.find(({ id }) => id === networkVolume);
  if (found === undefined)
    return `there is no network volume "${networkVolume}" in this account${suggestion(
      networkVolume,
      volumes.map(({ id }) => id),
    )}`;
  const { dataCenter } = found;
  if (dataCenter === undefined || dataCenters.length === 0 || dataCenters.includes(dataCenter)) return undefined;
  return `network volume "${networkVolume}" is in ${dataCenter}, which dataCenterIds does not include`;
}

async function mistake(
  catalog: Catalog,
  reference: Exclude<CatalogReference, { secret: string } | { networkVolume: string }>,
): Promise<string | undefined> {
  if ("gpuType" in reference) return gpuMistake(await catalog.gpus(), reference);
  if ("excludedType" in reference) return exclusionMistake(await catalog.gpus(), reference);
  if ("pool" in reference) return poolMistake(await catalog.gpus(), reference.pool);
  if ("location" in reference) return locationMistake(await catalog.dataCenters(), reference.location);
  if ("cpu" in reference)
    return usualCpu(reference) && (await catalog.offersCpu(reference.cpu))
      ? undefined
      : cpuMistake(await catalog.cpus(), reference);
  return dataCenterMistake(await catalog.dataCenters(), reference);
}

function gpuMistake(
  gpus: readonly GpuType[],
  {
    gpuType,
    count,
    cloud = "SECURE",
  }: { gpuType: string; count?: number | undefined; cloud?: "SECURE" | "COMMUNITY" | undefined },
) {
  if (gpus.length === 0) return undefined;
  const found = gpus.find((gpu) => gpu.id === gpuType);
  if (found === undefined)
    return `"${gpuType}" is not a GPU type in the catalog${suggestion(
      gpuType,
      gpus.map((gpu) => gpu.id),
    )}`;
  const most = cloud === "SECURE" ? found.maxCount?.secure : found.maxCount?.community;
  if (count === undefined || most === undefined || count <= most) return undefined;
  return most === 0
    ? `"${gpuType}" is not offered in the ${cloud} cloud`
    : `"${gpuType}" comes at most ${most} to a pod in the ${cloud} cloud, not ${count}`;
}

function exclusionMistake(
  gpus: readonly GpuType[],
  { excludedType, pools }: { excludedType: string; pools: readonly string[] },
) {
  const candidates = gpus.filter(({ pool }) => pool && pools.includes(pool)).map(({ id }) => id);
  if (gpus.length === 0 || candidates.includes(excludedType)) return undefined;
  return `"${excludedType}" is not a GPU type in the listed pools${suggestion(excludedType, candidates)}`;
}

function poolMistake(gpus: readonly GpuType[], pool: string) {
  const pools = [...new Set(gpus.flatMap((gpu) => gpu.pool ?? []))];
  if (pools.length === 0 || pools.includes(pool)) return undefined;
  const type = gpus.find(({ id, name }) => [id, name].some((each) => each?.toLowerCase() === pool.toLowerCase()));
  if (type === undefined) return `"${pool}" is not a GPU pool in the catalog${suggestion(pool, pools)}`;
  if (!type.pool) return `"${pool}" is a GPU type that no pool has; known pools: ${pools.join(", ")}`;
  const others = gpus.filter((gpu) => gpu.pool === type.pool && gpu !== type).map(({ id }) => `"${id}"`);
  const also =
    others.length === 0 ? "" : `, which also holds ${others.join(", ")}; take those out if only this type will do`;
  return `"${pool}" is a GPU type, not a pool; its pool is "${type.pool}"${also}`;
}

/** Every flavor has been observed to come with these numbers of vCPUs. The service does not document that. */
function usualCpu({ vcpuCount = 2 }: { vcpuCount?: number | undefined }): boolean {
  return vcpuCount <= 8;
}

function cpuMistake(cpus: readonly CpuType[], { cpu, vcpuCount }: { cpu: string; vcpuCount?: number | undefined }) {
  if (cpus.length === 0) return undefined;
  const found = cpus.find((each) => each.id === cpu);
  if (found === undefined)
    return `"${cpu}" is not a CPU flavor in the catalog${suggestion(
      cpu,
      cpus.map((each) => each.id),
    )}`;
  const { min, max } = found.vcpu ?? {};
  if (vcpuCount === undefined || min === undefined || max === undefined) return undefined;
  if (vcpuCount >= min && vcpuCount <= max) return undefined;
  return `"${cpu}" comes with ${min} to ${max} vCPUs, not ${vcpuCount}`;
}

/** Documented country codes. The ids of data centers show more. */
const COUNTRIES = ["CZ", "FR", "GB", "NO", "RO", "US"];

function locationMistake(all: readonly DataCenter[], location: string) {
  if (all.length === 0 || all.some(({ id }) => id === location)) return undefined;
  const countries = [...new Set([...COUNTRIES, ...all.flatMap(({ id }) => countryOf(id))])];
  if (countries.includes(location)) return undefined;
  return `"${location}" is neither a country code (${countries.sort().join(", ")}) nor a data center of the catalog${suggestion(
    location,
    all.map(({ id }) => id),
  )}`;
}

/** The country in a data center's id: `US-KS-2`, `CA-MTL-1`, `EU-RO-1`. */
function countryOf(id: string): string[] {
  const [first = "", second = ""] = id.split("-");
  const country = ["US", "CA"].includes(first) ? first : second;
  return /^[A-Z]{2}$/.test(country) ? [country] : [];
}

function dataCenterMistake(
  all: readonly DataCenter[],
  { dataCenter, volumeType }: { dataCenter: string; volumeType?: string | undefined },
) {
  if (all.length === 0) return undefined;
  const found = all.find((each) => each.id === dataCenter);
  if (found === undefined)
    return `"${dataCenter}" is not a data center in the catalog${suggestion(
      dataCenter,
      all.map((each) => each.id),
    )}`;
  const offered: readonly string[] | undefined = found.networkVolumeTypes;
  if (volumeType === undefined || offered === undefined || offered.includes(volumeType)) return undefined;
  const others = all
    .filter((each) => each.networkVolumeTypes?.some((type) => type === volumeType))
    .map((each) => each.id);
  return `"${dataCenter}" offers no ${volumeType} network volumes; it offers ${offered.join(", ") || "none"}, and ${volumeType} is at ${others.join(", ") || "no data center"}`;
}
