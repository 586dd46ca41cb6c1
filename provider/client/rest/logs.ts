import type { z } from "zod";
import { timeLeft } from "../calls/deadline";
import { readEvents, type ServerEvent } from "../calls/sse";
import { ComputeCloudError } from "../errors";
import type { Operation } from "../operation";
import { type CallOptions, splitOptions } from "../options";
import { backoffMs } from "../outcomes/retry";
import { LogLine, type LogQuery } from "../schemas/logs";
import { parseJson } from "../values/json";
import { readTolerantly } from "../values/tolerant";
import type { Rest } from "./rest";

export interface LogOptions extends z.infer<typeof LogQuery>, CallOptions {
  /** Resume after this line (its `ts`). Beats `since` and `tail`. */
  lastEventId?: string | undefined;
}

/** Connections in a row that brought nothing before they dropped. */
const MOST_DROPS = 8;
/** Connections in a row that brought nothing before they ended in good order: the log is over then. */
const MOST_ENDS = 2;
const LEAST_PAUSE_MS = 1_000;
/** A log is silent for long, and what stands between may cut such connections: that is not a failure. */
const LONG_SILENCE_MS = 10_000;

/**
 * A log, line by line, as it grows. Ends when the service ends it, the signal aborts it, `timeoutMs` is over or the loop
 * is left. A connection that drops, or ends, is taken up after the last line seen, after a pause; lines that the service then
 * sends again are left out. That something in between has ended it looks the same as that the log is over: it is over when
 * the next connection ends, too, and has brought nothing.
 */
export async function* followLogs(
  rest: Rest,
  operation: Operation<undefined, undefined, unknown>,
  params: Readonly<Record<string, string>>,
  { lastEventId, ...given }: LogOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  const { options, query } = splitOptions(given);
  const { transport } = rest;
  const remaining = timeLeft(options, transport.clock, { kind: operation.kind, id: params.id });
  const recent = new RecentEvents();
  let cursor = lastEventId;
  let drops = 0;
  let ends = 0;
  let last = "";
  /** Of the lines before the connection ended. Milliseconds since 1970. */
  let newest = Number.NEGATIVE_INFINITY;
  for (;;) {
    const resume: Record<string, string> = cursor === undefined ? {} : { "last-event-id": cursor };
    const headers = { ...options.headers, accept: "text/event-stream", "accept-encoding": "identity", ...resume };
    const call = { ...rest.wire(operation, { params, query, ...remaining() }), headers };
    const chunks = await transport.open(call);
    const opened = performance.now();
    const repeated = recent.keys();
    try {
      for await (const events of readEvents(chunks, transport.limits.eventLength)) {
        drops = 0;
        for (const event of events) {
          const { source, line, ts = event.id } = readTolerantly(LogLine, parseJson(event.data), call);
          if (line === undefined || ts === undefined) continue;
          cursor = event.id ?? ts;
          last = ts;
          // A service that does not heed the cursor sends old lines again and again, more of them than are remembered.
          if (ends > 0 && Date.parse(ts) > newest) ends = 0;
          if (repeated.size > 0 && repeated.has(keyOf(event))) continue;
          recent.add(event);
          yield { source, line, ts };
        }
      }
      ends = wasLong(opened) ? 1 : ends + 1;
      if (ends >= MOST_ENDS) return;
      newest = Math.max(newest, last === "" ? newest : Date.parse(last));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof ComputeCloudError) throw error;
      drops = wasLong(opened) ? 1 : drops + 1;
      if (drops >= MOST_DROPS) throw transport.errorOf(error, call);
    }
    const { timeoutMs = Number.POSITIVE_INFINITY } = remaining();
    await transport.clock.sleep(Math.min(LEAST_PAUSE_MS + backoffMs(drops + ends), timeoutMs), options.signal);
  }
}

function wasLong(opened: number): boolean {
  return performance.now() - opened > LONG_SILENCE_MS;
}

/** What a service may send once more when a log is taken up: at most as many lines as it keeps, in bounded memory. */
class RecentEvents {
  static readonly mostEvents = 5_000;
  static readonly mostLength = 4 * 1024 ** 2;
  #events: ServerEvent[] = [];
  /** Where the oldest one that counts stands. */
  #oldest = 0;
  #length = 0;

  add(event: ServerEvent): void {
    this.#events.push(event);
    this.#length += lengthOf(event);
    while (this.#events.length - this.#oldest > RecentEvents.mostEvents || this.#length > RecentEvents.mostLength) {
      this.#length -= lengthOf(this.#events[this.#oldest]);
      this.#oldest += 1;
    }
    // Seldom, for it moves all the others.
    if (this.#oldest * 2 <= this.#events.length) return;
    this.#events = this.#events.slice(this.#oldest);
    this.#oldest = 0;
  }

  keys(): ReadonlySet<string> {
    return new Set(this.#events.slice(this.#oldest).map(keyOf));
  }
}

function lengthOf({ id = "", data }: ServerEvent = { id: "", data: "" }): number {
  return id.length + data.length;
}

/** Lines of one moment share an id. */
function keyOf({ id, data }: ServerEvent): string {
  return `${id} ${data}`;
}
