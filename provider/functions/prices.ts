import { suggestion } from "../arguments/suggestion";
import type { Client, GpuType } from "../client";
import { ArgumentError, type Caller } from "./definition";

/** The catalog's prices, in USD an hour; what it does not know is a mistake in the arguments. */
export class Prices {
  constructor(
    private readonly client: Client,
    private readonly caller: Caller,
  ) {}

  async gpu(path: string, id: string, cloud: "SECURE" | "COMMUNITY"): Promise<number> {
    const { price, secure, community } = known(path, id, await this.#gpus(), "GPU type");
    if (cloud === "SECURE" ? secure : community) {
      return listed(path, id, cloud === "SECURE" ? price?.secure : price?.community);
    }
    throw new ArgumentError(path, `"${id}" is not offered in the ${cloud} cloud`);
  }

  async pool(path: string, pool: string): Promise<number> {
    const pools = (await this.#gpus()).flatMap(({ pool: id, price }) =>
      typeof id === "string" && price?.serverless !== undefined ? [{ id, price: price.serverless }] : [],
    );
    return known(path, pool, pools, "GPU pool").price;
  }

  async cpu(path: string, id: string, unit: "securePerVcpu" | "serverlessPerVcpu"): Promise<number> {
    const cpus = await this.caller.share("cpus", (signal) => this.client.catalog.cpus({}, { signal }));
    return listed(path, id, known(path, id, cpus, "CPU flavor").price?.[unit]);
  }

  #gpus(): Promise<readonly GpuType[]> {
    return this.caller.share("gpus", (signal) => this.client.catalog.gpus({}, { signal }));
  }
}

function listed(path: string, id: string, price: number | undefined): number {
  if (price === undefined) throw new ArgumentError(path, `the catalog lists no price of "${id}"`);
  return price;
}

function known<T extends { readonly id: string }>(path: string, id: string, all: readonly T[], kind: string): T {
  const found = all.find((each) => each.id === id);
  if (found !== undefined) return found;
  const ids = [...new Set(all.map((each) => each.id))];
  throw new ArgumentError(path, `"${id}" is no ${kind} of the catalog${suggestion(id, ids)}`);
}
