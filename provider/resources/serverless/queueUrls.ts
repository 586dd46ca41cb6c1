import { z } from "zod";
import { queueUrlsAt } from "../../common/queueUrls";
import { named } from "../../lifecycle/fields";

export const queueUrlsOutput = named(
  "QueueUrls",
  z
    .object({
      run: z.string().describe("Submits a job."),
      runSync: z.string().describe("Submits a job and waits for its end."),
      status: z.string().describe("State and output of a job."),
      stream: z.string().describe("Output of a job, piece by piece."),
      cancel: z.string().describe("Cancels a job."),
      retry: z.string().describe("Runs a failed job again."),
      purgeQueue: z.string().describe("Removes the jobs that wait."),
      health: z.string().describe("Counts of jobs and workers."),
    })
    .describe("Addresses of a queue's operations; `{job_id}` stands for the job's id."),
);

export const loadBalancerUrls = named(
  "LoadBalancerUrls",
  z
    .object({
      base: z.string().describe("Stands before the paths of the container."),
      health: z.string().describe("Answers when a worker is ready."),
    })
    .describe("Addresses of a load balancing endpoint."),
);

export const queueUrls = (serverlessUrl: string, endpointId: string) =>
  queueUrlsAt(`${serverlessUrl}/v2/${endpointId}`);
