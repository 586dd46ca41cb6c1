import * as pulumi from "@pulumi/pulumi";

/** The module of the tokens by which Pulumi's mocks answer jobs, such as `computecloud:jobs:runSync`. */
export const MOCKED_JOBS = "jobs";

const job = { id: "mock-job", status: "COMPLETED" };
const counts = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
/** What a job's call results in where the mocks say nothing else. */
export const MOCKED = {
  run: { ...job, status: "IN_QUEUE" },
  runSync: job,
  wait: job,
  status: job,
  stream: {},
  cancel: { ...job, status: "CANCELLED" },
  retry: { ...job, status: "IN_QUEUE" },
  purgeQueue: { removed: 0 },
  health: { jobs: counts, workers: { idle: 0, running: 0 } },
} as const;

/** Under Pulumi's mocks nothing is sent: their `call` answers, as far as it does. Pieces of a stream are its `chunks`. */
export async function mocked(name: keyof typeof MOCKED, endpointId: string, args: unknown): Promise<unknown> {
  const inputs = { endpointId, ...(typeof args === "string" ? { jobId: args } : (args ?? {})) };
  const answer = await pulumi.runtime.invoke(`computecloud:${MOCKED_JOBS}:${name}`, inputs);
  return name === "stream" ? (answer.chunks ?? []) : { ...MOCKED[name], ...answer };
}

/** Whether the program runs under `pulumi.runtime.setMocks`: there is no engine. */
export function isMocked(): boolean {
  return pulumi.runtime.getEngine() === undefined && pulumi.runtime.getMonitor() !== undefined;
}
