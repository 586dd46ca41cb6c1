/* Workers by the clock: time zones, nights, daylight saving, and the times at which a pipeline has to run. */
import { describe, expect, test } from "@jest/globals";
import { schedule, Timetable } from "../../provider/cost/schedule";
import { checkInputs } from "../../provider/lifecycle/check/check";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { serverlessContainer } from "../../provider/resources/serverless/serverlessContainer";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import * as requests from "../harness/requests";

const rule = (days: string, from: string, to: string, workersMax: number) => ({ days, from, to, workersMax });

const inZone = (timezone: string, ...rules: ReturnType<typeof rule>[]) =>
  new Timetable(schedule.parse({ timezone, rules, otherwise: { workersMax: 1 } }));

const at = (timetable: Timetable, time: string) => timetable.workersAt(Date.parse(time))?.workersMax;

describe("a schedule", () => {
  const office = inZone("Europe/Berlin", rule("mon-fri", "08:00", "20:00", 10), rule("sat,sun", "10:00", "24:00", 5));

  test.each([
    ["a Monday morning", "2026-11-23T06:59:59Z", 1],
    ["to the minute", "2026-11-23T07:00:00Z", 10],
    ["in summer an hour earlier", "2026-07-20T06:00:00Z", 10],
    ["its end is not in it", "2026-11-23T19:00:00Z", 1],
    ["the day is that of its own place", "2026-11-22T23:30:00Z", 1],
    ["to the last minute of a day", "2026-11-22T22:59:59Z", 5],
  ])("holds by the clocks of its place: %s", (_, time, workers) => expect(at(office, time)).toBe(workers));

  test("goes over midnight, and over the end of the week", () => {
    const night = inZone("America/New_York", rule("fri-sat", "22:00", "06:00", 9));
    expect(at(night, "2026-11-21T02:59:00Z")).toBe(1); // Friday, 21:59
    expect(at(night, "2026-11-21T03:00:00Z")).toBe(9);
    expect(at(night, "2026-11-22T10:59:00Z")).toBe(9); // Sunday, 05:59, which began on Saturday
    expect(at(night, "2026-11-22T11:00:00Z")).toBe(1);
    expect(at(night, "2026-11-23T04:00:00Z")).toBe(1); // Sunday, 23:00
    const wrapped = inZone("UTC", rule("sun-mon", "23:00", "01:00", 9));
    const times = ["2026-11-22T23:30:00Z", "2026-11-24T00:30:00Z", "2026-11-24T23:30:00Z"];
    expect(times.map((time) => at(wrapped, time))).toEqual([9, 9, 1]);
  });

  test("is right when the clocks change: an hour that is skipped is over, and in one that comes twice no window is split", () => {
    const early = inZone("Europe/Berlin", rule("mon-sun", "02:15", "02:45", 7), rule("mon-sun", "02:30", "04:00", 8));
    const quarters = (from: string, count: number) =>
      Array.from({ length: count }, (_, index) => early.workersAt(Date.parse(from) + index * 900_000)?.workersMax);
    // 29 March 2026: 02:00 is 03:00.
    expect(quarters("2026-03-29T00:45:00Z", 6)).toEqual([1, 8, 8, 8, 8, 1]);
    // 25 October 2026: 03:00 is 02:00.
    expect(quarters("2026-10-25T00:00:00Z", 9)).toEqual([1, 7, 7, 7, 7, 7, 7, 8, 8]);
    const night = inZone("Europe/Berlin", rule("sat", "22:00", "02:30", 5));
    // It ends at the second 02:30, at 01:30 in UTC.
    const ends = ["00:15", "00:45", "01:15", "01:30"].map((time) => at(night, `2026-10-25T${time}:00Z`));
    expect(ends).toEqual([5, 5, 5, 1]);
    // Clocks go back by half an hour at 02:00, at 15:00 in UTC.
    const howe = inZone("Australia/Lord_Howe", rule("sun", "01:45", "03:00", 5));
    const begins = ["14:30", "14:45", "15:05", "15:20"].map((time) => at(howe, `2026-04-04T${time}:00Z`));
    expect(begins).toEqual([1, 5, 5, 5]);
  });

  test.each(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Kiritimati", "UTC"])(
    "changes only when a line of its cron is due, all through a year in %s",
    (timezone) => {
      const weekly = inZone(
        timezone,
        rule("mon-fri", "08:00", "20:00", 10),
        // It begins in the hour that the clock skips in spring.
        rule("sun", "02:15", "03:45", 7),
        rule("fri-sun", "22:15", "05:45", 5),
      );
      const from = Date.UTC(2026, 5, 1);
      const crons = weekly.crons(from).map((line) => line.split(" "));
      const isDue = (time: number) => {
        const now = new Date(time);
        return crons.some(
          ([minute, hour, , , days]) =>
            now.getUTCMinutes() === Number(minute) &&
            now.getUTCHours() === Number(hour) &&
            daysOf(days).has(now.getUTCDay()),
        );
      };
      const times = Array.from({ length: 365 * 96 }, (_, quarter) => from + quarter * 900_000);
      const workers = times.map((time) => weekly.workersAt(time)?.workersMax);
      const changes = times.filter((_, index) => index > 0 && workers[index] !== workers[index - 1]);
      expect(changes.length).toBeGreaterThan(700);
      expect(changes.filter((time) => !isDue(time))).toEqual([]);
    },
  );
});

