import type { SaveEndpointInput } from "../client";
import { GraphqlError } from "../client/errors";
import { needed } from "../client/tolerant";
import type { Context } from "../lifecycle/definition";
import { WaitTimeoutError, waitUntil } from "../lifecycle/wait";

/** Time that stopping workers may take; they finish the job they have. */
const PATIENCE_MS = 300_000;

/**
 * Deletes an endpoint over GraphQL, which refuses while it has workers or may start some: three calls where none is
 * left. It is read first, for the console may have changed it since the state was written.
 *
 * @param flashBootType what a save has to say again, for GraphQL does not show it
 * @returns false when it was gone before
 */
export async function deleteEndpoint(
  context: Context,
  id: string,
  flashBootType: SaveEndpointInput["flashBootType"],
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  const { client, log } = context;
  const live = await client.endpoints.find(id);
  if (live === undefined) return false;
  if (live.workersMin !== 0 || live.workersMax !== 0) {
    log.status(`ServerlessEndpoint ${live.name}`, "scaling to 0 workers");
    await client.endpoints.save({
      id,
      name: live.name ?? id,
      gpuIds: live.gpuIds ?? "",
      templateId: live.templateId ?? "",
      type: live.type ?? "QB",
      gpuCount: live.gpuCount ?? 1,
      idleTimeout: live.idleTimeout ?? 10,
      locations: live.locations ?? "",
      networkVolumeId: live.networkVolumeId ?? null,
      scalerType: live.scalerType ?? "QUEUE_DELAY",
      scalerValue: live.scalerValue ?? 4,
      flashBootType,
      workersMin: 0,
      workersMax: 0,
    });
  }
  try {
    await client.endpoints.delete(id);
  } catch (error) {
    // The refusal has no code: it is worth a wait only where workers are left.
    if (!(error instanceof GraphqlError) || (await workersOf(context, id)) === 0) throw error;
    await workersGone(context, live, patienceMs);
    await client.endpoints.delete(id);
  }
  return true;
}

async function workersOf({ client }: Context, id: string): Promise<number> {
  const summary = needed(`Endpoint ${id}`, await client.serverless.workers(id), "summary");
  return needed(`Endpoint ${id}`, summary, "total");
}

async function workersGone(
  context: Context,
  { id, name = id }: { id: string; name?: string | undefined },
  timeoutMs: number,
) {
  try {
    await waitUntil({
      poll: () => workersOf(context, id),
      done: (total) => total === 0,
      progress: (total) => context.log.status(`ServerlessEndpoint ${name}`, `waiting for ${total} workers to stop`),
      timeoutMs,
      signal: context.signal,
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    const { inProgress, inQueue } = (await context.client.queue(id).health()).jobs;
    throw new Error(
      `ServerlessEndpoint ${name} (${id}) is scaled to 0, but ${error.state} of its workers have not stopped within ` +
        `${Math.round(timeoutMs / 1000)} s, and the service deletes no endpoint with workers. They finish the jobs that ` +
        `they have: ${inProgress} in progress, ${inQueue} queued. Cancel those jobs (\`jobs.cancel\`, or \`computecloud ` +
        `purge ${id}\` for the queued ones) or wait, then run the same command again.`,
      { cause: error },
    );
  }
}
