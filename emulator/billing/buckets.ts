export const BUCKET_SIZES = ["hour", "day", "week", "month", "year"] as const;
export type BucketSize = (typeof BUCKET_SIZES)[number];

type StartOf = (year: number, month: number, day: number, hour: number, offset: number) => number;

/** Buckets are calendar units in UTC. Weeks begin on Monday; 1 January 1970 was a Thursday. */
const STARTS: Readonly<Record<BucketSize, StartOf>> = {
  hour: (year, month, day, hour, offset) => Date.UTC(year, month, day, hour + offset),
  day: (year, month, day, _hour, offset) => Date.UTC(year, month, day + offset),
  week: (year, month, day, _hour, offset) => {
    const weekday = (Date.UTC(year, month, day) / 86_400_000 + 3) % 7;
    return Date.UTC(year, month, day - weekday + 7 * offset);
  },
  month: (year, month, _day, _hour, offset) => Date.UTC(year, month + offset, 1),
  year: (year, _month, _day, _hour, offset) => Date.UTC(year + offset, 0, 1),
};

/** Start of the bucket that is `offset` buckets after the one with the time `at`; never before 1970. */
export function bucketStart(size: BucketSize, at: number, offset = 0): number {
  const date = new Date(at);
  const start = STARTS[size](date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), offset);
  // The date is too far back to be represented.
  return Number.isNaN(start) ? 0 : Math.max(0, start);
}

/** End of the bucket with the time `at`. A time on a boundary is already an end. */
export function bucketEnd(size: BucketSize, at: number): number {
  return bucketStart(size, at) === at ? at : bucketStart(size, at, 1);
}
