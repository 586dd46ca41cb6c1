import { answers } from "../../client";
import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";
import { defineFunction } from "./definition";

const bills = answers.billing();

const time = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 time, such as 2026-01-31T00:00:00Z" })
  .optional();

const range = {
  startTime: time.describe(
    "RFC 3339; rounded down to the start of its bucket. Default: 30 days ago. Excludes `lastN`.",
  ),
  endTime: time.describe("RFC 3339, exclusive; rounded up to the end of its bucket. Default: now. Excludes `lastN`."),
  bucketSize: z
    .enum(["hour", "day", "week", "month", "year"])
    .optional()
    .describe("Length of the time that one record covers. Default: day."),
  lastN: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Number of the last buckets to return, including the current one. Default: none. Excludes `startTime` and `endTime`.",
    ),
};

const billArgs = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z
    .strictObject({ ...range, ...shape })
    .refine(
      ({ lastN, startTime, endTime }: Readonly<Record<string, unknown>>) =>
        lastN === undefined || (startTime === undefined && endTime === undefined),
      { path: ["lastN"], message: "excludes startTime and endTime; give one or the other" },
    );
const only = (what: string) => z.string().min(1).optional().describe(`Only the ${what} with this id.`);

export const getBilling = defineFunction({
  description: "What the whole account spent, in USD, by time bucket and kind of resource, with totals.",
  args: billArgs({}),
  result: named("AccountBill", bills.AccountBill),
  call: (client, query, { signal }) => client.billing.summary(query, { signal }),
});

export const getPodBilling = defineFunction({
  description: "What pods cost, in USD by pod and time bucket, with totals.",
  args: billArgs({ podId: only("pod") }),
  result: named("PodBill", bills.PodBill),
  call: (client, query, { signal }) => client.billing.pods(query, { signal }),
});

export const getServerlessBilling = defineFunction({
  description: "What serverless endpoints cost, in USD by endpoint and time bucket, with totals.",
  args: billArgs({ serverlessId: only("endpoint") }),
  result: named("ServerlessBill", bills.ServerlessBill),
  call: (client, query, { signal }) => client.billing.serverless(query, { signal }),
});

export const getEndpointBilling = defineFunction({
  description: "What the service's public endpoints cost, in USD by time bucket, with totals.",
  args: billArgs({}),
  result: named("EndpointBill", bills.EndpointBill),
  call: (client, query, { signal }) => client.billing.endpoints(query, { signal }),
});

export const getNetworkVolumeBilling = defineFunction({
  description: "What network volumes cost, in USD by volume and time bucket, with totals.",
  args: billArgs({ networkVolumeId: only("network volume") }),
  result: named("NetworkVolumeBill", bills.NetworkVolumeBill),
  call: (client, query, { signal }) => client.billing.networkVolumes(query, { signal }),
});

export const getClusterBilling = defineFunction({
  description: "What clusters cost, in USD by cluster and time bucket, with totals.",
  args: billArgs({ clusterId: only("cluster") }),
  result: named("ClusterBill", bills.ClusterBill),
  call: (client, query, { signal }) => client.billing.clusters(query, { signal }),
});
