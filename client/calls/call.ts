import type { Redacted } from "../../common/redact";
import type { AnswerLimits, CallOptions, ClientOptions, Timeouts } from "../options";
import type { CallClass } from "../outcomes/retry";
import type { Headers, Refusal } from "./headers";
import type { Hooks } from "./hooks";

/** One call as the wire sees it, whichever interface it belongs to. */
export interface WireCall extends CallOptions {
  class: CallClass;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Whole address, query included. */
  url: string;
  /** The path without its query: what logs and errors show. */
  label: string;
  /** Hooks and traces get no path either. */
  hidesPath?: boolean | undefined;
  kind: string;
  /** Calls with the same name share a quota: a 429 to one of them stops all, unless they have a `limiter`. */
  quota: string;
  limiter?: CallLimiter | undefined;
  id?: string | undefined;
  /** The right that it needs, in the service's words. */
  scope?: string | undefined;
  /** JSON text, unless the headers name another content type. */
  body?: string | Uint8Array | undefined;
  /** The fields that it sets, by the paths of the resources. Default: its body, if it is a PUT or PATCH. */
  changes?: (() => Readonly<Record<string, object>>) | undefined;
  /** How the key is sent: in the header, as a bearer or as it is, in the query, or not at all. Default `bearer`. */
  key?: "bearer" | "raw" | "query" | "none" | undefined;
  /** Credentials in the body, redacted from error messages. Called only when there is an error. */
  secrets?: (() => readonly string[]) | undefined;
  /** Ends only the waits before an attempt: an attempt under way still gets its answer. Default: `signal`. */
  waitSignal?: AbortSignal | undefined;
  /** Once it is aborted, the call waits for a place among those under way, but not for its limit's window. */
  urgent?: AbortSignal | undefined;
  /** Awaited once, when the limits admit the call, before its request is sent. An error from it ends the call. */
  beforeSend?: (() => unknown) | undefined;
  /** Integers beyond the safe range are parsed as strings of their digits. */
  exactIntegers?: boolean | undefined;
  /** How long the service may hold the answer back on purpose, on top of the usual time. Milliseconds. */
  heldMs?: number | undefined;
}

export interface Answer {
  status: number;
  header(name: string): string | undefined;
  /** Redacted. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The body, parsed; undefined when the answer has none. */
  json: unknown;
  /** Redacted. */
  readonly requestId: string | undefined;
}

/** Admits the calls that share a limit, and has every wait of theirs. */
export interface CallLimiter {
  /** A permit, unless the call has to wait. */
  tryAdmit(call: WireCall): Permit | undefined;
  /** A permit, once the call's pause is over and it is its turn. @throws RateLimitError when the wait would be too long */
  admit(waiting: Waiting): Promise<Permit>;
}

/** Permission to send one request. */
export interface Permit {
  /** After a 429: the exhausted window, and how long calls must wait. */
  readonly refusal: Refusal | undefined;
  /** The answer has begun. */
  answered(status: number, headers: Headers): void;
  /** The request is over, answered or not. */
  done(): void;
}

export interface Pause {
  readonly ms: number;
  readonly reason: string;
  /** Whether a limit is the reason. */
  readonly isLimit?: boolean | undefined;
}

/** A call that waits for its permit. */
export interface Waiting {
  readonly call: WireCall;
  readonly signal: AbortSignal;
  /** The pause before another attempt, after one that failed. */
  readonly pause: Pause | undefined;
  /** A longer wait fails the call at once. */
  readonly longestWaitMs: number;
  /** Called before every wait of a time that is known. */
  onWait(ms: number, reason: string): void;
}

type Defaulted = "graphqlKeyIn" | "endpointsThrough" | "retryBudgetMs" | "clock";

/** A client's options with their defaults. */
export type Settings = Omit<ClientOptions, "apiKey" | Defaulted | "limits" | "timeouts"> & {
  readonly [Name in Defaulted]: NonNullable<ClientOptions[Name]>;
} & {
  readonly key: Redacted;
  /** All that observes the calls. */
  readonly observers: readonly Hooks[];
  readonly limits: AnswerLimits;
  readonly timeouts: Timeouts;
};
