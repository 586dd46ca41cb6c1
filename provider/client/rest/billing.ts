import { operation } from "../operation";
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

const method = "GET";
const kind = "Billing";

export const billingOperations = {
  summary: operation({ method, path: "/v2/billing", kind, query: BillingQuery, reply: AccountBill }),
  pods: operation({ method, path: "/v2/billing/pods", kind, query: PodBillingQuery, reply: PodBill }),
  serverless: operation({
    method,
    path: "/v2/billing/serverless",
    kind,
    query: ServerlessBillingQuery,
    reply: ServerlessBill,
  }),
  endpoints: operation({ method, path: "/v2/billing/endpoints", kind, query: BillingQuery, reply: EndpointBill }),
  networkVolumes: operation({
    method,
    path: "/v2/billing/network-volumes",
    kind,
    query: NetworkVolumeBillingQuery,
    reply: NetworkVolumeBill,
  }),
  clusters: operation({ method, path: "/v2/billing/clusters", kind, query: ClusterBillingQuery, reply: ClusterBill }),
};

/** What was spent, in USD, one record for each thing and time bucket. Default: the last 30 days, by day. */
export function billing(rest: Rest) {
  return {
    /** The whole account, by what was billed. */
    summary: (query: BillingQuery = {}, options?: CallOptions) =>
      rest.call(billingOperations.summary, { query, ...options }),
    pods: (query: PodBillingQuery = {}, options?: CallOptions) =>
      rest.call(billingOperations.pods, { query, ...options }),
    serverless: (query: ServerlessBillingQuery = {}, options?: CallOptions) =>
      rest.call(billingOperations.serverless, { query, ...options }),
    /** Public endpoints of the service. */
    endpoints: (query: BillingQuery = {}, options?: CallOptions) =>
      rest.call(billingOperations.endpoints, { query, ...options }),
    networkVolumes: (query: NetworkVolumeBillingQuery = {}, options?: CallOptions) =>
      rest.call(billingOperations.networkVolumes, { query, ...options }),
    clusters: (query: ClusterBillingQuery = {}, options?: CallOptions) =>
      rest.call(billingOperations.clusters, { query, ...options }),
  };
}
