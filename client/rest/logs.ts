import { parseJson } from "../../common/json";
import { timeLeft } from "../calls/cancellation";
import type { Operation } from "../calls/operation";
import { readEvents, type ServerEvent } from "../calls/sse";
import { ComputeCloudError } from "../errors";
import { type CallOptions, splitOptions } from "../options";
import { backoffMs } from "../outcomes/retry";
import { LogLine, type LogQuery } from "../schemas/logs";
import { readTolerantly, type Tolerant } from "../values/tolerant";
import type { Rest } from "./rest";

export interface LogOptions extends LogQuery, CallOptions {
  /** Resume after the line with this `ts`. Takes precedence over `since` and `tail`. */
  lastEventId?: string | undefined;
}

/** Fail after so many connections in a row that broke without a line. */
const MOST_DROPS = 8;
/** The log is over after so many connections in a row that ended normally without a new line. */
const MOST_ENDS = 2;
const LEAST_PAUSE_MS = 1_000;
/** A log may be silent for long, and proxies cut silent connections. A connection that lasted this long is not a failure. */
const LONG_SILENCE_MS = 10_000;

/**
 * A log, line by line, as it grows. It ends when the service ends it, the signal aborts it, `timeoutMs` is over or the loop
 * is left. After a broken or ended connection it pauses, resumes after the last line, and drops repeated lines.
 *
 * A connection that a proxy ended looks like the end of the log. So the log counts as over only when the next connection
 * also ends, without a new line. Not guaranteed: after a long outage old lines may come again, because we remember only the
 * last 5000. Lines that the service no longer keeps are lost.
 */
export async function* followLogs(
  rest: Rest,
  operation: Operation<undefined, undefined, unknown>,
  params: Readonly<Record<string, string>>,
  { lastEventId, ...queryOptions }: LogOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  const { options, query } = splitOptions(queryOptions);
  const { transport } = rest;
  const remaining = timeLeft(options, transport.clock, { kind: operation.kind, id: params.id });
  const recent = new RecentEvents();
  let cursor = lastEventId;
  let drops = 0;
  let ends = 0;
  let last = "";
  /** Time of the newest line before the connection ended. Milliseconds since 1970. */
  let newest = Number.NEGATIVE_INFINITY;
  for (;;) {
    const resume: Record<string, string> = cursor === undefined ? {} : { "last-event-id": cursor };
    const headers = { ...options.headers, accept: "text/event-stream", "accept-encoding": "identity", ...resume };
    const call = { ...rest.wire(operation, { params, query, ...remaining() }), headers };
    const chunks = await transport.open(call);
    const opened = performance.now();
    const repeated = recent.keys();
    try {
      for await (const events of readEvents(chunks, transport.settings.limits.answerBytes)) {
        drops = 0;
        recent.add(events);
        for (const event of events) {
          const read = readTolerantly(LogLine, parseJson(event.data), call);
          const { line, ts = event.id } = read;
          if (line === undefined || ts === undefined) continue;
          cursor = event.id ?? ts;
          last = ts;
          // A service that ignores the cursor repeats old lines, perhaps more than we remember. Only newer lines count.
          if (ends > 0 && Date.parse(ts) > newest) ends = 0;
          if (repeated.size > 0 && repeated.has(keyOf(event))) continue;
          yield isWhole(read) ? read : { source: read.source, line, ts };
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

const isWhole = (read: Tolerant<LogLine>): read is LogLine => read.line !== undefined && read.ts !== undefined;

const wasLong = (opened: number): boolean => performance.now() - opened > LONG_SILENCE_MS;

/**
 * The latest events, to drop repeats after resuming. Bounded by the number of lines that the service keeps, and by length. Kept
 * in the groups in which they came, which costs next to nothing.
 */
class RecentEvents {
  static readonly mostEvents = 5_000;
  static readonly mostLength = 4 * 1024 ** 2;
  readonly #groups: { readonly events: readonly ServerEvent[]; readonly length: number }[] = [];
  #events = 0;
  #length = 0;

  add(events: readonly ServerEvent[]): void {
    let length = 0;
    for (const { id = "", data } of events) length += id.length + data.length;
    this.#groups.push({ events, length });
    this.#events += events.length;
    this.#length += length;
    for (let [oldest] = this.#groups; oldest !== undefined && this.#isFullWithout(oldest); [oldest] = this.#groups) {
      this.#groups.shift();
      this.#events -= oldest.events.length;
      this.#length -= oldest.length;
    }
  }

  keys(): ReadonlySet<string> {
    return new Set(this.#groups.flatMap(({ events }) => events.map(keyOf)));
  }

  #isFullWithout({ events, length }: { readonly events: readonly ServerEvent[]; readonly length: number }): boolean {
    return this.#events - events.length >= RecentEvents.mostEvents || this.#length - length >= RecentEvents.mostLength;
  }
}

/** The id alone is not unique: it is a time, which several lines may share. */
const keyOf = ({ id, data }: ServerEvent): string => `${id} ${data}`;
