import { z } from "../../common/zod";
import { control, named } from "../lifecycle/fields/fields";
import { containsUnknown } from "../lifecycle/fields/unknown";
import type { Properties } from "../lifecycle/fields/values";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY = `(${DAYS.join("|")})`;

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

/**
 * An endpoint's arguments, with the workers that its schedule sets now. Its own workers become what holds otherwise, so that a
 * reader of the arguments still sees them.
 *
 * @param declared checked, with the defaults of the schedule
 */
export function scheduled(
  declared: Properties,
  base: { readonly workersMin: unknown; readonly workersMax: unknown },
  put: (workers: Workers) => Properties,
): Properties {
  if (declared.schedule === undefined || containsUnknown(declared.schedule)) return declared;
  const checked = declared.schedule as Schedule;
  const otherwise = checked.otherwise ?? scheduledWorkers.safeParse(base).data;
  const whole = { ...checked, ...(otherwise && { otherwise }) };
  const now = new Timetable(whole).workersAt(Date.now());
  return { ...declared, schedule: whole, ...(now && put(now)) };
}

/** A time from which other workers hold than before. */
export interface Window {
  readonly at: number;
  /** Such as `mon 20:00 (Europe/Berlin)`. */
  readonly from: string;
  /** Undefined if the endpoint's own apply. */
  readonly workers: Workers | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** By how much clocks are put back. */
const REPEATED_MINUTES = [60, 30, 120];

/** A schedule, read by the clock of its place. Times of the week are in minutes since Monday began. */
export class Timetable {
  readonly #zone: Intl.DateTimeFormat;
  readonly #rules: readonly {
    readonly begins: readonly number[];
    readonly length: number;
    readonly workers: Workers;
  }[];

