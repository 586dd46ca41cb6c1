import { z } from "zod";
import type { Tolerant } from "../tolerant";

const BucketSize = z.enum(["hour", "day", "week", "month", "year"]);
const timeRange = {
  startTime: z.string().describe("RFC 3339."),
  endTime: z.string().describe("RFC 3339, exclusive."),
};
const amounts = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.number().describe("USD.")])) as Record<Name, z.ZodNumber>;

/** USD, by what was billed. */
const accountAmounts = amounts(
  "totalAmount",
  "podGpuAmount",
  "podCpuAmount",
  "podDiskAmount",
  "serverlessGpuAmount",
  "serverlessCpuAmount",
  "serverlessDiskAmount",
  "serverlessFeeAmount",
  "storageStandardAmount",
  "storageHighPerformanceAmount",
  "endpointAmount",
  "clusterGpuAmount",
  "clusterDiskAmount",
  "clusterNetworkingAmount",
);
const podAmounts = amounts("totalAmount", "gpuAmount", "cpuAmount", "diskAmount");
const serverlessAmounts = amounts("totalAmount", "gpuAmount", "cpuAmount", "diskAmount", "feeAmount");
const endpointAmounts = amounts("totalAmount");
const volumeAmounts = amounts("totalAmount", "standardAmount", "highPerformanceAmount");
const clusterAmounts = amounts("totalAmount", "gpuAmount", "diskAmount", "networkingAmount");

/** A bill: one record for each thing and time bucket, with the totals of all of them. */
function bill<
  Amounts extends z.core.$ZodLooseShape,
  Filter extends z.core.$ZodLooseShape,
  Owner extends z.core.$ZodLooseShape,
  Count extends z.core.$ZodLooseShape,
>(parts: { amounts: Amounts; owner: Owner; filter: Filter; count: Count }) {
  return z.object({
    records: z.array(z.object({ ...timeRange, ...parts.owner, ...parts.amounts })),
    metadata: z.object({
      query: z
        .object({ ...timeRange, bucketSize: BucketSize, ...parts.filter })
        .describe("What was asked for, with its defaults."),
      recordCount: z.int(),
      totals: z.object(parts.amounts),
      ...parts.count,
    }),
  });
}

export const AccountBill = bill({ amounts: accountAmounts, owner: {}, filter: {}, count: {} });
export type AccountBill = Tolerant<z.infer<typeof AccountBill>>;
export const PodBill = bill({
  amounts: podAmounts,
  owner: { podId: z.string() },
  filter: { podId: z.string().nullish() },
  count: { uniquePodCount: z.int() },
});
export type PodBill = Tolerant<z.infer<typeof PodBill>>;
export const ServerlessBill = bill({
  amounts: serverlessAmounts,
  owner: { serverlessId: z.string() },
  filter: { serverlessId: z.string().nullish() },
  count: { uniqueServerlessCount: z.int() },
});
export type ServerlessBill = Tolerant<z.infer<typeof ServerlessBill>>;
/** Public endpoints, which have no id of the account's. */
export const EndpointBill = bill({ amounts: endpointAmounts, owner: {}, filter: {}, count: {} });
export type EndpointBill = Tolerant<z.infer<typeof EndpointBill>>;
export const NetworkVolumeBill = bill({
  amounts: volumeAmounts,
  owner: { networkVolumeId: z.string() },
  filter: { networkVolumeId: z.string().nullish() },
  count: { uniqueNetworkVolumeCount: z.int() },
});
export type NetworkVolumeBill = Tolerant<z.infer<typeof NetworkVolumeBill>>;
export const ClusterBill = bill({
  amounts: clusterAmounts,
  owner: { clusterId: z.string() },
  filter: { clusterId: z.string().nullish() },
  count: { uniqueClusterCount: z.int() },
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
