import { z } from "zod";
import type { EndpointWorkers } from "../client";
import { needed } from "../client/tolerant";
import { milliseconds } from "../duration";
import type { Context } from "../lifecycle/definition";
import { initially, named } from "../lifecycle/fields";
import { WaitTimeoutError, waitUntil } from "../lifecycle/wait";
import { MOST_WORKERS } from "./defaults";
import { logTail } from "./logTail";

/** The service lowers it after days without requests: left out, that is no drift. */
export const mostWorkers = initially(MOST_WORKERS, z.int().min(0)).describe(
  "Most workers at a time. Left out, the service may lower it.",
);

export const flashBoot = named("FlashBoot", z.enum(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"])).describe(
  "How fast stopped workers come back.",
);

/** Waits until an endpoint has as many workers ready as it keeps on at all times. */
export async function workersReady(context: Context, id: string, wanted: number, timeout: string): Promise<void> {
  const { client, log, signal } = context;
  const ready = (workers: EndpointWorkers) => {
    const { running = 0, idle = 0 } = needed(`Endpoint ${id}`, workers, "summary");
    return running + idle;
  };
  try {
    await waitUntil({
      poll: () => client.serverless.workers(id),
      done: (workers) => ready(workers) >= wanted,
      progress: (workers) => log.status(`Endpoint ${id}`, `${ready(workers)} of ${wanted} workers are ready`),
      timeoutMs: milliseconds(timeout),
      signal,
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    const { summary = {}, workers = [] } = await client.serverless.workers(id);
    const [worker] = workers.filter(({ status }) => status === "UNHEALTHY").concat(workers);
    const logs =
      worker === undefined ? "" : await logTail((options) => client.serverless.workerLogs(id, worker.id, options));
    throw new Error(
      `Endpoint ${id} has not got ${wanted} workers ready within createTimeout (${timeout}): ${describe(summary)}. It exists, ` +
        `may be billed and stays in the state: \`pulumi up\` goes on waiting.${logs}`,
      { cause: error },
    );
  }
}

function describe({ total, ...states }: NonNullable<EndpointWorkers["summary"]>): string {
  const present = Object.entries(states).filter(([, count]) => count !== undefined && count > 0);
  return total === 0 ? "no worker at all" : present.map(([state, count]) => `${count} ${state}`).join(", ");
}
