import type { Dispatcher } from "undici";
import { UsageError } from "./errors";
import type { Limits } from "./queue/limits";

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

/** Each tells what those before it tell, and more. */
export const logLevels = ["off", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Takes lines, such as `console` does. */
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
   * Where GraphQL's key goes: into the header that REST has, or into the query (`?api_key=`), which gateways and traces
   * may keep. Default `header`.
   */
  graphqlKeyIn?: KeyPlace | undefined;
  /**
   * Which interface keeps what `endpoints` saves: `graphql`, `rest`, or `auto`, which is GraphQL until that answers 410, and
   * REST from then on. Default `auto`.
   */
  endpointsThrough?: EndpointsThrough | undefined;
  /** For `auto`. Default: every client learns it anew. */
  graphqlEnd?: GraphqlEnd | undefined;
  /**
   * How long one list answers reads of the same id, in milliseconds; an id that it has not answered yet for 15 times as
   * long. Default 2000.
   */
  readWindowMs?: number | undefined;
  /**
   * How long one call is retried, in milliseconds, waits for a quota aside. Default 120000. What came of a create whose
   * answer was lost is looked for as long as it may come up, whatever this says.
   */
  retryBudgetMs?: number | undefined;
  /** How often each request is sent at most, where its call does not say. Default: as often as the time allows. */
  maxAttempts?: number | undefined;
  /** Names your program in the user agent. */
  appInfo?: AppInfo | undefined;
  /** Told in words what the calls do, such as `console`; never the key, a header or a body. Default: stderr. */
  logger?: Logger | undefined;
  /**
   * What the logger is told: `warn` answers from 400 on, `info` retries too, `debug` every request and answer. Default: the
   * environment variable COMPUTECLOUD_LOG, else `warn` with a logger and `off` without.
   */
  logLevel?: LogLevel | undefined;
  timeouts?: Given<Timeouts> | undefined;
  /** Calls of each queue operation, for accounts that were given more or less than the service documents. */
  queueLimits?: Limits | undefined;
  limits?: Given<AnswerLimits> | undefined;
  /** Aborts every call of this client. */
  signal?: AbortSignal | undefined;
  /** Told of every request before it is sent; may add to its headers. What it throws ends the call: nothing is sent. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /**
   * Told of every answer, whatever its status, before it is read. What it throws changes nothing of what is sent, and is
   * thrown when the call is over, as for `onRetry`.
   */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Told of every wait before another attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Sends the requests (undici 7 or later); `close()` leaves it open. Default: sockets that all clients share. */
  dispatcher?: Dispatcher | undefined;
  /** Time as this client sees it. Default: the system's. */
  clock?: Clock | undefined;
}

/** What every method takes. */
export interface CallOptions {
  /**
   * Ends the call, wherever it stands, with the signal's reason. Where the service may have acted on what was sent, it ends
   * with an AbortError instead; a create looks up to 2 s for what may have come of it.
   */
  signal?: AbortSignal | undefined;
  /**
   * How long the call may take, all together: attempts, the pauses between them, waits for a quota and the answer's
   * body. Milliseconds. Default: `timeouts.callMs`, from when the quota lets it go. When the answer to a create is lost,
   * what came of it is looked for beyond that, for up to 90 s: only `signal` ends the search.
   */
  timeoutMs?: number | undefined;
  /** How often each of its requests is sent at most. 1: never again. Default: as often as the time allows. */
  attempts?: number | undefined;
  /** Told of every answer to this call, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Sent with every request of this call, in place of what the client would send under the same name in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a call that are given together with its query, each apart. */
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

/** Options of which any may be left out, or be undefined, which is the same. */
export type Given<Options> = { [Name in keyof Options]?: Options[Name] | undefined };

export function withDefaults<Options extends object>(defaults: Options, given: Given<Options> = {}): Options {
  return { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/** Milliseconds. */
export interface Timeouts {
  /** Until the connection stands. Default 10000. */
  connectMs: number;
  /**
   * How long an address is tried that refuses every connection, or whose name is not known, and that has never answered: it
   * is more likely to be wrong than down. A name server that does not answer is waited for as long as anything else. Default:
   * an eighth of `retryBudgetMs`, 15 s, and no less than 3 s.
   */
  firstContactMs: number;
  /** Until the answer begins. Default 60000. */
  headersMs: number;
  /** Between two pieces of the answer. Default 60000. */
  bodyMs: number;
  /** All of a call; streams aside. Default: `retryBudgetMs` and three minutes, for a last attempt that is slow. */
  callMs: number;
}

/** What an answer may be at most. */
export interface AnswerLimits {
  /** Bytes of a body, decompressed. Default 64 MiB. */
  answerBytes: number;
  /** Characters of one event of a stream. Default 16 Mi. */
  eventLength: number;
  /** Pages of a list. Default 1000. */
  pages: number;
}

export interface RequestEvent {
  /** e.g. `GET /v2/pods`; never holds a query. */
  call: string;
  method: string;
  /** The whole address, without its query. */
  url: string;
  /** 1 for the first. */
  attempt: number;
  /** What is added here is sent, such as `traceparent`. */
  headers: Record<string, string>;
}

export interface ResponseEvent {
  /** e.g. `GET /v2/pods`; never holds a query. */
  call: string;
  /** 1 for the first. */
  attempt: number;
  status: number;
  /** `x-request-id`: what the service's support asks for. */
  requestId: string | undefined;
  /** Without the key, wherever it is quoted. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Milliseconds from sending the request to the end of the answer, that of a stream aside. */
  ms: number;
  /** What was told of the request before it was sent. Not enumerable. */
  readonly request: RequestEvent;
}

/** An attempt that ended without an answer. */
export interface FailureEvent {
  /** e.g. `GET /v2/pods`; never holds a query. */
  call: string;
  /** 1 for the first. */
  attempt: number;
  /** The system's code, such as `ECONNRESET`, or the name of the error. */
  reason: string;
  /** What was told of the request before it was sent. */
  readonly request: RequestEvent;
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
  /** Milliseconds since 1970, roughly: it never goes back. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The key, without the line break of the file that it may come from.
 *
 * @param name where it was given
 * @throws UsageError for a key that no header can carry; it is not shown
 */
export function checkKey(name: string, apiKey: string): string {
  const key = apiKey.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const problem = key === "" ? "is empty" : "holds a space, a line break or a character that no key has";
  throw new UsageError(`${name}: the API key ${problem}. Copy it again, without what is around it.`);
}

/**
 * A time is refused before it reaches a timer, which takes what it can't use for 1 ms. `undefined` stands for the default.
 *
 * @throws UsageError unless it is 0 or more; Infinity means no limit
 */
export function checkMilliseconds(name: string, value: number | undefined): void {
  if (value === undefined || value >= 0) return;
  throw new UsageError(`${name} is ${value}. Give it in milliseconds, 0 or more.`);
}

/**
 * The address without a trailing slash. Anything but https is refused, loopback aside: it would send the key in clear.
 *
 * @param name where it was given
 * @throws UsageError
 */
export function checkAddress(name: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`${name} is not a plain address. Give one such as https://api.example.com.`);
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.has(url.hostname))) {
    throw new UsageError(`${name} ${url.origin} is not https, and the key would be sent in clear. Use https.`);
  }
  const plain = url.href.replace(/\/+$/, "");
  const [version] = /\/v\d+$/.exec(plain) ?? [];
  if (version === undefined) return plain;
  throw new UsageError(
    `${name} ends in ${version}, which the client adds by itself. Leave it out: ${plain.slice(0, -version.length)}.`,
  );
}
