import { type Client, ComputeCloudError } from "../../client";

/**
 * Refuses an endpoint without a queue: to a job it answers with a bare 400, and to `health` with zeros. A key that may use
 * queues alone can't tell.
 *
 * @throws Error for a load balancer
 */
export async function refuseLoadBalancer(client: Client, endpointId: string, signal: AbortSignal): Promise<void> {
  const unknown = (error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof ComputeCloudError) return undefined;
    throw error;
  };
  const endpoint = await client.serverless.get(endpointId, { signal, attempts: 1, timeoutMs: 10_000 }).catch(unknown);
  // mutant load-balancer-has-queue: false
  if (endpoint?.type === "LOAD_BALANCER")
    throw new Error(
      `endpoint ${endpointId} is a load balancer and has no queue. Test it with a request: smoke ${endpointId} --request ` +
        `'{"path":"/ping"}'.`,
    );
}