  constructor(private readonly schedule: Schedule) {
    this.#zone = new Intl.DateTimeFormat("en-US", { timeZone: schedule.timezone, timeZoneName: "longOffset" });
    this.#rules = schedule.rules.map(({ days, from, to, ...workers }) => {
      const [begin, end] = [minutes(from), minutes(to)];
      // It may last over midnight.
      const length = end - begin + (begin < end ? 0 : DAY_MINUTES);
      return { begins: daysOf(days).map((day) => day * DAY_MINUTES + begin), length, workers };
    });
  }

  /** Of an endpoint's arguments. Undefined where they have no schedule, or one that is not known before the update. */
  static of(props: Properties): Timetable | undefined {
    const { data } = schedule.safeParse(props.schedule);
    return data && new Timetable(data);
  }

  /** The workers at this time; undefined if the endpoint's own apply. */
  workersAt(at: number): Workers | undefined {
    const times = [...this.#shownAt(at)];
    const rule = this.#rules.find(({ begins, length }) =>
      begins.some((begin) => times.some((time) => inWeek(time - begin) < length)),
    );
    return rule?.workers ?? this.schedule.otherwise;
  }

  /** The changes of the coming eight days: every window of a week begins among them. Empty if the workers never change. */
  windows(now: number): Window[] {
    const minute = Math.floor(now / MINUTE_MS);
    const times = [...this.#changesInUtc(now)]
      .map((change) => minute + inWeek(change - weekMinute(now)))
      .flatMap((first) => [first, first + WEEK_MINUTES])
      .filter((time) => time > minute && time <= minute + 8 * DAY_MINUTES)
      .sort((a, b) => a - b);
    const windows: Window[] = [];
    let previous = this.workersAt(now);
    for (const at of times.map((time) => time * MINUTE_MS)) {
      const workers = this.workersAt(at);
      if (describeWorkers(workers) !== describeWorkers(previous))
        windows.push({ at, from: this.#weekTime(at), workers });
      previous = workers;
    }
    return windows;
  }

  /** The next change of workers, such as `from mon 20:00 (Europe/Berlin): 2 to 10 workers -> 0 to 3`. */
  nextChange(now: number): string | undefined {
    const [next] = this.windows(now);
    return next && `from ${next.from}: ${describeWorkers(this.workersAt(now))} -> ${describeWorkers(next.workers)}`;
  }

  /** The most workers that are allowed in a week, and from when on. Undefined if they never change. */
  busiest(base: Workers, now: number): (Workers & { from: string }) | undefined {
    const windows = this.windows(now).map(({ from, workers = base }) => ({ from, ...workers }));
    const [most, ...others] = windows.toSorted((a, b) => b.workersMax - a.workersMax || b.workersMin - a.workersMin);
    if (most === undefined) return undefined;
    const [least = most] = others.toSorted((a, b) => b.workersMin - a.workersMin);
    return least.workersMin > most.workersMin
      ? { workersMin: least.workersMin, workersMax: most.workersMax, from: `${least.from} and ${most.from}` }
      : most;
  }

  /**
   * Cron lines in UTC at which the desired state may change: one for each time in the rules and each UTC offset of the time
   * zone within a year, on the days of its rule. A run at an offset that is not in force changes nothing. A time that the clock
   * skips in spring has one more, for the moment after the skipped hour: it begins then.
   */
  crons(from: number): string[] {
    const changes = [...this.#changesInUtc(from)].sort((a, b) => a - b);
    const byMinute = Map.groupBy(changes, (change) => change % DAY_MINUTES);
    return [...byMinute]
      .sort(([a], [b]) => a - b)
      .map(([minute, changes]) => {
        // Cron's week begins on Sunday.
        const week = changes.map((change) => (Math.floor(change / DAY_MINUTES) + 1) % 7).sort((a, b) => a - b);
        const [first = 0, last = 0] = [week[0], week.at(-1)];
        const isRange = week.length > 2 && last - first === week.length - 1;
        const on = week.length === 7 ? "*" : isRange ? `${first}-${last}` : week.join(",");
        return `${minute % 60} ${Math.floor(minute / 60)} * * ${on}`;
      });
  }

  /** Times of the week in UTC at which a rule may begin or end, within a year. */
  #changesInUtc(from: number): ReadonlySet<number> {
    const year = Array.from({ length: 53 }, (_, week) => from + week * WEEK_MINUTES * MINUTE_MS);
    const offsets = [...new Set(year.map((at) => this.#offset(at)))];
    const skips = this.#skipsIn(year);
    const times = this.#rules.flatMap(({ begins, length }) => begins.flatMap((begin) => [begin, begin + length]));
    return new Set(
      times.flatMap((time) => [
        ...offsets.map((offset) => inWeek(time - offset)),
        ...skips.flatMap(({ at, first, length }) => (inDay(time - first) < length ? [at] : [])),
      ]),
    );
  }

  /** When the clock skips an hour, in UTC, and which one. */
  #skipsIn(times: readonly number[]): { at: number; first: number; length: number }[] {
    return times.slice(1).flatMap((end, index) => {
      let [before = end, after] = [times[index], end];
      const [old, offset] = [this.#offset(before), this.#offset(after)];
      if (offset <= old) return [];
      while (after - before > MINUTE_MS) {
        const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
        if (this.#offset(middle) === old) before = middle;
        else after = middle;
      }
      const at = weekMinute(after);
      return [{ at, first: at + old, length: offset - old }];
    });
  }

  /**
   * The time that the clock shows. In the hour that it shows twice in autumn a rule begins at the first time and ends at the
   * second, without a break: what has begun since the hour began goes on, and so does what ends before it is over.
   */
  *#shownAt(at: number): Generator<number> {
    const offset = this.#offset(at);
    const time = weekMinute(at) + offset;
    yield time;
    const isOffset = (minutes: number, expected: number) => this.#offset(at + minutes * MINUTE_MS) === expected;
    if (isOffset(-120, this.#offset(at + 120 * MINUTE_MS))) return;
    for (const length of REPEATED_MINUTES) {
      if (isOffset(length, offset - length))
        for (let back = 1; isOffset(length - back, offset - length); back += 1) yield time - back;
      else if (isOffset(-length, offset + length))
        for (let ahead = 1; isOffset(ahead - length, offset + length); ahead += 1) yield time + ahead;
    }
  }

  #weekTime(at: number): string {
    const time = inWeek(weekMinute(at) + this.#offset(at));
    const [hour, minute] = [Math.floor(inDay(time) / 60), time % 60].map((part) => String(part).padStart(2, "0"));
    return `${DAYS[Math.floor(time / DAY_MINUTES)]} ${hour}:${minute} (${this.schedule.timezone})`;
  }

  /** Minutes by which the time zone is ahead of UTC. */
  #offset(at: number): number {
    const [, sign = "+", hours, rest] = /GMT([+-])(\d+):(\d+)/.exec(this.#zone.format(at)) ?? [];
    return Number(`${sign}1`) * (Number(hours ?? 0) * 60 + Number(rest ?? 0));
  }
}

/** The time of the week in UTC. */
const weekMinute = (at: number): number => {
  const date = new Date(at);
  return ((date.getUTCDay() + 6) % 7) * DAY_MINUTES + date.getUTCHours() * 60 + date.getUTCMinutes();
};

const inWeek = (minute: number): number => (minute + 2 * WEEK_MINUTES) % WEEK_MINUTES;
const inDay = (minute: number): number => inWeek(minute) % DAY_MINUTES;

function minutes(text: string): number {
  const [hours = 0, rest = 0] = text.split(":").map(Number);
  return hours * 60 + rest;
}

/** Days of the week, from 0 for Monday. */
function daysOf(text: string): number[] {
  return text.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map((day) => DAYS.indexOf(day));
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, at) => (first + at) % 7);
  });
}

function describeWorkers(workers: Workers | undefined): string {
  return workers === undefined ? "its own workers" : `${workers.workersMin} to ${workers.workersMax} workers`;
}
