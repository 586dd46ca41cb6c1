import { bucketStart } from "../billing/buckets";
import { chargesOf } from "../billing/charges";
import type { Service } from "../service";
import type { DayCost } from "./page/protocol";

const DAYS = 14;

/** The costs of the last days, by component. Days without costs are left out. */
export function costByDay({ clock, store }: Service): DayCost[] {
  const window = {
    start: bucketStart("day", clock.now(), 1 - DAYS),
    end: bucketStart("day", clock.now(), 1),
    bucketSize: "day",
  } as const;
  const plan = { fields: [], fieldOf: () => "usd", groupOf: ({ resource }: { resource: string }) => resource };
  const charges = chargesOf(store.usage.values(), window, plan, clock);
  return Array.from(
    Map.groupBy(charges, ({ bucket }) => bucket),
    ([bucket, ofDay]) => ({
      day: new Date(bucket).toISOString().slice(0, 10),
      amounts: Object.fromEntries(ofDay.map(({ resourceId, amounts }) => [resourceId, amounts.totalAmount ?? 0])),
    }),
  );
}
