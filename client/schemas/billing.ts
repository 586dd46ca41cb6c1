import { z } from "../../common/zod";
import type { Tolerant } from "../values/tolerant";

const BucketSize = z.enum(["hour", "day", "week", "month", "year"]);

const timeRange = (of: string) => ({
  startTime: z.string().describe(`Start of ${of}, RFC 3339.`),
  endTime: z.string().describe(`End of ${of}, exclusive, RFC 3339.`),
});
const bucket = timeRange("the time bucket");
const query = { ...timeRange("the time asked for"), bucketSize: BucketSize.describe("Length of a time bucket.") };

/** Fields for amounts in USD, the total first. */
const amountsFor = <const Name extends string>(billed: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries({ totalAmount: "all of it", ...billed }).map(([name, what]) => [
      name,
      z.number().describe(`USD for ${what}.`),
    ]),
  ) as Record<Name | "totalAmount", z.ZodNumber>;

/** The id that a bill is broken down by: in its records, in its query, and counted. */
const byId = <const Id extends string, const Count extends string>(id: Id, count: Count, what: string) => ({
  owner: { [id]: z.string().describe(`The ${what} that was billed, by its id.`) } as Record<Id, z.ZodString>,
  filter: { [id]: z.string().nullish().describe(`The only ${what} asked for; null or absent: all.`) } as Record<
    Id,
    z.ZodOptional<z.ZodNullable<z.ZodString>>
  >,
  count: { [count]: z.int().describe(`How many ${what}s were billed.`) } as Record<Count, z.ZodInt>,
});
const inAll = { owner: {}, filter: {}, count: {} };

/** A bill: one record for each resource and time bucket, and their totals. */
function bill<
  const Billed extends string,
  Filter extends z.core.$ZodLooseShape,
  Owner extends z.core.$ZodLooseShape,
  Count extends z.core.$ZodLooseShape,
>(
  records: string,
  { owner, filter, count }: { owner: Owner; filter: Filter; count: Count },
  billed: Readonly<Record<Billed, string>>,
) {
  const amounts = amountsFor(billed);
  return z.object({
    records: z.array(z.object({ ...bucket, ...owner, ...amounts })).describe(records),
    metadata: z
      .object({
        query: z.object({ ...query, ...filter }).describe("What was asked for, with its defaults."),
        recordCount: z.int().describe("How many records there are."),
        totals: z.object(amounts).describe("The sums of all records."),
        ...count,
      })
      .describe("What was asked for, and the records summed up."),
  });
}

export const AccountBill = bill("One for each time bucket.", inAll, {
  podGpuAmount: "the GPUs of pods",
  podCpuAmount: "CPU pods",
  podDiskAmount: "the storage of pods",
  serverlessGpuAmount: "the GPUs of serverless workers",
  serverlessCpuAmount: "serverless CPU workers",
  serverlessDiskAmount: "the storage of serverless workers",
  serverlessFeeAmount: "the fee of serverless endpoints",
  storageStandardAmount: "STANDARD network volumes",
  storageHighPerformanceAmount: "HIGH_PERFORMANCE network volumes",
  endpointAmount: "the service's public endpoints",
  clusterGpuAmount: "the GPUs of clusters",
  clusterDiskAmount: "the storage of clusters",
  clusterNetworkingAmount: "the networks of clusters",
});
export type AccountBill = Tolerant<z.infer<typeof AccountBill>>;
export const PodBill = bill("One for each pod and time bucket.", byId("podId", "uniquePodCount", "pod"), {
  gpuAmount: "GPUs",
  cpuAmount: "CPU pods",
  diskAmount: "storage",
});
export type PodBill = Tolerant<z.infer<typeof PodBill>>;
const ofEndpoints = byId("serverlessId", "uniqueServerlessCount", "endpoint");
export const ServerlessBill = bill("One for each endpoint and time bucket.", ofEndpoints, {
  gpuAmount: "GPUs",
  cpuAmount: "CPU workers",
  diskAmount: "storage",
  feeAmount: "the fee of serverless endpoints",
});
export type ServerlessBill = Tolerant<z.infer<typeof ServerlessBill>>;
/** The service's public endpoints, which have no id in the account. */
export const EndpointBill = bill("One for each time bucket.", inAll, {});
export type EndpointBill = Tolerant<z.infer<typeof EndpointBill>>;
const ofVolumes = byId("networkVolumeId", "uniqueNetworkVolumeCount", "volume");
export const NetworkVolumeBill = bill("One for each volume and time bucket.", ofVolumes, {
  standardAmount: "STANDARD volumes",
  highPerformanceAmount: "HIGH_PERFORMANCE volumes",
});
export type NetworkVolumeBill = Tolerant<z.infer<typeof NetworkVolumeBill>>;
const ofClusters = byId("clusterId", "uniqueClusterCount", "cluster");
export const ClusterBill = bill("One for each cluster and time bucket.", ofClusters, {
  gpuAmount: "GPUs",
  diskAmount: "storage",
  networkingAmount: "the network between pods",
});
export type ClusterBill = Tolerant<z.infer<typeof ClusterBill>>;

/** Times are RFC 3339. `lastN` excludes both of them. */
export const BillingQuery = z.strictObject({
  startTime: z.string().optional(),
  endTime: z.string().optional(),
  bucketSize: BucketSize.optional(),
  lastN: z.int().optional(),
});
export type BillingQuery = z.infer<typeof BillingQuery>;
export const PodBillingQuery = BillingQuery.extend({ podId: z.string().optional() });
export type PodBillingQuery = z.infer<typeof PodBillingQuery>;
export const ServerlessBillingQuery = BillingQuery.extend({ serverlessId: z.string().optional() });
export type ServerlessBillingQuery = z.infer<typeof ServerlessBillingQuery>;
export const NetworkVolumeBillingQuery = BillingQuery.extend({ networkVolumeId: z.string().optional() });
export type NetworkVolumeBillingQuery = z.infer<typeof NetworkVolumeBillingQuery>;
export const ClusterBillingQuery = BillingQuery.extend({ clusterId: z.string().optional() });
export type ClusterBillingQuery = z.infer<typeof ClusterBillingQuery>;
