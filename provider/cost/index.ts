import type { ConnectOptions } from "../client";
import { connected } from "./connected";
import { createEstimator } from "./monthlyCost";
import type { MonthlySum, OwnPrices, Resource } from "./types";

export { type WorkerDemand, workerDemand } from "../quota/demand";
export type { MonthlyCost, MonthlySum, OwnPrices, Resource } from "./types";

/**
 * What resources cost a month, by the catalog's prices of today: for rules of your own in a policy pack.
 *
 * ```ts
 * const { min, max } = await monthlyCost(resources);
 * ```
 *
 * @param resources as policies, previews and states show them; those of other packages are passed over
 * @param connection the environment's unless given
 * @param prices of your own, in place of the catalog's: USD an hour of GPU types, pools and CPU flavors, USD a GB and month of
 *   tiers of network volumes, such as `{ HIGH_PERFORMANCE: 0.14 }`
 */
export async function monthlyCost(
  resources: readonly Resource[],
  connection?: ConnectOptions,
  prices?: OwnPrices,
): Promise<MonthlySum> {
  const client = connected(connection);
  try {
    const estimator = createEstimator(client, prices);
    const priced = await Promise.all(
      resources.map(async (resource) => ({
        resource,
        cost: (await estimator.monthly(resource)) ?? { min: 0, max: 0 },
      })),
    );
    const known = priced.flatMap(({ resource, cost }) => ("unknown" in cost ? [] : [{ resource, ...cost }]));
    return {
      min: known.reduce((sum, { min }) => sum + min, 0),
      max: known.reduce((sum, { max }) => sum + max, 0),
      resources: known.filter(({ max }) => max > 0).sort((one, other) => other.min - one.min),
      unknown: priced.flatMap(({ resource, cost }) => ("unknown" in cost ? [{ resource, reason: cost.unknown }] : [])),
    };
  } finally {
    await client.close();
  }
}
