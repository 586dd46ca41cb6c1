import { getOrCreate } from "../../common/getOrCreate";
import { z } from "../../common/zod";
import { control, named } from "../lifecycle/fields/fields";
import { containsUnknown } from "../lifecycle/fields/unknown";
import type { Properties } from "../lifecycle/fields/values";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY = `(${DAYS.join("|")})`;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time of day such as "08:00", "00:00" to "24:00"');

const workers = {
  workersMin: z.int().min(0).default(0).describe("Workers that are always on, and billed."),
  workersMax: z.int().min(0).describe("Most workers at a time."),
};
const inOrder = ({ workersMin, workersMax }: { workersMin: number; workersMax: number }) => workersMin <= workersMax;
const ORDER = { message: "workersMin must not exceed workersMax", path: ["workersMin"] };

const scheduledWorkers = named(
  "ScheduledWorkers",
  z.strictObject(workers).refine(inOrder, ORDER).describe("Workers of an endpoint."),
);
export type Workers = z.output<typeof scheduledWorkers>;

export const schedule = z
  .strictObject({
    timezone: z
      .string()
      .refine(isTimezone, "is not a time zone of the IANA database, such as Europe/Berlin or UTC")
      .describe("IANA time zone of all times, such as `Europe/Berlin`."),
    rules: z
      .array(
        named(
          "ScheduleRule",
          z
            .strictObject({
              days: z
                .string()
                .regex(
                  new RegExp(`^${DAY}(-${DAY})?(,${DAY}(-${DAY})?)*$`),
                  'must be days such as "mon-fri" or "sat,sun"',
                )
                .default("mon-sun")
                .describe("Days on which it begins, such as `mon-fri` or `sat,sun`."),
              from: time.describe("When it begins, `08:00`."),
              to: time.describe("When it ends, `20:00`; on the next day where that is not after `from`."),
              ...workers,
            })
            .refine(inOrder, ORDER)
            .refine(({ from, to }) => from !== to, {
              message: 'is the same as from; a whole day is "00:00" to "24:00"',
              path: ["to"],
            })
            .describe("A time of the week, and the workers that an endpoint may have then."),
        ),
      )
      .min(1)
      .describe("The first one that holds counts."),
    otherwise: scheduledWorkers.optional().describe("When no rule holds. Default: the endpoint's own numbers."),
  })
  .describe("Workers by the clock: what holds when a run judges the endpoint is its desired state.");
export type Schedule = z.output<typeof schedule>;

/** The endpoint's argument `schedule`. */
export const scheduleField = control(named("Schedule", schedule).optional()).describe(
  "Workers by the clock, in place of the endpoint's own. A run brings the endpoint to what holds at that moment, so that " +
    "something has to run at its times: a pipeline's cron. A change of it changes nothing but the workers of " +
    "now. Default: none.",
);

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The workers at this time; undefined if the endpoint's own apply. */
export function workersAt({ timezone, rules, otherwise }: Schedule, at: number) {
  const times = [...timesAt(timezone, at)];
  return rules.find((rule) => times.some((time) => holds(rule, time))) ?? otherwise;
}

function holds({ days, from, to }: Pick<Schedule["rules"][number], "days" | "from" | "to">, { day, minute }: WallTime) {
  const [begin, end] = [minutes(from), minutes(to)];
  const begins = daysOf(days);
  if (begin < end) return begins.has(day) && begin <= minute && minute < end;
  // The rule lasts over midnight.
  return (begins.has(day) && begin <= minute) || (begins.has((day + 6) % 7) && minute < end);
}

/** Hours by which clocks are put back. */
const REPEATED_MINUTES = [60, 30, 120];

/**
 * The time that the clock shows. In the hour that it shows twice in autumn a rule begins at the first time and ends at the
 * second, without a break: what has begun since the hour began goes on, and so does what ends before it is over.
 */
