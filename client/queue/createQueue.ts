import { Transport } from "../calls/transport";
import type { ClientOptions } from "../options";
import { fromArguments, SettingsReader } from "../settings";
import { Queue } from "./jobs";

export interface QueueOptions
  extends Omit<
    ClientOptions,
    "apiKey" | "baseUrl" | "serverlessUrl" | "graphqlUrl" | "graphqlKeyIn" | "endpointsThrough" | "graphqlEnd"
  > {
  /** The id of the endpoint, such as `4kqwe7f0`. */
  endpointId: string;
  /** API key. Default: the environment variable COMPUTECLOUD_API_KEY. */
  apiKey?: string | undefined;
  /** Address of the queue before `/v2/…`. https, or http on loopback. Default: COMPUTECLOUD_SERVERLESS_URL, else the address of `cloud`. */
  serverlessUrl?: string | undefined;
  /** A cloud with a known public address, such as `runpod`. `serverlessUrl` takes precedence. Default: COMPUTECLOUD_CLOUD. */
  cloud?: string | undefined;
}

/** The queue of one endpoint, with connections of its own. */
export class StandaloneQueue extends Queue {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport, endpointId: string) {
    super(transport, endpointId);
    this.#transport = transport;
  }

  /**
   * Ends streams, waits and batches, waits for the answers to running calls, and frees the sockets. Later calls throw
   * UsageError.
   *
   * @example
   * const queue = createQueue({ endpointId: "4kqwe7f0" });
   * await queue.run({ input: { prompt: "ping" } });
   * await queue.close();
   */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** `await using queue = createQueue(…)` closes it. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** See `createQueue` in `../index`, which loads this module on first use. */
export function createQueue({ endpointId, ...options }: QueueOptions): StandaloneQueue {
  const settings = new SettingsReader(fromArguments(options));
  const address = settings.address("serverlessUrl");
  const transport = new Transport({
    ...options,
    ...settings.key(),
    retryBudgetMs: options.retryBudgetMs ?? settings.retryBudgetMs(),
    // A queue calls no other interface.
    baseUrl: address,
    serverlessUrl: address,
    graphqlUrl: address,
  });
  return new StandaloneQueue(transport, endpointId);
}
