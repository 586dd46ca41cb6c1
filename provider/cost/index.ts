import type { ConnectOptions } from "../../client";
import { connected } from "./connected";
import { createEstimator } from "./monthlyCost";
import type { MonthlySum, OwnPrices, Resource } from "./types";

export { type WorkerDemand, workerDemand } from "./demand";
export type { MonthlyCost, MonthlySum, OwnPrices, Resource } from "./types";

/**
 * Estimates what resources cost a month, with the catalog's current prices. For your own rules in a policy pack.
 *
 * ```ts
 * const { min, max } = await monthlyCost(resources);
 * ```
 *
 * @param resources as policies, previews and states show them. Those of other packages are ignored
 * @param connection key and addresses. Default: the environment's
 * @param prices your own prices, such as `{ HIGH_PERFORMANCE: 0.14 }`. They override the catalog's. USD an hour for GPU types,
 *   pools and CPU flavors; USD a GB and month for tiers of network volumes
 * @throws UsageError for a missing or unusable key or address, and what the client throws when the catalog can't be read
 */
export async function monthlyCost(
  resources: readonly Resource[],
  connection?: ConnectOptions,
  prices?: OwnPrices,
): Promise<MonthlySum> {
  await using client = connected(connection);
  const estimate = createEstimator(client, prices);
  const priced = await Promise.all(
    resources.map(async (resource) => ({ resource, cost: (await estimate(resource)) ?? { min: 0, max: 0 } })),
  );
  const estimates = priced.flatMap(({ resource, cost }) => ("unknown" in cost ? [] : [{ resource, ...cost }]));
  return {
    min: estimates.reduce((sum, { min }) => sum + min, 0),
    max: estimates.reduce((sum, { max }) => sum + max, 0),
    resources: estimates.filter(({ max }) => max > 0).sort((one, other) => other.min - one.min),
    unknown: priced.flatMap(({ resource, cost }) => ("unknown" in cost ? [{ resource, reason: cost.unknown }] : [])),
  };
}
