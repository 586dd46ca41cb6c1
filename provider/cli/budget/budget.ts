import type { CallOptions, Client, Endpoint } from "../../client";
import { printableLine } from "../../client/text/printable";
import { textTable } from "../../client/text/table";
import { ownCaller, Prices } from "../../cost/prices";
import { ArgumentError } from "../../lifecycle/caller";
import { dollars } from "../cost/render";
import { code, markdownTable } from "../markdown";

const DAY_MS = 86_400_000;
const DAY_HOURS = 24;
/** The mean of so many days before today is the expected cost of a coming day. */
const RECENT_DAYS = 7;
/** The longest month, and the recent days before it. */
const ASKED_DAYS = 31 + RECENT_DAYS;

/** USD. */
interface Spend {
  readonly billed: number;
  /** Expected by the end of the month. */
  readonly expected: number;
}

export interface EndpointSpend extends Spend {
  readonly id: string;
  /** For a deleted endpoint: its id. */
  readonly name: string;
  readonly workersMax: number | undefined;
  /** A lower maximum that would help to stay within the budget, and the least that it saves. */
  readonly lower?: { readonly workersMax: number; readonly saves: number };
}

export interface Budget extends Spend {
  /** `2026-11`, in UTC. */
  readonly month: string;
  readonly budget: number;
  /** `expected`: above the budget by the end of the month. `billed`: already above it. */
  readonly state: "within" | "expected" | "billed";
  /** For each day of the month so far: the amount billed by its end. */
  readonly days: readonly number[];
  readonly daysInMonth: number;
  /** Endpoints that cost anything this month or last week, the most expensive first. */
  readonly endpoints: readonly EndpointSpend[];
  /** Pods, clusters, volumes and public endpoints. */
  readonly others: Spend;
  /** The amount that would still exceed the budget with all of `lower`. */
  readonly short: number;
}

/**
 * The billed and expected cost of the month, and which endpoints to lower for a budget.
 *
 * @throws PermissionError when the key may not read bills
 */
export async function budgetOf(client: Client, budget: number, options: CallOptions): Promise<Budget> {
  const asked = { bucketSize: "day", lastN: ASKED_DAYS } as const;
  const [account, serverless, endpoints] = await Promise.all([
    client.billing.summary(asked, options),
    client.billing.serverless(asked, options),
    client.serverless.list(options),
  ]);
  // The service's today, by its own clock.
  const end = Date.parse(account.metadata?.query?.endTime ?? "");
  const month = monthOf(Number.isNaN(end) ? client.clock.now() : end - 1);
  const perDay = (records: readonly { startTime?: string | undefined; totalAmount?: number | undefined }[]) => {
    const days = new Map<number, number>();
    for (const { startTime = "", totalAmount = 0 } of records) {
      const day = Math.floor(Date.parse(startTime) / DAY_MS);
      if (!Number.isNaN(day)) days.set(day, (days.get(day) ?? 0) + totalAmount);
    }
    return days;
  };
  const whole = perDay(account.records ?? []);
  const ofEndpoints = perDay(serverless.records ?? []);
  const rest = new Map([...whole].map(([day, usd]) => [day, Math.max(0, usd - (ofEndpoints.get(day) ?? 0))]));
  const byId = Map.groupBy(serverless.records ?? [], ({ serverlessId = "" }) => serverlessId);
  const live = new Map(endpoints.map((each) => [each.id, each]));
  const spends = Array.from(byId, ([id, records]): EndpointSpend => {
    const { name = id, workers } = live.get(id) ?? {};
    return { id, name, workersMax: workers?.max, ...spendOf(perDay(records), month) };
  })
    .filter(({ billed, expected }) => billed > 0 || expected > 0)
    .toSorted((a, b) => b.expected - a.expected);
  const others = spendOf(rest, month);
  const sum = (of: (spend: Spend) => number) => cents([...spends, others].reduce((all, each) => all + of(each), 0));
  const [billed, expected] = [sum((each) => each.billed), sum((each) => each.expected)];
  const lowered = await lower(client, spends, live, expected - budget, month, options);
  const days = Array.from({ length: month.today - month.first + 1 }, (_, at) =>
    billedUntil(whole, month.first, month.first + at),
  );
  return {
    month: month.name,
    budget,
    state: billed > budget ? "billed" : expected > budget ? "expected" : "within",
    billed,
    expected,
    days,
    daysInMonth: month.last - month.first + 1,
    endpoints: lowered.endpoints,
    others,
    short: lowered.short,
  };
}

/** Days are counted from 1970 on, in UTC, as the service bills. */
interface Month {
  readonly name: string;
  readonly first: number;
  readonly today: number;
  readonly last: number;
}

function monthOf(ms: number): Month {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    name: date.toISOString().slice(0, 7),
    first: Date.UTC(year, month, 1) / DAY_MS,
    today: Math.floor(ms / DAY_MS),
    last: Date.UTC(year, month + 1, 1) / DAY_MS - 1,
  };
}

function billedUntil(days: ReadonlyMap<number, number>, first: number, last: number): number {
  return cents([...days].reduce((sum, [day, usd]) => (day >= first && day <= last ? sum + usd : sum), 0));
}

function spendOf(days: ReadonlyMap<number, number>, { first, today, last }: Month): Spend {
  const billed = billedUntil(days, first, today);
  const earliest = Math.max(Math.min(today, ...days.keys()), today - RECENT_DAYS);
  const soFar = days.get(today) ?? 0;
  const perDay = earliest === today ? soFar : billedUntil(days, earliest, today - 1) / (today - earliest);
  return { billed, expected: cents(billed - soFar + Math.max(soFar, perDay) + perDay * (last - today)) };
}

