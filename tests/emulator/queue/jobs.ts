import { newId } from "../ids";
import { notFound } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, JobRecord } from "../store/records";
import { echo, type JobContext } from "./handlers";

/** Puts a job into the endpoint's queue; a worker takes it up after its cold start. */
export function submit(service: Service, endpoint: EndpointRecord, input: unknown): JobRecord {
  const { clock, store, settings } = service;
  const now = clock.now();
  const job = store.jobs.put({
    id: newId.job(),
    endpointId: endpoint.id,
    status: "IN_QUEUE",
    input,
    retries: 0,
    createdAt: now,
  });
  store.endpoints.put({ ...endpoint, lastRequestAt: now });
  if (endpoint.workers.max > 0) clock.after(settings.workerColdStartMs, () => void work(service, job.id));
  return job;
}

export function findJob({ store }: Service, { id }: EndpointRecord, jobId: string): JobRecord {
  const job = store.jobs.get(jobId);
  if (job === undefined || job.endpointId !== id) throw notFound("job");
  return job;
}

/** A job as `/status` shows it. */
export function jobShown({
  id,
  status,
  output,
  error,
  workerId,
  createdAt,
  startedAt,
  finishedAt,
}: JobRecord): unknown {
  return {
    id,
    status,
    ...(startedAt !== undefined && { delayTime: startedAt - createdAt, workerId }),
    ...(startedAt !== undefined && finishedAt !== undefined && { executionTime: finishedAt - startedAt }),
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
  };
}

async function work(service: Service, jobId: string): Promise<void> {
  const { clock, store } = service;
  const job = store.jobs.get(jobId);
  const endpoint = store.endpoints.get(job?.endpointId ?? "");
  if (job === undefined || endpoint === undefined || job.status !== "IN_QUEUE") return;
  const started = { ...job, status: "IN_PROGRESS", workerId: newId.worker(), startedAt: clock.now() } as const;
  store.jobs.put(started);
  const context: JobContext = {
    id: job.id,
    endpointId: endpoint.id,
    env: endpoint.env,
    sleep: (ms) => clock.sleep(ms),
  };
  try {
    const output = await (service.handlers[endpoint.image] ?? echo)(job.input, context);
    store.jobs.put({ ...started, status: "COMPLETED", output, finishedAt: clock.now() });
  } catch (error) {
    store.jobs.put({ ...started, status: "FAILED", error: String(error), finishedAt: clock.now() });
  }
}
