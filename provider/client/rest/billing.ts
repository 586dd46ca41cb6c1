import type { z } from "zod";
import { type Operation, operation } from "../calls/operation";
import type { CallOptions } from "../options";
import {
  AccountBill,
  BillingQuery,
  ClusterBill,
  ClusterBillingQuery,
  EndpointBill,
  NetworkVolumeBill,
  NetworkVolumeBillingQuery,
  PodBill,
  PodBillingQuery,
  ServerlessBill,
  ServerlessBillingQuery,
} from "../schemas/billing";
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
  summary(query?: BillingQuery, options?: CallOptions): Promise<AccountBill>;
  /**
   * Pods. `GET /v2/billing/pods`.
   *
   * @example
   * const bill = await client.billing.pods({ podId: "xedezhzb9la3ye" });
   */
  pods(query?: PodBillingQuery, options?: CallOptions): Promise<PodBill>;
  /**
   * Serverless endpoints of the account. `GET /v2/billing/serverless`.
   *
   * @example
   * const bill = await client.billing.serverless({ serverlessId: "4kqwe7f0" });
   */
  serverless(query?: ServerlessBillingQuery, options?: CallOptions): Promise<ServerlessBill>;
  /**
   * The service's public endpoints. `GET /v2/billing/endpoints`.
   *
   * @example
   * const bill = await client.billing.endpoints();
   */
  endpoints(query?: BillingQuery, options?: CallOptions): Promise<EndpointBill>;
  /**
   * Network volumes. `GET /v2/billing/network-volumes`.
   *
   * @example
   * const bill = await client.billing.networkVolumes({ networkVolumeId: "vol_1a2b" });
   */
  networkVolumes(query?: NetworkVolumeBillingQuery, options?: CallOptions): Promise<NetworkVolumeBill>;
  /**
   * Clusters. `GET /v2/billing/clusters`.
   *
   * @example
   * const bill = await client.billing.clusters({ clusterId: "cl_1a2b" });
   */
  clusters(query?: ClusterBillingQuery, options?: CallOptions): Promise<ClusterBill>;
}

const PATH = "/v2/billing";

const bill = <Reply, Query>(path: string, query: z.ZodType<Query>, reply: z.ZodType<Reply>) =>
  operation({ method: "GET", path: `${PATH}${path}`, kind: "Billing", query, reply });

export const operations = {
  summary: bill("", BillingQuery, AccountBill),
  pods: bill("/pods", PodBillingQuery, PodBill),
  serverless: bill("/serverless", ServerlessBillingQuery, ServerlessBill),
  endpoints: bill("/endpoints", BillingQuery, EndpointBill),
  networkVolumes: bill("/network-volumes", NetworkVolumeBillingQuery, NetworkVolumeBill),
  clusters: bill("/clusters", ClusterBillingQuery, ClusterBill),
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