/** Lowers maxima, the most expensive endpoint first. It assumes that all remaining workers are busy, so savings are a minimum. */
async function lower(
  client: Client,
  spends: readonly EndpointSpend[],
  live: ReadonlyMap<string, Endpoint>,
  tooMuch: number,
  { today, last }: Month,
  options: CallOptions,
): Promise<{ endpoints: EndpointSpend[]; short: number }> {
  const prices = new Prices(client, ownCaller(options.signal));
  const hours = (last - today + 1) * DAY_HOURS;
  let short = cents(Math.max(0, tooMuch));
  const endpoints: EndpointSpend[] = [];
  for (const spend of spends) {
    const endpoint = live.get(spend.id);
    const perWorker = short > 0 && endpoint !== undefined ? await workerPrice(endpoint, prices) : undefined;
    const toCome = spend.expected - spend.billed;
    const { min = 0, max = 0 } = endpoint?.workers ?? {};
    if (perWorker === undefined || max <= min) {
      endpoints.push(spend);
      continue;
    }
    const wanted = Math.floor(Math.max(0, toCome - short) / (perWorker * hours));
    const workersMax = Math.min(max, Math.max(min, wanted));
    const saves = cents(toCome - workersMax * perWorker * hours);
    const helps = workersMax < max && saves > 0;
    if (helps) short = Math.max(0, cents(short - saves));
    endpoints.push({ ...spend, ...(helps && { lower: { workersMax, saves } }) });
  }
  return { endpoints, short };
}

/** USD an hour of the most expensive worker that the endpoint may have; undefined if the catalog has no price. */
async function workerPrice({ gpu, cpu }: Endpoint, prices: Prices): Promise<number | undefined> {
  try {
    const each = gpu?.pools
      ? gpu.pools.map(async (pool) => (gpu.count ?? 1) * (await prices.pool("gpu", pool)))
      : (cpu ?? []).map(
          async ({ id, vcpuCount = 0 }) => vcpuCount * (await prices.cpu("cpu", id, "serverlessPerVcpu")),
        );
    const all = await Promise.all(each);
    return all.length === 0 ? undefined : Math.max(...all);
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw error;
  }
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

const HEADINGS = ["endpoint", "billed", "expected", "most workers"];

function rowsOf({ endpoints, others, billed, expected }: Budget, shown: (text: string) => string): string[][] {
  return [
    ...endpoints.map(({ id, name, workersMax, lower, ...spend }) => [
      `${shown(name)} (${shown(id)})`,
      dollars(spend.billed),
      dollars(spend.expected),
      `${workersMax ?? "gone"}${lower === undefined ? "" : ` -> ${lower.workersMax}`}`,
    ]),
    ["everything else", dollars(others.billed), dollars(others.expected), ""],
    ["sum", dollars(billed), dollars(expected), ""],
  ];
}

const WIDTH = 40;

/** A bar for each day with the amount billed so far, and one for the end of the month; `|` marks the budget. */
function plot({ days, daysInMonth, billed, expected, budget }: Budget): string {
  const scale = WIDTH / Math.max(budget, expected, billed, 0.01);
  const mark = Math.round(budget * scale);
  const bar = (full: number, light: number) => {
    const cells = Array.from({ length: WIDTH + 1 }, (_, at) =>
      at < Math.round(full * scale) ? "█" : at < Math.round(light * scale) ? "░" : at === mark ? "|" : " ",
    );
    return cells.join("");
  };
  return [
    ...days.map((usd, at) => `${String(at + 1).padStart(2)} ${bar(usd, 0)} ${dollars(usd)}`),
    `${daysInMonth} ${bar(billed, expected)} ${dollars(expected)} expected`,
  ].join("\n");
}

function headline({ month, state, billed, expected, budget }: Budget): string {
  const words = { within: "within", expected: "expected above", billed: "above" } as const;
  return `${month}: ${dollars(billed)} billed, ${dollars(expected)} expected by the end of the month: ${words[state]} the budget of ${dollars(budget)}`;
}

function advice({ endpoints, short, state }: Budget, shown: (text: string) => string): string[] {
  if (state === "within") return [];
  const lowered = endpoints.flatMap(({ id, name, workersMax, lower }) =>
    lower === undefined
      ? []
      : [
          `Lower the maximum of ${shown(name)} (${shown(id)}) in its program: workersMax ${workersMax} -> ${lower.workersMax} ` +
            `saves at least ${dollars(lower.saves)}.`,
        ],
  );
  return short > 0
    ? [...lowered, `No maximum keeps the month within the budget: ${dollars(short)} are still too much.`]
    : lowered;
}

/** For a terminal. */
export function asText(report: Budget): string {
  const parts = [headline(report), plot(report), textTable([HEADINGS, ...rowsOf(report, printableLine)], [1, 2, 3])];
  return [...parts, ...advice(report, printableLine)].join("\n\n");
}

/** For an issue. */
export function asMarkdown(report: Budget): string {
  const table = markdownTable([HEADINGS, ...rowsOf(report, code)], [1, 2, 3]).join("\n");
  const notes = advice(report, code).map((each) => `- ${each}`);
  return [
    `### ${headline(report)}`,
    `\`\`\`text\n${plot(report)}\n\`\`\``,
    table,
    ...(notes.length === 0 ? [] : [notes.join("\n")]),
  ].join("\n\n");
}
