import type { Command } from "@commander-js/extra-typings";
import type { BillingQuery, CallOptions, Client, Endpoint } from "../../client";
import { ArgumentError } from "../../provider/cost/caller";
import { cachingCaller, Prices } from "../../provider/cost/prices";
import type { Escape } from "../markdown";
import { explain, jsonOption } from "../output";
import { amount } from "../values";
import { withClient } from "../withClient";
import { cents, dollars, printReport, type ReportOf } from "./report";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** The hours whose mean a coming hour is expected to cost, unless the last day cost more. */
const RECENT_HOURS = 7 * DAY_HOURS;

/** USD. */
interface Spend {
  readonly billed: number;
  readonly expected: number;
}

interface EndpointSpend extends Omit<Costly, "kind"> {
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
  /** Endpoints that cost anything this month or last week, the most expensive first. */
  readonly endpoints: readonly EndpointSpend[];
  /** Pods, clusters, volumes and public endpoints. */
  readonly others: Spend;
  /** The amount above the budget that no lower maxima save. If it is not 0, no endpoint has `lower`. */
  readonly short: number;
  /** Above the budget: what is expected to cost most, of any kind. */
  readonly costliest: readonly Costly[];
}

interface Costly extends Spend {
  readonly kind: string;
  readonly id: string;
  /** For what was deleted: its id. */
  readonly name: string;
}

const MOST_COSTLY = 5;

/**
 * The billed and expected cost of the month, and which endpoints to lower for a budget.
 *
 * @throws PermissionError when the key may not read bills
 */
async function budgetOf(client: Client, budget: number, options: CallOptions): Promise<Budget> {
  const { billing, serverless } = client;
  const [days, hours, bills] = await Promise.all([
    billing.summary(MONTH, options),
    billing.summary(RECENT, options),
    billsOf("endpoint", serverless, billing.serverless, ({ serverlessId }) => serverlessId, options),
  ]);
  const clock = clockOf(hours.metadata?.query?.endTime, client.clock.now());
  const costly = spendsOf(bills, clock)
    .filter(({ billed, expected }) => billed > 0 || expected > 0)
    .toSorted((a, b) => b.expected - a.expected);
  const spends = costly.map(
    ({ kind: _, ...spend }): EndpointSpend => ({ ...spend, workersMax: bills.live.get(spend.id)?.workers?.max }),
  );
  const others = spendOf(
    without(perHour(days.records), perHour([...bills.byDay.values()].flat())),
    without(perHour(hours.records), perHour([...bills.byHour.values()].flat())),
    clock,
  );
  const sum = (of: (spend: Spend) => number) => cents([...spends, others].reduce((all, each) => all + of(each), 0));
  const [billed, expected] = [sum((each) => each.billed), sum((each) => each.expected)];
  const lowered = await lower(client, spends, bills.live, expected - budget, hoursLeft(clock), options);
  const state = billed > budget ? "billed" : expected > budget ? "expected" : "within";
  const all = state === "within" ? [] : [...costly, ...(await othersOf(client, clock, options))];
  return {
    month: new Date(clock.first).toISOString().slice(0, 7),
    budget,
    state,
    billed,
    expected,
    endpoints: lowered.endpoints,
    others,
    short: lowered.short,
    costliest: all.toSorted((a, b) => b.expected - a.expected).slice(0, MOST_COSTLY),
  };
}

/** What pods, clusters and volumes cost, each by itself. */
async function othersOf(client: Client, clock: Clock, options: CallOptions): Promise<Costly[]> {
  const { billing, pods, clusters, networkVolumes } = client;
  const all = await Promise.all([
    billsOf("pod", pods, billing.pods, ({ podId }) => podId, options),
    billsOf("cluster", clusters, billing.clusters, ({ clusterId }) => clusterId, options),
    billsOf("volume", networkVolumes, billing.networkVolumes, ({ networkVolumeId }) => networkVolumeId, options),
  ]);
  return all.flatMap((bills) => spendsOf(bills, clock));
}