function* timesAt(timezone: string, at: number): Generator<WallTime> {
  const time = wallClock(timezone, at);
  yield time;
  const around = [-120, 120].map((minutes) => wallClock(timezone, at + minutes * MINUTE_MS).minute);
  if (inDay((around[1] ?? 0) - (around[0] ?? 0)) === 240) return;
  const offset = offsetOf(timezone, at);
  const isOffset = (minutes: number, expected: number) => offsetOf(timezone, at + minutes * MINUTE_MS) === expected;
  for (const length of REPEATED_MINUTES) {
    if (isOffset(length, offset - length))
      for (let back = 1; isOffset(length - back, offset - length); back += 1) yield moved(time, -back);
    else if (isOffset(-length, offset + length))
      for (let ahead = 1; isOffset(ahead - length, offset + length); ahead += 1) yield moved(time, ahead);
  }
}

function moved({ day, minute }: WallTime, by: number): WallTime {
  const days = Math.floor((minute + by) / DAY_MINUTES);
  return { day: (day + days + 7) % 7, minute: inDay(minute + by) };
}

/**
 * An endpoint's arguments, with the workers that its schedule sets now. Its own workers become what holds otherwise, so that a
 * reader of the arguments still sees them.
 */
export function scheduled(
  declared: Properties,
  base: { readonly workersMin: unknown; readonly workersMax: unknown },
  put: (workers: Workers) => Properties,
): Properties {
  if (declared.schedule === undefined || containsUnknown(declared.schedule)) return declared;
  const parsed = schedule.parse(declared.schedule);
  const otherwise = parsed.otherwise ?? scheduledWorkers.safeParse(base).data;
  const whole = { ...parsed, ...(otherwise && { otherwise }) };
  const now = workersAt(whole, Date.now());
  return { ...declared, schedule: whole, ...(now && put({ workersMin: now.workersMin, workersMax: now.workersMax })) };
}

/** Formatters by time zone. Creating one takes longer than using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

interface WallTime {
  /** Of the week, from 0 for Monday. */
  readonly day: number;
  /** Of the day. */
  readonly minute: number;
}

function wallClock(timezone: string, at: number): WallTime {
  const form = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const clock = getOrCreate(clocks, timezone, (timeZone) => new Intl.DateTimeFormat("en-US", { ...form, timeZone }));
  const parts = clock.formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return {
    day: DAYS.indexOf(part("weekday").toLowerCase()),
    minute: Number(part("hour")) * 60 + Number(part("minute")),
  };
}

function minutes(text: string): number {
  const [hours = 0, rest = 0] = text.split(":").map(Number);
  return hours * 60 + rest;
}

function daysOf(text: string): Set<number> {
  return new Set(
    text.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map((day) => DAYS.indexOf(day));
      return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, at) => (first + at) % 7);
    }),
  );
}

/**
 * Cron lines in UTC at which the desired state may change: one for each time in the rules and each UTC offset of the time
 * zone within a year, on the days of its rule. A run at an offset that is not in force changes nothing. A time that the clock
 * skips in spring has one more, for the moment after the skipped hour: it begins then.
 */
export function cronsOf(declared: Schedule, from: number): string[] {
  return [...minutesInUtc(declared, from)].map(([minute, days]) => {
    // Cron's week begins on Sunday.
    const week = [...days].map((day) => (day + 1) % 7).sort((a, b) => a - b);
    const [first = 0, last = 0] = [week[0], week.at(-1)];
    const isRange = week.length > 2 && last - first === week.length - 1;
    const on = week.length === 7 ? "*" : isRange ? `${first}-${last}` : week.join(",");
    return `${minute % 60} ${Math.floor(minute / 60)} * * ${on}`;
  });
}

/** Minutes of the day in UTC at which a rule may begin or end, within a year, and the days on which. */
function minutesInUtc({ timezone, rules }: Schedule, from: number): ReadonlyMap<number, ReadonlySet<number>> {
  const year = Array.from({ length: 53 }, (_, week) => from + week * 7 * DAY_MINUTES * MINUTE_MS);
  const offsets = [...new Set(year.map((at) => offsetOf(timezone, at)))];
  const skips = skipsIn(timezone, year);
  const all = new Map<number, Set<number>>();
  const add = ({ day, minute }: WallTime) => void all.set(minute, (all.get(minute) ?? new Set()).add(day));
  for (const rule of rules)
    for (const day of daysOf(rule.days)) {
      const [begin, end] = [minutes(rule.from), minutes(rule.to)];
      for (const time of [begin, end > begin ? end : end + DAY_MINUTES]) {
        for (const offset of offsets) add(moved({ day, minute: 0 }, time - offset));
        for (const { at, from, to } of skips)
          if (inDay(time - from) < inDay(to - from)) add({ day: at.day, minute: at.minute });
      }
    }
  return new Map([...all].sort(([a], [b]) => a - b));
}

