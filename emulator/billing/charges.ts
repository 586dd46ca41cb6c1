import type { Clock } from "../clock";
import type { UsageRecord } from "../store/records";
import { type BucketSize, bucketStart } from "./buckets";

export const HOURS_PER_MONTH = 730;
export const DISK_USD_PER_GB_HOUR = 0.1 / HOURS_PER_MONTH;
const HOUR_MS = 3_600_000;

/** A range of whole buckets; `end` is exclusive. */
export interface BillingWindow {
  readonly start: number;
  readonly end: number;
  readonly bucketSize: BucketSize;
}

/** USD by record field; `totalAmount` is the sum of the others. */
export type Amounts = Record<string, number>;

/** The cost of one resource in one bucket, or of all resources together under an empty id. */
export interface Charge {
  readonly bucket: number;
  readonly resourceId: string;
  readonly amounts: Amounts;
}

export interface ReportPlan {
  /** Record fields besides `totalAmount`. */
  readonly fields: readonly string[];
  /** The record field for a component of a usage; undefined leaves it out. */
  fieldOf(usage: UsageRecord, component: string): string | undefined;
  /** The key by which records are grouped, besides the bucket. */
  groupOf(usage: UsageRecord): string;
}

/** The charges of the window, by bucket. A bucket without usage has no record. */
export function chargesOf(
  usages: Iterable<UsageRecord>,
  { start, end, bucketSize }: BillingWindow,
  plan: ReportPlan,
  clock: Clock,
): Charge[] {
  const charges = new Map<string, Charge>();
  for (const usage of usages) {
    const resourceId = plan.groupOf(usage);
    const until = Math.min(usage.to ?? clock.now(), end);
    let at = Math.max(usage.from, start);
    while (at < until) {
      const bucket = bucketStart(bucketSize, at);
      const next = Math.min(bucketStart(bucketSize, at, 1), until);
      const key = `${bucket} ${resourceId}`;
      const charge = charges.get(key) ?? { bucket, resourceId, amounts: noAmounts(plan.fields) };
      charges.set(key, charge);
      addTo(charge.amounts, usage, (next - at) / HOUR_MS, plan);
      at = next;
    }
  }
  return Array.from(charges.values()).toSorted((a, b) => a.bucket - b.bucket);
}

export function totalsOf(charges: readonly Charge[], fields: readonly string[]): Amounts {
  const totals = noAmounts(fields);
  for (const { amounts } of charges)
    for (const [field, usd] of Object.entries(amounts)) totals[field] = (totals[field] ?? 0) + usd;
  return totals;
}

export const sumOf = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((sum, amount) => sum + amount, 0);

const noAmounts = (fields: readonly string[]): Amounts =>
  Object.fromEntries(["totalAmount", ...fields].map((field) => [field, 0]));

function addTo(amounts: Amounts, usage: UsageRecord, hours: number, plan: ReportPlan): void {
  for (const [component, usdPerHour] of Object.entries(usage.rates)) {
    const field = plan.fieldOf(usage, component);
    if (field === undefined) continue;
    const usd = usdPerHour * hours;
    amounts[field] = (amounts[field] ?? 0) + usd;
    amounts.totalAmount = (amounts.totalAmount ?? 0) + usd;
  }
}
