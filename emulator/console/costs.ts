import { bucketStart } from "../billing/buckets";
import { chargesOf } from "../billing/charges";
import type { Service } from "../service";
import type { UsageRecord } from "../store/records";
import type { DayCost, Kind } from "./page/protocol";

export const USAGE_KINDS: Readonly<Record<UsageRecord["resource"], Kind>> = {
  pod: "pods",
  serverless: "endpoints",
  networkVolume: "networkVolumes",
  cluster: "clusters",
};

const DAYS = 14;

/** The costs of the last days, by kind. Days without costs are left out. */
export function costByDay({ clock, store }: Service): DayCost[] {
  const window = {
    start: bucketStart("day", clock.now(), 1 - DAYS),
    end: bucketStart("day", clock.now(), 1),
    bucketSize: "day",
  } as const;
  const groupOf = ({ resource }: UsageRecord) => USAGE_KINDS[resource];
  const plan = { fields: [], fieldOf: () => "usd", groupOf };
  const charges = chargesOf(store.usage.values(), window, plan, clock);
  return Array.from(
    Map.groupBy(charges, ({ bucket }) => bucket),
    ([bucket, ofDay]) => ({
      day: new Date(bucket).toISOString().slice(0, 10),
      amounts: Object.fromEntries(ofDay.map(({ resourceId, amounts }) => [resourceId, amounts.totalAmount ?? 0])),
    }),
  );
}
