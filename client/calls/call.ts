import type { CallOptions } from "../options";
import type { CallClass } from "../outcomes/retry";

/** One call as the wire sees it, whichever interface it belongs to. */
export interface WireCall extends CallOptions {
  class: CallClass;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Whole address, query included. */
  url: string;
  /** The path without its query: what logs and errors show. */
  label: string;
  kind: string;
  /** Calls with the same name share a quota. */
  quota: string;
  id?: string | undefined;
  /** The right that it needs, in the service's words. */
  scope?: string | undefined;
  /** JSON text. */
  body?: string | undefined;
  /** How the key is sent: in the header, as a bearer or as it is, or in the query. Default `bearer`. */
  key?: "bearer" | "raw" | "query" | undefined;
  /** Credentials in the body, redacted from error messages. Called only when there is an error. */
  secrets?: (() => readonly string[]) | undefined;
  /** Ends only the waits before an attempt: an attempt under way still gets its answer. Default: `signal`. */
  waitSignal?: AbortSignal | undefined;
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
