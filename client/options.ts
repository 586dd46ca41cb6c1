import { UsageError } from "./errors";
import type { QueueLimits } from "./queue/limits";

export const keyPlaces = ["query", "header"] as const;
export type KeyPlace = (typeof keyPlaces)[number];

export const endpointChoices = ["auto", "graphql", "rest"] as const;
export type EndpointsThrough = (typeof endpointChoices)[number];

/** Remembers, beyond this client, that the service has ended GraphQL. */
export interface GraphqlEnd {
  /** Asked once, by the first call about endpoints. */
  isNoted(): boolean;
  /** Called once, by the first answer that says so. */
  note(): void;
}

/** Each level includes the levels before it. */
export const logLevels = ["off", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Receives log lines, as `console` does. */
export interface Logger {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
}

export interface AppInfo {
  name: string;
  version?: string | undefined;
  url?: string | undefined;
}

/** What sends requests in undici, in any version of it: the types of one version are not those of another. */
export interface AnyDispatcher {
  dispatch(options: never, handler: never): boolean;
}

export interface ClientOptions {
  /** API key. Never shown or logged, and put into no address, unless `graphqlKeyIn` says so. */
  apiKey: string;
  /** A sentence that ends the message of a 401: where the key came from. */
  apiKeySource?: string | undefined;
  /** REST address before `/v2/…`. https, or http on loopback. */
  baseUrl: string;
  /** Address of the queue operations before `/v2/…`. */
  serverlessUrl: string;
  /** GraphQL address. */
  graphqlUrl: string;
  /**
   * Where GraphQL's key is sent: in the header, as for REST, or in the query (`?api_key=`), which gateways and traces may
   * record. Default `header`.
   */
  graphqlKeyIn?: KeyPlace | undefined;
  /**
   * The interface for `endpoints`: `graphql`, `rest`, or `auto`, which means GraphQL until it answers 410, and REST from then
   * on. Default `auto`.
   */
  endpointsThrough?: EndpointsThrough | undefined;
  /** For `auto`: remembers the end of GraphQL. Default: every client finds out by itself. */
  graphqlEnd?: GraphqlEnd | undefined;
  /**
   * How long one list answers repeated reads of an id. It answers the first read of another id for 15 times as long.
   * Milliseconds. Default 2000.
   */
  readWindowMs?: number | undefined;
  /**
   * How long one call is retried, without waits for a quota. The search after a create's lost answer has its own limit of 90 s.
   * An address that has never answered, and refuses every connection or has an unknown name, is tried for an eighth of it, at
   * least 3 s: it is more likely to be wrong than down. Milliseconds. Default 120000.
   */
  retryBudgetMs?: number | undefined;
  /** How often each request is sent at most, at least 1, for calls without `attempts`. Default: as often as time allows. */
  maxAttempts?: number | undefined;
  /** Names your program in the user agent. */
  appInfo?: AppInfo | undefined;
  /** Gets a line for each event, such as `console`; never the key, a header or a body. Default: stderr. */
  logger?: Logger | undefined;
  /**
   * What is logged: `warn` answers with a status from 400 on, `info` retries too, `debug` every request and answer. Default: the
   * environment variable COMPUTECLOUD_LOG, otherwise `warn` with a logger and `off` without.
   */
  logLevel?: LogLevel | undefined;
  timeouts?: Given<Timeouts> | undefined;
  /**
   * Limits of queue operations, for accounts with other limits than the documented ones, and this process's `share` of them.
   * Default: the documented ones.
   */
  queueLimits?: QueueLimits | undefined;
  limits?: Given<AnswerLimits> | undefined;
  /** Aborts every call of this client. */
  signal?: AbortSignal | undefined;
  /**
   * Called before every request; may add headers. An error from it ends the call, and nothing is sent. For OpenTelemetry take
   * `traceRequests` of `pulumi-computecloud/opentelemetry`.
   */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /**
   * Called with every answer, whatever its status, before it is read. An error from it, or from `onRetry`, changes no request,
   * and is thrown when the call has ended.
   */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before every wait for another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Sends the requests (undici 7 or later). `close()` leaves it open. Default: sockets that all clients share. */
  dispatcher?: AnyDispatcher | undefined;
  /** The clock for pauses and windows. Default: the system's. */
  clock?: Clock | undefined;
}

/** The options of every method. */
export interface CallOptions {
  /**
   * Ends the call at any point, with the signal's reason. Where the service may have acted on the request, it ends with an
   * AbortError instead. An aborted create first searches up to 2 s for what it may have created.
   */
  signal?: AbortSignal | undefined;
  /**
   * How long the whole call may take: attempts, pauses, waits for a quota and the answer's body. When the answer to a create is
   * lost, the search for the created thing takes up to 90 s more, which only `signal` ends. Milliseconds. Default:
   * `timeouts.callMs`, without waits for a quota.
   */
  timeoutMs?: number | undefined;
  /** How often each of its requests is sent at most. 1: no retry. Default: as often as time allows. */
  attempts?: number | undefined;
  /** Called with every answer to this call, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Sent with every request of this call. Names in lower case replace the client's own headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Separates the options of a call from its query. */
export function splitOptions<Query extends CallOptions>({
  signal,
  timeoutMs,
  attempts,
  onResponse,
  headers,
  ...query
}: Query): { options: CallOptions; query: Omit<Query, keyof CallOptions> } {
  return { options: { signal, timeoutMs, attempts, onResponse, headers }, query };
}

/** Options that may be left out. An undefined option counts as left out. */
export type Given<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

export function withDefaults<Options extends object>(defaults: Options, options: Given<Options> = {}): Options {
  return { ...defaults, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) };
}

/** Milliseconds. */
export interface Timeouts {
  /** Until the connection is open. Default 10000. */
  connectMs: number;
  /** Until the answer starts. Default 60000. */
  headersMs: number;
  /** Between two parts of the answer. Default 60000. */
  bodyMs: number;
  /** For a whole call, except a stream. Default: `retryBudgetMs` and three minutes, for a slow last attempt. */
  callMs: number;
}

/** The limits of an answer. */
export interface AnswerLimits {
  /** Bytes of a body, decompressed, and characters of one event of a stream. Default 64 MiB. */
  answerBytes: number;
  /** Pages of a list. Default 1000. */
  pages: number;
}

/** What happens in an attempt of a call. */
interface AttemptEvent {
  /** e.g. `GET /v2/pods`; never holds a query. */
  call: string;
  /** 1 for the first. */
  attempt: number;
}

export interface RequestEvent extends AttemptEvent {
  method: string;
  /** The whole address, without its query. */
  url: string;
  /** Headers that are added here are sent, such as `traceparent`. */
  headers: Record<string, string>;
}

export interface ResponseEvent extends AttemptEvent {
  status: number;
  /** `x-request-id`, which the service's support asks for. */
  requestId: string | undefined;
  /** The key is removed wherever a header quotes it. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Milliseconds from sending the request to the end of the answer; for a stream, to its start. */
  ms: number;
  /** The event of its request. Not enumerable. */
  readonly request: RequestEvent;
}

/** An attempt without an answer. */
export interface FailureEvent extends AttemptEvent {
  /** The system's code, such as `ECONNRESET`, or the name of the error. */
  reason: string;
  /** The event of its request. */
  readonly request: RequestEvent;
}

export interface RetryEvent extends AttemptEvent {
  /** Attempts made so far; 0 while a call waits for its first one. */
  attempt: number;
  /** Milliseconds until the next one. */
  waitMs: number;
  /** HTTP status or connection code; `quota`, with the window, for a call that is kept back; an earlier change that may arrive. */
  reason: string;
}

export interface Clock {
  /** Milliseconds since 1970, roughly. It never decreases. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The key, without the line break of the file that it may come from.
 *
 * @param name the setting that it comes from
 * @throws UsageError for a key that a header can't carry; the message does not show the key
 */
export function checkKey(name: string, apiKey: string): string {
  const key = apiKey.trim();
  if (/^["'`]|["'`]$/.test(key))
    throw new UsageError(`${name}: the API key is in quotes, which became a part of it. Give it without them.`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const problem = key === "" ? "is empty" : "holds a space, a line break or a character that no key has";
  throw new UsageError(`${name}: the API key ${problem}. Copy it again, without any characters around it.`);
}

/**
 * Refuses a time before it reaches a timer, which would treat an unusable value as 1 ms. `undefined` means the default.
 *
 * @throws UsageError unless it is 0 or more; Infinity means no limit
 */
export function checkMilliseconds(name: string, value: number | undefined): void {
  // Programs without types pass anything: null is 0 to a comparison.
  if (value === undefined || (typeof value === "number" && value >= 0)) return;
  throw new UsageError(`${name} is ${value}. Give it in milliseconds, 0 or more.`);
}

/** @throws UsageError for an option that no call could work with */
export function checkOptions({ readWindowMs, retryBudgetMs, maxAttempts, timeouts = {} }: Given<ClientOptions>): void {
  if (maxAttempts !== undefined && !(maxAttempts >= 1)) {
    throw new UsageError(`maxAttempts is ${maxAttempts}; it takes 1 or more.`);
  }
  for (const [name, value] of Object.entries({ readWindowMs, retryBudgetMs })) checkMilliseconds(name, value);
  for (const [name, value] of Object.entries(timeouts)) checkMilliseconds(`timeouts.${name}`, value);
}

/**
 * The address without a trailing slash. Only https is accepted, except on loopback: anything else would send the key in clear.
 *
 * @param name the setting that it comes from
 * @throws UsageError
 */
export function checkAddress(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} is not a plain address. Give one such as https://api.example.com.`);
  }
  // mutant key-in-clear: false
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.has(url.hostname))) {
    throw new UsageError(`${name} ${url.origin} is not https, and the key would be sent in clear. Use https.`);
  }
  const plain = url.href.replace(/\/+$/, "");
  const [version] = /\/v\d+$/.exec(plain) ?? [];
  if (version === undefined) return plain;
  throw new UsageError(
    `${name} ends in ${version}, but each call names its version itself. Leave it out: ${plain.slice(0, -version.length)}.`,
  );
}
