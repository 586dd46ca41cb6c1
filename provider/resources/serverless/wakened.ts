import type { Endpoint } from "../../client";
import { messageOf } from "../../client/text/messageOf";
import { needed } from "../../client/values/tolerant";
import type { Context } from "../../lifecycle/definition";

/**
 * Raises the maximum of an endpoint at rest while it is used, and sets it back to 0. A permanent maximum would count in
 * the account's quota, and the service lowers it after a week without requests.
 *
 * Setting it back is not guaranteed: the call may fail, or the run may be killed. Then the endpoint may start workers,
 * which are billed. A note makes the next run on this machine put it to rest.
 */
export async function wakened<T>(
  { client, log, woken }: Context,
  id: string,
  workersMax: number,
  use: () => Promise<T>,
): Promise<T> {
  const endpoint = await client.serverless.get(id);
  woken.begin(id, workersMax);
  await client.serverless.update(id, withMost(endpoint, workersMax));
  try {
    return await use();
  } finally {
    try {
      await client.serverless.update(id, withMost(endpoint, 0));
      woken.end(id);
    } catch (error) {
      const reason = messageOf(error);
      log.warn(
        `Endpoint ${id} could not be put to rest: it may still start up to ${workersMax} workers (${reason}). Run ` +
          "`pulumi up` again on this machine, or set workers.max to 0 by hand.",
      );
    }
  }
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
