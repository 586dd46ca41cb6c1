import { setTimeout as delay } from "node:timers/promises";
import { createClient, type JobStatus } from "../../client";
import type { EmulatorAddresses } from "../run/environment";

const POLL_MS = 250;
const RUNNING: ReadonlySet<JobStatus> = new Set(["IN_QUEUE", "IN_PROGRESS"]);

/** Sends one job through an endpoint's queue and answers its output; throws when it ends otherwise than completed. */
export async function smokeJob(service: EmulatorAddresses, endpointId: string, input: unknown, signal: AbortSignal) {
  const client = createClient({ ...service, signal });
  try {
    const queue = client.queue(endpointId);
    let job = await queue.run({ input });
    while (RUNNING.has(job.status)) {
      await delay(POLL_MS, undefined, { signal });
      job = await queue.status(job.id);
    }
    if (job.status !== "COMPLETED") throw new Error(`job ${job.id} ended ${job.status}: ${JSON.stringify(job.error)}`);
    return job.output;
  } finally {
    await client.close();
  }
}