/** The local times that the clock skips, and when it does, in UTC. */
function skipsIn(timezone: string, times: readonly number[]): { at: WallTime; from: number; to: number }[] {
  return times.slice(1).flatMap((end, index) => {
    let [before = end, after] = [times[index], end];
    const [old, offset] = [offsetOf(timezone, before), offsetOf(timezone, after)];
    if (offset <= old) return [];
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
      if (offsetOf(timezone, middle) === old) before = middle;
      else after = middle;
    }
    const at = wallClock("UTC", after);
    return [{ at, from: at.minute + old, to: at.minute + offset }];
  });
}

const inDay = (minute: number): number => ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;

/** A time from which other workers hold than before. */
export interface Window {
  readonly at: number;
  /** Such as `mon 20:00 (Europe/Berlin)`. */
  readonly from: string;
  /** Undefined if the endpoint's own apply. */
  readonly workers: Workers | undefined;
}

/** The changes of the coming eight days: every window of a week begins among them. Empty if the workers never change. */
export function windowsOf(declared: Schedule, now: number): Window[] {
  const midnight = now - (now % (DAY_MINUTES * MINUTE_MS));
  const days = Array.from({ length: 9 }, (_, day) => midnight + day * DAY_MINUTES * MINUTE_MS);
  const times = days.flatMap((day) =>
    [...minutesInUtc(declared, now).keys()].map((minute) => day + minute * MINUTE_MS),
  );
  const windows: Window[] = [];
  let previous = workersAt(declared, now);
  for (const at of times.filter((time) => time > now)) {
    const workers = workersAt(declared, at);
    if (describeWorkers(workers) !== describeWorkers(previous))
      windows.push({ at, from: weekTime(declared.timezone, at), workers });
    previous = workers;
  }
  return windows;
}

function weekTime(timezone: string, at: number): string {
  const { day, minute } = wallClock(timezone, at);
  const time = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${DAYS[day]} ${time} (${timezone})`;
}

/** The next change of workers, such as `from mon 20:00 (Europe/Berlin): 2 to 10 workers -> 0 to 3`. */
export function nextChange(declared: Schedule, now: number): string | undefined {
  const [next] = windowsOf(declared, now);
  return next && `from ${next.from}: ${describeWorkers(workersAt(declared, now))} -> ${describeWorkers(next.workers)}`;
}

/** The most workers that a schedule allows in a week, and from when on. Undefined if they never change. */
export function busiest(declared: Schedule, base: Workers, now: number): (Workers & { from: string }) | undefined {
  const windows = windowsOf(declared, now).map(({ from, workers: { workersMin, workersMax } = base }) => ({
    from,
    workersMin,
    workersMax,
  }));
  const [most, ...others] = windows.toSorted((a, b) => b.workersMax - a.workersMax || b.workersMin - a.workersMin);
  if (most === undefined) return undefined;
  const [least = most] = others.toSorted((a, b) => b.workersMin - a.workersMin);
  return least.workersMin > most.workersMin
    ? { workersMin: least.workersMin, workersMax: most.workersMax, from: `${least.from} and ${most.from}` }
    : most;
}

function describeWorkers(workers: Workers | undefined): string {
  return workers === undefined ? "its own workers" : `${workers.workersMin} to ${workers.workersMax} workers`;
}

/** Minutes by which a time zone is ahead of UTC. */
function offsetOf(timezone: string, at: number): number {
  const [there, utc] = [wallClock(timezone, at), wallClock("UTC", at)];
  const days = ((there.day - utc.day + 10) % 7) - 3;
  return days * DAY_MINUTES + there.minute - utc.minute;
}
