import { UsageError } from "../errors";
import type { ClientOptions } from "../options";
import { presets } from "../presets";
import { Transport } from "../transport";
import { type Queue, queue } from "./jobs";

export interface QueueOptions extends Omit<ClientOptions, "apiKey" | "baseUrl" | "serverlessUrl" | "graphqlUrl"> {
  endpointId: string;
  /** Default: the environment variable COMPUTECLOUD_API_KEY. */
  apiKey?: string | undefined;
  /** Address before `/v2/…`. Default: COMPUTECLOUD_SERVERLESS_URL, else the address of `cloud`. */
  serverlessUrl?: string | undefined;
  /** A cloud whose public address is known, such as `runpod`. Default: COMPUTECLOUD_CLOUD. */
  cloud?: string | undefined;
}

/**
 * The queue of one endpoint, for scripts and services. Nothing is sent before the first call.
 *
 * @throws UsageError when there is no key or no address
 */
export function createQueue({ endpointId, apiKey, serverlessUrl, cloud, ...options }: QueueOptions): Queue {
  const { COMPUTECLOUD_API_KEY, COMPUTECLOUD_SERVERLESS_URL, COMPUTECLOUD_CLOUD } = process.env;
  const key = apiKey || COMPUTECLOUD_API_KEY;
  const address =
    serverlessUrl ||
    (cloud === undefined ? COMPUTECLOUD_SERVERLESS_URL : undefined) ||
    presets[cloud ?? COMPUTECLOUD_CLOUD ?? ""]?.serverlessUrl;
  if (!key) throw new UsageError("There is no API key. Pass apiKey, or set COMPUTECLOUD_API_KEY.");
  if (!address) {
    throw new UsageError(
      `There is no address of the queues. Pass cloud (${Object.keys(presets).join(", ")}) or serverlessUrl, ` +
        "or set COMPUTECLOUD_CLOUD or COMPUTECLOUD_SERVERLESS_URL.",
    );
  }
  // A queue calls no other interface.
  const addresses = { baseUrl: address, serverlessUrl: address, graphqlUrl: address };
  return queue(new Transport({ ...options, ...addresses, apiKey: key }), endpointId);
}
