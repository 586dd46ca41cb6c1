import { Transport } from "../calls/transport";
import { type ClientOptions, withDefaults } from "../options";
import { fromArguments, SettingsReader } from "../settings";
import { Queue } from "./jobs";

export interface QueueOptions
  extends Omit<
    ClientOptions,
    "apiKey" | "baseUrl" | "serverlessUrl" | "graphqlUrl" | "graphqlKeyIn" | "endpointsThrough" | "graphqlEnd"
  > {
  endpointId: string;
  /** Default: the environment variable COMPUTECLOUD_API_KEY. */
  apiKey?: string | undefined;
  /** Address before `/v2/…`. Default: COMPUTECLOUD_SERVERLESS_URL, else the address of `cloud`. */
  serverlessUrl?: string | undefined;
  /** A cloud whose public address is known, such as `runpod`; an address by itself wins. Default: COMPUTECLOUD_CLOUD. */
  cloud?: string | undefined;
}

/** The queue of one endpoint by itself. */
export class StandaloneQueue extends Queue {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport, endpointId: string) {
    super(transport, endpointId);
    this.#transport = transport;
  }

  /** Gives up its share of the process's sockets once the calls under way are answered. */
  close(): Promise<void> {
    return this.#transport.close();
  }
}

/**
 * The queue of one endpoint, for scripts and services. Nothing is sent before the first call.
 *
 * @throws UsageError when there is no key or no address
 */
export function createQueue({
  endpointId,
  apiKey,
  serverlessUrl,
  cloud,
  retryBudgetMs,
  ...options
}: QueueOptions): StandaloneQueue {
  const settings = new SettingsReader(fromArguments({ apiKey, serverlessUrl, cloud }));
  const address = settings.address("serverlessUrl");
  return new StandaloneQueue(
    new Transport(
      withDefaults<ClientOptions>(
        {
          ...settings.key(),
          retryBudgetMs: retryBudgetMs ?? settings.retryBudgetMs(),
          // A queue calls no other interface.
          baseUrl: address,
          serverlessUrl: address,
          graphqlUrl: address,
        },
        options,
      ),
    ),
    endpointId,
  );
}