/** The days of a line of cron, from Sunday, 0. */
function daysOf(field = "*"): ReadonlySet<number> {
  const parts = field === "*" ? ["0-6"] : field.split(",");
  const ranges = parts.map((part) => part.split("-").map(Number));
  return new Set(
    ranges.flatMap(([first = 0, last = first]) => Array.from({ length: last - first + 1 }, (_, day) => first + day)),
  );
}

test("a cron runs on the days of its rule only, by UTC", () => {
  const from = Date.UTC(2026, 0, 1);
  const office = inZone("UTC", rule("mon-fri", "08:00", "20:00", 9), rule("sat", "20:00", "24:00", 5));
  expect(office.crons(from)).toEqual(["0 0 * * 0", "0 8 * * 1-5", "0 20 * * 1-6"]);
  const kolkata = inZone("Asia/Kolkata", rule("mon", "04:00", "02:00", 9));
  expect(kolkata.crons(from)).toEqual(["30 20 * * 1", "30 22 * * 0"]);
  expect(inZone("UTC", rule("mon-sun", "08:00", "20:00", 9)).crons(from)).toEqual(["0 8 * * *", "0 20 * * *"]);
});

describe("the next change of a schedule", () => {
  const office = inZone("Europe/Berlin", rule("mon-fri", "08:00", "20:00", 10));

  test.each([
    ["in the night", "2026-11-23T03:00:00Z", "from mon 08:00 (Europe/Berlin): 0 to 1 workers -> 0 to 10 workers"],
    ["at its end", "2026-11-23T07:00:00Z", "from mon 20:00 (Europe/Berlin): 0 to 10 workers -> 0 to 1 workers"],
    ["over the weekend", "2026-11-27T19:00:00Z", "from mon 08:00 (Europe/Berlin): 0 to 1 workers -> 0 to 10 workers"],
    ["over a new hour", "2026-03-27T20:00:00Z", "from mon 08:00 (Europe/Berlin): 0 to 1 workers -> 0 to 10 workers"],
  ])("is found %s", (_, now, text) => expect(office.nextChange(Date.parse(now))).toBe(text));

  test("passes over rules that hold the same, and says where the endpoint's own workers hold", () => {
    const rules = [rule("mon", "08:00", "12:00", 9), rule("mon", "12:00", "18:00", 9)];
    const alone = new Timetable(schedule.parse({ timezone: "UTC", rules }));
    const next = alone.nextChange(Date.parse("2026-11-23T09:00:00Z"));
    expect(next).toBe("from mon 18:00 (UTC): 0 to 9 workers -> its own workers");
    expect(alone.nextChange(Date.parse("2026-11-23T18:00:00Z"))).toMatch(/^from mon 08:00 \(UTC\)/);
    expect(inZone("UTC", rule("mon-sun", "00:00", "24:00", 9)).nextChange(Date.now())).toBeUndefined();
  });
});

