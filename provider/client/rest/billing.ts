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

const METHOD = "GET";
const KIND = "Billing";

export const billingOperations = {
  summary: operation({ method: METHOD, path: "/v2/billing", kind: KIND, query: BillingQuery, reply: AccountBill }),
  pods: operation({ method: METHOD, path: "/v2/billing/pods", kind: KIND, query: PodBillingQuery, reply: PodBill }),
  serverless: operation({
    method: METHOD,
    path: "/v2/billing/serverless",
    kind: KIND,
    query: ServerlessBillingQuery,
    reply: ServerlessBill,
  }),
  endpoints: operation({
    method: METHOD,
    path: "/v2/billing/endpoints",
    kind: KIND,
    query: BillingQuery,
    reply: EndpointBill,
  }),
  networkVolumes: operation({
    method: METHOD,
    path: "/v2/billing/network-volumes",
    kind: KIND,
    query: NetworkVolumeBillingQuery,
    reply: NetworkVolumeBill,
  }),
  clusters: operation({
    method: METHOD,
    path: "/v2/billing/clusters",
    kind: KIND,
    query: ClusterBillingQuery,
    reply: ClusterBill,
  }),
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
