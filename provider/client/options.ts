import { UsageError } from "./errors";
import type { Limits } from "./queue/limits";

export interface ClientOptions {
  /** API key. Never shown, logged or put into an address. */
  apiKey: string;
  /** Where the key came from and what to do when it is refused; ends the message of a 401. */
  apiKeySource?: string | undefined;
  /** REST address before `/v2/…`. https, or http on loopback. */
  baseUrl: string;
  /** Address of the queue operations before `/v2/…`. */
  serverlessUrl: string;
  /** GraphQL address. */
  graphqlUrl: string;
  /** How long one list answers reads by id, in milliseconds. Default 2000. */
  readWindowMs?: number | undefined;
  /** How long one call is retried, in milliseconds, waits for a quota aside. Default 120000. */
  retryBudgetMs?: number | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** Calls of each queue operation, for accounts that were given more or less than the service documents. */
  queueLimits?: Limits | undefined;
  /** Aborts every call of this client. */
  signal?: AbortSignal | undefined;
  /** Told of every wait before another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Time as this client sees it. Default: the system's. */
  clock?: Clock | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Milliseconds. */
export interface Timeouts {
  /** Until the connection stands. Default 10000. */
  connectMs: number;
  /** Until the answer begins. Default 60000. */
  headersMs: number;
  /** Between two pieces of the answer. Default 60000. */
  bodyMs: number;
}

export interface RetryEvent {
  /** e.g. `GET /v2/pods`; never holds a query. */
  call: string;
  /** Attempts made so far. */
  attempt: number;
  /** Milliseconds until the next one. */
  waitMs: number;
  /** HTTP status or connection code. */
  reason: string;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The address without a trailing slash. Anything but https is refused, loopback aside: it would send the key in clear. */
export function checkAddress(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} is not a plain address. Give one such as https://api.example.com.`);
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.has(url.hostname))) {
    throw new UsageError(`${name} ${url.origin} is not https, and the key would be sent in clear. Use https.`);
  }
  return url.href.replace(/\/+$/, "");
}
