import { type Endpoint, NotFoundError, needed } from "../../../client";
import { messageOf } from "../../../common/messageOf";
import type { Context } from "../../lifecycle/definition";
import { Unseen } from "../../lifecycle/make/unseen";
import { GRACE_MS } from "../../smoke/watch";
import { warnAboutQuota } from "./quotaRefusal";

/**
 * Raises the maximum of an endpoint at rest while it is used, and sets it back to 0. A permanent maximum would count in
 * the account's quota, and the service lowers it after a week without requests.
 *
 * Setting it back is not guaranteed: the call may fail, or the run may be killed. Then the endpoint may start workers,
 * which are billed. A note makes the next run on this machine put it to rest.
 */
export async function withTemporaryWorkers<T>(
  context: Context,
  id: string,
  workersMax: number,
  use: () => Promise<T>,
): Promise<T> {
  const { account, client, log, ledger } = context;
  const endpoint = await readSoon(context, id);
  // mutant no-note-of-the-candidate: gone
  ledger.wakes(id, workersMax, account.known);
  try {
    await client.serverless.update(id, withMost(endpoint, workersMax));
  } catch (error) {
    await warnAboutQuota(context, error, workersMax, id);
    throw error;
  }
  try {
    return await use();
  } finally {
    try {
      // mutant candidate-awake: gone
      await client.serverless.update(id, withMost(endpoint, 0));
      ledger.rests(id);
    } catch (error) {
      const reason = messageOf(error);
      log.warn(
        `Endpoint ${id} could not be scaled back to 0 workers: it may still start up to ${workersMax} workers (${reason}). Run ` +
          "`pulumi up` again on this machine, or set workers.max to 0 by hand.",
      );
    }
  }
}

/**
 * Runs a job on an endpoint whose schedule may set 0 workers now. Then one worker may start for the job's time: a gate
 * that is skipped at night would be none, and a job without workers fails whatever the image.
 *
 * An endpoint that has no workers for another reason stays as it is, so its job fails: it serves nothing.
 */
export async function withWorkersForJob<T>(context: Context, id: string, use: () => Promise<T>): Promise<T> {
  if (!context.ledger.isScheduled(id)) return use();
  const { workers } = await readSoon(context, id);
  return workers?.max === 0 ? withTemporaryWorkers(context, id, 1, use) : use();
}

/** Runs a job or requests with this maximum of workers; without one, with what the endpoint has at any hour. */
export function withWorkers<T>(
  context: Context,
  id: string,
  workersMax: number | undefined,
  use: () => Promise<T>,
): Promise<T> {
  return workersMax === undefined
    ? withWorkersForJob(context, id, use)
    : withTemporaryWorkers(context, id, workersMax, use);
}

/** Reads an endpoint that may be so new that it is not shown yet. Its queue is waited for as long. */
function readSoon(context: Context, id: string): Promise<Endpoint> {
  return new Unseen(context, `Endpoint ${id}`, () => GRACE_MS).find(
    () => context.client.serverless.get(id),
    (error) => error instanceof NotFoundError,
  );
}

/**
 * `workers` is sent whole. The exclusions are sent along, because the service was seen to drop them when they were left
 * out.
 */
function withMost(endpoint: Endpoint, max: number) {
  const { pools, excludedTypes = [] } = endpoint.gpu ?? {};
  return {
    workers: { ...needed(`Endpoint ${endpoint.id}`, endpoint, "workers"), min: 0, max },
    ...(pools !== undefined && excludedTypes.length > 0 && { gpu: { pools, excludedTypes } }),
  };
}
