import type { z } from "zod";
import { type Operation, operation } from "../calls/operation";
import type { CallOptions } from "../options";
import * as bills from "../schemas/billing";
import type { Rest } from "./rest";

/**
 * What was spent, in USD: a record for each resource and time bucket, and totals. `/v2/billing`. Times are RFC 3339. Default:
 * the last 30 days, by day.
 *
 * Each call throws PermissionError when the key may not read bills.
 */
export interface BillingCalls {
  /**
   * The whole account, by what was billed. `GET /v2/billing`.
   *
   * @example
   * const { metadata } = await client.billing.summary({ bucketSize: "day", lastN: 7 });
   * console.log(metadata?.totals?.totalAmount);
   */
  summary(query?: bills.BillingQuery, options?: CallOptions): Promise<bills.AccountBill>;
  /**
   * Pods. `GET /v2/billing/pods`.
   *
   * @example
   * const bill = await client.billing.pods({ podId: "xedezhzb9la3ye" });
   */
  pods(query?: bills.PodBillingQuery, options?: CallOptions): Promise<bills.PodBill>;
  /**
   * Serverless endpoints of the account. `GET /v2/billing/serverless`.
   *
   * @example
   * const bill = await client.billing.serverless({ serverlessId: "4kqwe7f0" });
   */
  serverless(query?: bills.ServerlessBillingQuery, options?: CallOptions): Promise<bills.ServerlessBill>;
  /**
   * The service's public endpoints. `GET /v2/billing/endpoints`.
   *
   * @example
   * const bill = await client.billing.endpoints();
   */
  endpoints(query?: bills.BillingQuery, options?: CallOptions): Promise<bills.EndpointBill>;
  /**
   * Network volumes. `GET /v2/billing/network-volumes`.
   *
   * @example
   * const bill = await client.billing.networkVolumes({ networkVolumeId: "vol_1a2b" });
   */
  networkVolumes(query?: bills.NetworkVolumeBillingQuery, options?: CallOptions): Promise<bills.NetworkVolumeBill>;
  /**
   * Clusters. `GET /v2/billing/clusters`.
   *
   * @example
   * const bill = await client.billing.clusters({ clusterId: "cl_1a2b" });
   */
  clusters(query?: bills.ClusterBillingQuery, options?: CallOptions): Promise<bills.ClusterBill>;
}

const PATH = "/v2/billing";

const bill = <Reply, Query>(path: string, query: z.ZodType<Query>, reply: z.ZodType<Reply>) =>
  operation({ method: "GET", path: `${PATH}${path}`, kind: "Billing", query, reply });

export const operations = {
  summary: bill("", bills.BillingQuery, bills.AccountBill),
  pods: bill("/pods", bills.PodBillingQuery, bills.PodBill),
  serverless: bill("/serverless", bills.ServerlessBillingQuery, bills.ServerlessBill),
  endpoints: bill("/endpoints", bills.BillingQuery, bills.EndpointBill),
  networkVolumes: bill("/network-volumes", bills.NetworkVolumeBillingQuery, bills.NetworkVolumeBill),
  clusters: bill("/clusters", bills.ClusterBillingQuery, bills.ClusterBill),
};

export function calls(rest: Rest): BillingCalls {
  const read =
    <Reply, Query>(operation: Operation<Reply, undefined, Query>) =>
    (query?: Query, options?: CallOptions) =>
      rest.call(operation, { query, ...options });
  return {
    summary: read(operations.summary),
    pods: read(operations.pods),
    serverless: read(operations.serverless),
    endpoints: read(operations.endpoints),
    networkVolumes: read(operations.networkVolumes),
    clusters: read(operations.clusters),
  };
}
