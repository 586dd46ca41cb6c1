import { answers } from "../../../client";
import { z } from "../../../common/zod";
import { named } from "../../lifecycle/fields/fields";

const { LoadBalancerUrls, FullQueueUrls } = answers.serverless();

export const queueUrls = named("QueueUrls", FullQueueUrls);
export const loadBalancerUrls = named("LoadBalancerUrls", LoadBalancerUrls);

/** Addresses of an endpoint whose type its class does not tell. Programs take a queue's addresses from them as plain texts. */
export const endpointUrls = named(
  "EndpointUrls",
  FullQueueUrls.extend({
    base: z.string().optional().describe("Of a load balancer: stands before the paths of the container."),
    health: z.string().describe("Counts of jobs and workers; of a load balancer: answers when a worker is ready."),
  }).describe(
    "Addresses of a queue's operations; `{job_id}` stands for the job's id. A load balancer has `base` and `health` alone.",
  ),
);
