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

/** A report that has one record per resource and bucket. */
interface ResourceReport {
  readonly resource: UsageRecord["resource"];
  /** The last part of its address. */
  readonly path: string;
  readonly components: readonly string[];
}

const RESOURCE_REPORTS: readonly ResourceReport[] = [
  { resource: "pod", path: "pods", components: ["gpu", "cpu", "disk"] },
  { resource: "serverless", path: "serverless", components: ["gpu", "cpu", "disk", "fee"] },
  { resource: "networkVolume", path: "network-volumes", components: ["standard", "highPerformance"] },
  { resource: "cluster", path: "clusters", components: ["gpu", "disk", "networking"] },
];

/** The prefix of each kind's fields in the aggregate report. There, `endpoint` means the vendor's public endpoints. */
const PREFIXES: Readonly<Record<UsageRecord["resource"], string>> = {
  pod: "pod",
  serverless: "serverless",
  networkVolume: "storage",
  cluster: "cluster",
};

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const fieldName = (component: string): string => `${component}Amount`;
const prefixed = (resource: UsageRecord["resource"], component: string): string =>
  `${PREFIXES[resource]}${capitalised(fieldName(component))}`;

const AGGREGATE: ReportPlan = {
  fields: [
    ...RESOURCE_REPORTS.flatMap(({ resource, components }) => components.map((each) => prefixed(resource, each))),
    "endpointAmount",
  ],
  fieldOf: ({ resource }, component) => prefixed(resource, component),
  groupOf: () => "",
};

/** The emulator has no public endpoints, so they never cost anything. */
const PUBLIC_ENDPOINTS: ReportPlan = { fields: [], fieldOf: () => undefined, groupOf: () => "" };

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/billing",
    operationId: "listBilling",
    summary: "Spend over all resources",
    right: "billing",
    query: z.object(windowQuery),
    success: { 200: named("ListBillingResponse", response(AGGREGATE.fields)) },
    errors: [400],
    handle: ({ service, query }) => {
      const window = resolveWindow(query, service.clock);
      return bucketReport(window, AGGREGATE, service.store.usage.values(), service.clock);
    },
  }),
  route({
    method: "GET",
    path: "/v2/billing/endpoints",
    operationId: "listEndpointBilling",
    summary: "Spend on the vendor's public endpoints",
    right: "billing",
    query: z.object(windowQuery),
    success: { 200: named("ListEndpointBillingResponse", response(PUBLIC_ENDPOINTS.fields)) },
    errors: [400],
    handle: ({ service, query }) =>
      bucketReport(resolveWindow(query, service.clock), PUBLIC_ENDPOINTS, [], service.clock),
  }),
  ...RESOURCE_REPORTS.map(resourceRoute),
];

function resourceRoute({ resource, path, components }: ResourceReport): Route {
  const noun = capitalised(resource);
  const [filter, uniqueCount] = [`${resource}Id`, `unique${noun}Count`];
  const fields = components.map(fieldName);
  const filterQuery = z.object({ [filter]: z.string().optional() });
  const plan: ReportPlan = {
    fields,
    fieldOf: (_usage, component) => fieldName(component),
    groupOf: ({ resourceId }) => resourceId,
  };
  return route({
    method: "GET",
    path: `/v2/billing/${path}`,
    operationId: `list${noun}Billing`,
    summary: "Spend by resource and bucket",
    right: "billing",
    query: z.object({ ...windowQuery, ...filterQuery.shape }),
    success: { 200: named(`List${noun}BillingResponse`, response(fields, filter, uniqueCount)) },
    errors: [400],
    handle: ({ service: { store, clock }, query }) => {
      const window = resolveWindow(query, clock);
      const wanted = filterQuery.parse(query)[filter] ?? null;
      const usages = wanted === null ? store.usage.values() : store.usage.by("resource", wanted);
      const charges = chargesOf(
        Array.from(usages).filter((usage) => usage.resource === resource),
        window,
        plan,
        clock,
      );
      return {
        records: charges.map(({ bucket, resourceId, amounts }) => ({
          ...timeRange(window, bucket),
          [filter]: resourceId,
          ...amounts,
        })),
        metadata: {
          query: { ...windowShown(window), [filter]: wanted },
          recordCount: charges.length,
          [uniqueCount]: new Set(charges.map(({ resourceId }) => resourceId)).size,
          totals: totalsOf(charges, fields),
        },
      };
    },
  });
}

function bucketReport(window: BillingWindow, plan: ReportPlan, usages: Iterable<UsageRecord>, clock: Clock) {
  const charges = chargesOf(usages, window, plan, clock);
  return {
    records: charges.map(({ bucket, amounts }) => ({ ...timeRange(window, bucket), ...amounts })),
    metadata: { query: windowShown(window), recordCount: charges.length, totals: totalsOf(charges, plan.fields) },
  };
}

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

const isoTime = (at: number): string => new Date(at).toISOString();

const timeRange = ({ bucketSize }: BillingWindow, bucket: number) => ({
  startTime: isoTime(bucket),
  endTime: isoTime(bucketStart(bucketSize, bucket, 1)),
});

const windowShown = ({ start, end, bucketSize }: BillingWindow) => ({
  startTime: isoTime(start),
  endTime: isoTime(end),
  bucketSize,
});

/** The schema of a report's answer. */
function response(fields: readonly string[], filter?: string, uniqueCount?: string): z.ZodType {
  const range = { startTime: instant, endTime: instant };
  const amounts = Object.fromEntries(["totalAmount", ...fields].map((field) => [field, z.number()]));
  return z.object({
    records: z.array(z.object({ ...range, ...(filter !== undefined && { [filter]: z.string() }), ...amounts })),
    metadata: z.object({
      query: z.object({
        ...range,
        bucketSize,
        ...(filter !== undefined && { [filter]: z.string().nullable().optional() }),
      }),
      recordCount: z.int(),
      ...(uniqueCount !== undefined && { [uniqueCount]: z.int() }),
      totals: z.object(amounts),
    }),
  });
}
