import type { z } from "zod";
import { type Operation, operation } from "../calls/operation";
import type { BillingCalls } from "../nouns";
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

const PATH = "/v2/billing";

const bill = <Reply, Query>(path: string, query: z.ZodType<Query>, reply: z.ZodType<Reply>) =>
  operation({ method: "GET", path: `${PATH}${path}`, kind: "Billing", query, reply });

export const billingOperations = {
  summary: bill("", BillingQuery, AccountBill),
  pods: bill("/pods", PodBillingQuery, PodBill),
  serverless: bill("/serverless", ServerlessBillingQuery, ServerlessBill),
  endpoints: bill("/endpoints", BillingQuery, EndpointBill),
  networkVolumes: bill("/network-volumes", NetworkVolumeBillingQuery, NetworkVolumeBill),
  clusters: bill("/clusters", ClusterBillingQuery, ClusterBill),
};

export function billing(rest: Rest): BillingCalls {
  const read =
    <Reply, Query>(operation: Operation<Reply, undefined, Query>) =>
    (query?: Query, options?: CallOptions) =>
      rest.call(operation, { query, ...options });
  return {
    summary: read(billingOperations.summary),
    pods: read(billingOperations.pods),
    serverless: read(billingOperations.serverless),
    endpoints: read(billingOperations.endpoints),
    networkVolumes: read(billingOperations.networkVolumes),
    clusters: read(billingOperations.clusters),
  };
}
