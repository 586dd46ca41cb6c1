import type { Endpoint } from "../client";
import { messageOf } from "../client/text/messageOf";
import { needed } from "../client/values/tolerant";
import type { Context } from "../lifecycle/definition";

/**
 * Lets an endpoint that rests at no workers start some for as long as it is used. A maximum that stood there all the
 * time would count in the account's quota, and the service itself takes it away after a week without requests.
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
        `Endpoint ${id} could not be put to rest: it may still start up to ${workersMax} workers (${reason}). The next ` +
          "`pulumi up` on this machine, or workers.max 0 by hand, ends that.",
      );
    }
  }
}

/** `workers` goes whole, and exclusions go along, for the service was seen to drop what was left out. */
function withMost(endpoint: Endpoint, max: number) {
  const { pools, excludedTypes = [] } = endpoint.gpu ?? {};
  return {
    workers: { ...needed(`Endpoint ${endpoint.id}`, endpoint, "workers"), min: 0, max },
    ...(pools !== undefined && excludedTypes.length > 0 && { gpu: { pools, excludedTypes } }),
  };
}