const MONTH = { bucketSize: "day", lastN: 31 } as const;
const RECENT = { bucketSize: "hour", lastN: RECENT_HOURS } as const;

interface Named {
  readonly id: string;
  readonly name?: string | null | undefined;
}

/** What exists of a kind, and the bills of each resource, by its id. */
interface Bills<Live extends Named> {
  readonly kind: string;
  readonly live: ReadonlyMap<string, Live>;
  readonly byDay: ReadonlyMap<string, readonly Bill[]>;
  readonly byHour: ReadonlyMap<string, readonly Bill[]>;
}

async function billsOf<Live extends Named, Record extends Bill>(
  kind: string,
  { list }: { list(options: CallOptions): Promise<readonly Live[]> },
  bill: (query: BillingQuery, options: CallOptions) => Promise<{ readonly records?: readonly Record[] | undefined }>,
  idOf: (record: Record) => string | undefined,
  options: CallOptions,
): Promise<Bills<Live>> {
  const billed = async (query: BillingQuery) => {
    const { records = [] } = await bill(query, options);
    return Map.groupBy(records, (record) => idOf(record) ?? "");
  };
  const [live, byDay, byHour] = await Promise.all([list(options), billed(MONTH), billed(RECENT)]);
  return { kind, live: new Map(live.map((each) => [each.id, each])), byDay, byHour };
}

/** What each resource of a kind costs that was billed this month. */
function spendsOf({ kind, live, byDay, byHour }: Bills<Named>, clock: Clock): Costly[] {
  return Array.from(byDay, ([id, records]): Costly => {
    // What was deleted costs nothing more.
    const hours = live.has(id) ? perHour(byHour.get(id)) : new Map();
    return { kind, id, name: live.get(id)?.name || id, ...spendOf(perHour(records), hours, clock) };
  });
}

interface Bill {
  readonly startTime?: string | undefined;
  readonly totalAmount?: number | undefined;
}
/** USD by the hour, counted from 1970 on, in which a bucket begins. */
type Hours = ReadonlyMap<number, number>;

function perHour(records: readonly Bill[] = []): Map<number, number> {
  const hours = new Map<number, number>();
  for (const { startTime = "", totalAmount = 0 } of records) {
    const hour = Math.floor(Date.parse(startTime) / HOUR_MS);
    if (!Number.isNaN(hour) && totalAmount > 0) hours.set(hour, (hours.get(hour) ?? 0) + totalAmount);
  }
  return hours;
}

function without(all: Hours, some: Hours): Map<number, number> {
  const rest = Array.from(all, ([hour, usd]): [number, number] => [hour, usd - (some.get(hour) ?? 0)]);
  // What is left of equal sums is a rounding error.
  return new Map(rest.filter(([, usd]) => usd > 1e-6));
}

/** The service's present, and its month, in UTC as it bills. */
interface Clock {
  readonly now: number;
  readonly first: number;
  readonly end: number;
}

