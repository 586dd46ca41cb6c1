import { z } from "zod";
import { BUCKET_SIZES, bucketEnd, bucketStart } from "../billing/buckets";
import { type BillingWindow, chargesOf, type ReportPlan, totalsOf } from "../billing/charges";
import type { Clock } from "../clock";
import { wholeNumber } from "../http/query";
import { named, type Route, route } from "../http/route";
import { badRequest } from "../problem";
import type { UsageRecord } from "../store/records";

const DEFAULT_SPAN_MS = 30 * 86_400_000;

const bucketSize = named("BillingBucketSize", z.enum(BUCKET_SIZES));
const instant = z.iso.datetime({ offset: true });

const windowQuery = {
  startTime: instant.optional(),
  endTime: instant.optional(),
  bucketSize: bucketSize.default("day"),
  lastN: wholeNumber(z.int().min(1)).optional(),
};

/**
 * The kinds of resources: the path of a kind's own report, the components of its costs, and the prefix of its fields in the
 * report over all. There, `endpoint` means the vendor's public endpoints.
 */
const KINDS = [
  { resource: "pod", path: "/pods", prefix: "pod", components: ["gpu", "cpu", "disk"] },
  { resource: "serverless", path: "/serverless", prefix: "serverless", components: ["gpu", "cpu", "disk", "fee"] },
  {
    resource: "networkVolume",
    path: "/network-volumes",
    prefix: "storage",
    components: ["standard", "highPerformance"],
  },
  { resource: "cluster", path: "/clusters", prefix: "cluster", components: ["gpu", "disk", "networking"] },
] as const;

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const fieldName = (component: string): string => `${component}Amount`;
const prefixed = (prefix: string, component: string): string => `${prefix}${capitalised(fieldName(component))}`;

interface Report extends ReportPlan {
  /** In the names of its operation and its answer. */
  readonly noun: string;
  readonly path: string;
  readonly summary: string;
  /** The parameter and property with a resource's id, in a report that has one record per resource and bucket. */
  readonly filter?: string;
  counts(usage: UsageRecord): boolean;
}

const REPORTS: readonly Report[] = [
  {
    noun: "",
    path: "",
    summary: "Spend over all resources",
    fields: [
      ...KINDS.flatMap(({ prefix, components }) => components.map((each) => prefixed(prefix, each))),
      "endpointAmount",
    ],
    fieldOf: (usage, component) =>
      prefixed(KINDS.find(({ resource }) => resource === usage.resource)?.prefix ?? "", component),
    groupOf: () => "",
    counts: () => true,
  },
  {
    noun: "Endpoint",
    path: "/endpoints",
    summary: "Spend on the vendor's public endpoints",
    fields: [],
    fieldOf: () => undefined,
    groupOf: () => "",
    // The emulator has no public endpoints, so they never cost anything.
    counts: () => false,
  },
  ...KINDS.map(({ resource, path, components }) => ({
    noun: capitalised(resource),
    path,
    summary: "Spend by resource and bucket",
    filter: `${resource}Id`,
    fields: components.map(fieldName),
    fieldOf: (_usage: UsageRecord, component: string) => fieldName(component),
    groupOf: ({ resourceId }: UsageRecord) => resourceId,
    counts: (usage: UsageRecord) => usage.resource === resource,
  })),
];

export const routes: readonly Route[] = REPORTS.map((report) => {
  const { noun, path, summary, filter, fields } = report;
  const uniqueCount = `unique${noun}Count`;
  const filterQuery = z.object(filter === undefined ? {} : { [filter]: z.string().optional() });
  return route({
    path: `/v2/billing${path}`,
    operationId: `list${noun}Billing`,
    summary,
    right: "billing",
    query: z.object({ ...windowQuery, ...filterQuery.shape }),
    success: { 200: named(`List${noun}BillingResponse`, response(fields, filter, uniqueCount)) },
    errors: [400],
    handle: ({ service: { store, clock }, query }) => {
      const window = resolveWindow(query, clock);
      const { start, end, bucketSize } = window;
      const [wanted = null] = Object.values(filterQuery.parse(query));
      const usages = wanted === null ? store.usage.values() : store.usage.by("resource", wanted);
      const charges = chargesOf(Array.from(usages).filter(report.counts), window, report, clock);
      return {
        records: charges.map(({ bucket, resourceId, amounts }) => ({
          ...rangeShown(bucket, bucketStart(bucketSize, bucket, 1)),
          ...(filter !== undefined && { [filter]: resourceId }),
          ...amounts,
        })),
        metadata: {
          query: { ...rangeShown(start, end), bucketSize, ...(filter !== undefined && { [filter]: wanted }) },
          recordCount: charges.length,
          ...(filter !== undefined && { [uniqueCount]: new Set(charges.map(({ resourceId }) => resourceId)).size }),
          totals: totalsOf(charges, fields),
        },
      };
    },
  });
});

/** The window of a report, by default the last 30 days. Both ends move outwards to the nearest bucket boundary. */
function resolveWindow(
  { startTime, endTime, bucketSize, lastN }: z.output<z.ZodObject<typeof windowQuery>>,
  clock: Clock,
): BillingWindow {
  const now = clock.now();
  if (lastN !== undefined) {
    if (startTime !== undefined || endTime !== undefined)
      throw badRequest("lastN and startTime/endTime are mutually exclusive");
    return { start: bucketStart(bucketSize, now, 1 - lastN), end: bucketStart(bucketSize, now, 1), bucketSize };
  }
  const start = bucketStart(bucketSize, startTime === undefined ? now - DEFAULT_SPAN_MS : Date.parse(startTime));
  const end = bucketEnd(bucketSize, endTime === undefined ? now : Date.parse(endTime));
  if (start >= end) throw badRequest("startTime must be before endTime");
  return { start, end, bucketSize };
}

const rangeShown = (start: number, end: number) => ({
  startTime: new Date(start).toISOString(),
  endTime: new Date(end).toISOString(),
});

/** The schema of a report's answer. */
function response(fields: readonly string[], filter: string | undefined, uniqueCount: string): z.ZodType {
  const range = { startTime: instant, endTime: instant };
  const amounts = Object.fromEntries(["totalAmount", ...fields].map((field) => [field, z.number()]));
  return z.object({
    records: z.array(z.object({ ...range, ...(filter !== undefined && { [filter]: z.string() }), ...amounts })),
    metadata: z.object({
      query: z.object({ ...range, bucketSize, ...(filter !== undefined && { [filter]: z.string().nullish() }) }),
      recordCount: z.int(),
      ...(filter !== undefined && { [uniqueCount]: z.int() }),
      totals: z.object(amounts),
    }),
  });
}