const endpoint = { gpuIds: "AMPERE_16", templateId: "abc", name: "chat" };
const container = requests.endpoint("chat");
const always = { timezone: "UTC", rules: [{ from: "00:00", to: "24:00", workersMin: 1, workersMax: 7 }] };
/** Holds on no day but the one after tomorrow. */
const never = () => {
  const day = new Intl.DateTimeFormat("en", { timeZone: "UTC", weekday: "short" }).format(Date.now() + 2 * 86_400_000);
  return { timezone: "UTC", rules: [{ days: day.toLowerCase(), from: "11:00", to: "11:01", workersMax: 7 }] };
};

test("an endpoint with a schedule has the workers that hold now; where no rule does, its own or the schedule's", () => {
  const flat = (args: object) => checkInputs(serverlessEndpoint, { ...endpoint, ...args }).inputs;
  expect(flat({ workersMax: 3, schedule: always })).toMatchObject({ workersMin: 1, workersMax: 7 });
  expect(flat({ workersMax: 3, schedule: never() })).toMatchObject({ workersMin: 0, workersMax: 3 });
  const otherwise = { workersMin: 2, workersMax: 4 };
  expect(flat({ workersMax: 3, schedule: { ...never(), otherwise } })).toMatchObject(otherwise);
  const nested = (args: object) => checkInputs(serverlessContainer, { ...container, ...args }).inputs.workers;
  const idleTimeout = 60;
  expect(nested({ workers: { max: 3, idleTimeout }, schedule: always })).toEqual({ min: 1, max: 7, idleTimeout });
  expect(nested({ workers: { max: 3 }, schedule: never() })).toMatchObject({ min: 0, max: 3 });
  expect(flat({ workersMax: 3, schedule: UNKNOWN })).toMatchObject({ workersMax: 3, schedule: UNKNOWN });
});

test("an endpoint with a schedule still shows its own workers, as what holds otherwise", () => {
  const ownWorkers = { workersMin: 2, workersMax: 3 };
  const nested = { ...container, workers: { min: 2, max: 3 } };
  const inputs = [
    checkInputs(serverlessEndpoint, { ...endpoint, ...ownWorkers, schedule: always }).inputs,
    checkInputs(serverlessContainer, { ...nested, schedule: always }).inputs,
  ];
  for (const { schedule } of inputs) expect(schedule).toMatchObject({ otherwise: ownWorkers });
  // A maximum that is not declared stays as it is.
  const { inputs: plain } = checkInputs(serverlessEndpoint, { ...endpoint, schedule: always });
  expect(plain.schedule).not.toHaveProperty("otherwise");
});

test.each([
  [{ timezone: "Europe/Atlantis" }, "schedule.timezone", /not a time zone of the IANA database/],
  [{ rules: [] }, "schedule.rules", /must not be empty/],
  [{ rules: [{ ...always.rules[0], days: "Monday" }] }, "schedule.rules.0.days", /must be days such as "mon-fri"/],
  [{ rules: [{ ...always.rules[0], from: "8:00" }] }, "schedule.rules.0.from", /must be a time of day/],
  [{ rules: [{ ...always.rules[0], from: "24:00" }] }, "schedule.rules.0.to", /is the same as from/],
  [{ rules: [{ ...always.rules[0], workersMin: 8 }] }, "schedule.rules.0.workersMin", /must not exceed workersMax/],
  [{ otherwise: { workersMin: 8, workersMax: 1 } }, "schedule.otherwise.workersMin", /must not exceed workersMax/],
])("an endpoint with a schedule is refused in the preview where that is wrong: %j", (wrong, property, reason) => {
  const { failures } = checkInputs(serverlessEndpoint, { ...endpoint, schedule: { ...always, ...wrong } });
  expect(failures).toEqual([{ property, reason: expect.stringMatching(reason) }]);
});