/** @param endTime the end of the service's current hour. It decides where this machine's clock disagrees */
function clockOf(endTime: string | undefined, here: number): Clock {
  const hour = Date.parse(endTime ?? "");
  const now = Number.isNaN(hour) ? here : Math.min(hour - 1, Math.max(hour - HOUR_MS, here));
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { now, first: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

const hoursLeft = ({ now, end }: Clock) => (end - now) / HOUR_MS;

function billedIn(hours: Hours, from: number, to: number): number {
  return [...hours].reduce((sum, [hour, usd]) => (hour >= from && hour < to ? sum + usd : sum), 0);
}

function spendOf(days: Hours, recent: Hours, clock: Clock): Spend {
  const now = clock.now / HOUR_MS;
  const billed = cents(billedIn(days, clock.first / HOUR_MS, now));
  const first = Math.min(now, ...recent.keys());
  const paces = [RECENT_HOURS, DAY_HOURS].map((hours) => {
    // What began in these days counts from its first hour on.
    const from = Math.max(first, Math.ceil(now - hours));
    return billedIn(recent, from, now) / Math.max(1, now - from);
  });
  return { billed, expected: cents(billed + Math.max(...paces) * hoursLeft(clock)) };
}

/**
 * Lowers maxima, the most expensive endpoint first, and never to 0, which would end its service. It assumes that all remaining
 * workers are busy, so savings are a minimum. Where they don't reach the goal, nothing is lowered.
 */
async function lower(
  client: Client,
  spends: readonly EndpointSpend[],
  live: ReadonlyMap<string, Endpoint>,
  tooMuch: number,
  hours: number,
  options: CallOptions,
): Promise<{ endpoints: readonly EndpointSpend[]; short: number }> {
  const prices = new Prices(client, cachingCaller(options.signal));
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
    const workersMax = Math.min(max, Math.max(min, 1, wanted));
    const saves = cents(toCome - workersMax * perWorker * hours);
    const helps = workersMax < max && saves > 0;
    if (helps) short = Math.max(0, cents(short - saves));
    endpoints.push({ ...spend, ...(helps && { lower: { workersMax, saves } }) });
  }
  return { endpoints: short > 0 ? spends : endpoints, short };
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

export function reportOfBudget(report: Budget): ReportOf {
  const { month, budget, state, billed, expected, endpoints, others } = report;
  const words = { within: "within", expected: "expected above", billed: "above" } as const;
  return (escapeText) => ({
    title: `${month}: ${dollars(billed)} billed, ${dollars(expected)} expected by the end of the month: ${words[state]} the budget of ${dollars(budget)}`,
    rows: [
      ["endpoint", "billed", "expected", "most workers"],
      ...endpoints.map(({ workersMax, lower, ...spend }) => [
        nameOf(spend, escapeText),
        dollars(spend.billed),
        dollars(spend.expected),
        `${workersMax ?? "gone"}${lower === undefined ? "" : ` -> ${lower.workersMax}`}`,
      ]),
      ["everything else", dollars(others.billed), dollars(others.expected), ""],
      ["sum", dollars(billed), dollars(expected), ""],
    ],
    figures: [1, 2],
    notes: advice(report, escapeText),
  });
}

const nameOf = ({ name, id }: Pick<Costly, "name" | "id">, escapeText: Escape) =>
  `${escapeText(name)} (${escapeText(id)})`;

function advice({ endpoints, costliest, short, state }: Budget, escapeText: Escape): string[] {
  if (state === "within") return [];
  const lowered = endpoints.flatMap(({ workersMax, lower, ...spend }) =>
    lower === undefined
      ? []
      : [
          `Lower the maximum of ${nameOf(spend, escapeText)} in its program: workersMax ${workersMax} -> ${lower.workersMax} ` +
            `saves at least ${dollars(lower.saves)}.`,
        ],
  );
  const costly = costliest.map((each) => `${each.kind} ${nameOf(each, escapeText)} ${dollars(each.expected)}`);
  const most = `Expected to cost most: ${costly.join(", ")}.`;
  const tooLittle = `Lower maxima of workers are not enough: ${dollars(short)} would still be too much. Stop or shrink what costs most.`;
  return short > 0 ? [most, tooLittle] : [most, ...lowered];
}

export function budget(command: Command): void {
  explain(command, {
    examples: ["budget --month 2000", "budget --month 2000 --markdown > report.md"],
    fails: "the month is above the budget, or expected to be",
    connects: true,
  });
  command
    .description(
      "Shows what the account was billed this month, what it is expected to be by the month's end, by endpoint, and which " +
        "maxima of workers to lower to stay within the budget. Changes nothing.",
    )
    .requiredOption("--month <USD>", "what a calendar month, in UTC, may cost", amount("--month"))
    .option("--markdown", "print an issue's text")
    .option(...jsonOption)
    .action(async (options) => {
      const report = await withClient((client, signal) => budgetOf(client, options.month, { signal }));
      printReport(reportOfBudget(report), { currency: "USD", ...report }, options, report.state !== "within");
    });
}
