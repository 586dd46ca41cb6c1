import type { Client, GpuType } from "../../client";
import { notInCatalog } from "../../common/suggestion";
import { ArgumentError, type Caller } from "./caller";

/** A caller for one estimate, which requests each list at most once. */
export function cachingCaller(signal: AbortSignal = new AbortController().signal): Caller {
  const requests = new Map<string, Promise<unknown>>();
  return {
    signal,
    share: <T>(key: string, load: (signal: AbortSignal) => Promise<T>) => {
      const answer = (requests.get(key) as Promise<T> | undefined) ?? load(signal);
      requests.set(key, answer);
      return answer;
    },
  };
}

/**
 * The catalog's prices, in USD an hour. An unknown type is an ArgumentError. The user's own prices override the catalog's: for
 * GPU types, pools and CPU flavors an hour, for tiers of network volumes a GB and month.
 */
export class Prices {
  constructor(
    private readonly client: Client,
    private readonly caller: Caller,
    private readonly ownPrices: ReadonlyMap<string, number> = new Map(),
  ) {}

  /** The user's price for a tier, in USD a GB and month. */
  tier(type: string): number | undefined {
    return this.ownPrices.get(type);
  }

  /** The tiers of network volumes that a data center offers. */
  async tiersOf(id: string): Promise<readonly string[]> {
    const all = await this.caller.share("dataCenters", (signal) => this.client.catalog.dataCenters({}, { signal }));
    return all.find((each) => each.id === id)?.networkVolumeTypes ?? [];
  }

  /** @throws ArgumentError for an unknown type, or one that the cloud does not offer */
  async gpu(path: string, id: string, cloud: "SECURE" | "COMMUNITY"): Promise<number> {
    const ownPrice = this.ownPrices.get(id);
    if (ownPrice !== undefined) return ownPrice;
    const { price, secure, community } = entryOf(path, id, await this.#gpus(), "GPU type");
    if (cloud === "SECURE" ? secure : community) {
      return requirePrice(path, id, cloud === "SECURE" ? price?.secure : price?.community);
    }
    throw new ArgumentError(path, `"${id}" is not offered in the ${cloud} cloud`);
  }

  /** @throws ArgumentError for an unknown pool, or one without a price */
  async pool(path: string, pool: string): Promise<number> {
    const ownPrice = this.ownPrices.get(pool);
    if (ownPrice !== undefined) return ownPrice;
    const pools = (await this.#gpus()).flatMap(({ pool: id, price }) =>
      typeof id === "string" && price?.serverless !== undefined ? [{ id, price: price.serverless }] : [],
    );
    return entryOf(path, pool, pools, "GPU pool").price;
  }

  /** The price of a serverless worker's GPU; undefined if the catalog has none. */
  async worker(id: string): Promise<number | undefined> {
    return (await this.#gpus()).find((each) => each.id === id)?.price?.serverless;
  }

  /** @throws ArgumentError for an unknown flavor, or one without a price */
  async cpu(path: string, id: string, unit: "securePerVcpu" | "serverlessPerVcpu"): Promise<number> {
    const ownPrice = this.ownPrices.get(id);
    if (ownPrice !== undefined) return ownPrice;
    const cpus = await this.caller.share("cpus", (signal) => this.client.catalog.cpus({}, { signal }));
    return requirePrice(path, id, entryOf(path, id, cpus, "CPU flavor").price?.[unit]);
  }

  #gpus(): Promise<readonly GpuType[]> {
    return this.caller.share("gpus", (signal) => this.client.catalog.gpus({}, { signal }));
  }
}

function requirePrice(path: string, id: string, price: number | undefined): number {
  if (price === undefined) throw new ArgumentError(path, `the catalog lists no price of "${id}"`);
  return price;
}

function entryOf<T extends { readonly id: string }>(path: string, id: string, all: readonly T[], kind: string): T {
  const entry = all.find((each) => each.id === id);
  if (entry !== undefined) return entry;
  throw new ArgumentError(path, notInCatalog(kind, id, [...new Set(all.map((each) => each.id))]));
}
