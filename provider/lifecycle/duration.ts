import { z } from "zod";

const MILLISECONDS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
const PATTERN = /^(\d+)([smh])$/;

/** A time as users write it: `90s`, `15m`, `2h`. */
export const duration = z.string().regex(PATTERN, 'must be a duration such as "90s", "15m" or "2h"');

/** Milliseconds of a checked duration. */
export function milliseconds(text: string): number {
  const [, count, unit] = PATTERN.exec(text) ?? [];
  if (count === undefined || unit === undefined || !(unit in MILLISECONDS))
    throw new TypeError(`"${text}" is no duration`);
  return Number(count) * MILLISECONDS[unit as keyof typeof MILLISECONDS];
}
