const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A time as users write it: `90s`, `15m`, `2h`. */
export const DURATION = /^(\d+)([smh])$/;

/** For the message about a malformed duration. */
export const DURATION_RULE = 'must be a duration such as "90s", "15m" or "2h"';

/** A time that may be shorter than a second: `500ms`, `2s`. */
export const SPAN = /^(\d+)(ms|s|m|h)$/;
export const SPAN_RULE = 'must be a time such as "500ms", "2s" or "3m"';

/** The milliseconds of a duration or a span. @throws TypeError for any other text */
export function milliseconds(text: string): number {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count === undefined || unit === undefined || !(unit in MILLISECONDS)) throw new TypeError(DURATION_RULE);
  return Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
}

/** A time as written in messages: `0.9 s`, `12 s`. */
export function inSeconds(ms: number): string {
  const seconds = ms / 1000;
  return `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;
}

/** The end of a wait: `in 12 s`, and of a long one its time, too: `in 24 h, at 2026-11-27 00:00 UTC`. */
export function inTimeAt(ms: number): string {
  const at = new Date(Date.now() + ms + 59_999).toISOString().slice(0, 16).replace("T", " ");
  return `in ${inTime(ms)}${ms < 120_000 ? "" : `, at ${at} UTC`}`;
}

/** The same for times that may be long: `12 s`, `15 min`, `24 h`. */
export function inTime(ms: number): string {
  if (ms < 120_000) return inSeconds(ms);
  return ms < 2 * 3_600_000 ? `${Math.ceil(ms / 60_000)} min` : `${Math.ceil(ms / 3_600_000)} h`;
}
