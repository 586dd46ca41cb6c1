import { type AccountLimits, type CallOptions, type Client, ComputeCloudError } from "../client";
import { printableLine } from "../client/text/printable";
import { textTable } from "../client/text/table";

/** How many workers all endpoints of an account may have together. */
export interface WorkerQuota {
  /** Undefined where neither limits nor balance could be read. */
  readonly limit: number | undefined;
  /** What told it: a quota by the balance is what the service's pages name, not what it says of this account. */
  readonly source: "limits" | "balance" | undefined;
}

/** USD that the account holds, and the workers that it may then have. */
const BY_BALANCE = [
  [900, 60],
  [700, 50],
  [500, 40],
  [300, 30],
  [200, 20],
  [100, 10],
  [0, 5],
] as const;

/** By the account's limits, else by its balance. */
export async function workerQuota(client: Client, options: CallOptions): Promise<WorkerQuota> {
  const told = await orNothing(client.account.limits(options));
  const limit = limitIn(told?.serverlessWorkers ?? {});
  if (limit !== undefined) return { limit, source: "limits" };
  const { balanceAmount } = (await orNothing(client.account.balance(options))) ?? {};
  if (balanceAmount === undefined) return { limit: undefined, source: undefined };
  return { limit: BY_BALANCE.find(([usd]) => balanceAmount >= usd)?.[1] ?? 5, source: "balance" };
}

/** No page names the members: one that is called a limit, or the only number. */
function limitIn(members: NonNullable<AccountLimits["serverlessWorkers"]>): number | undefined {
  const numbers = Object.entries(members).flatMap(([name, value]) =>
    typeof value === "number" ? [{ name, value }] : [],
  );
  const named = numbers.filter(({ name }) => /limit|max|quota|allowed/i.test(name));
  const [only, ...others] = named.length > 0 ? named : numbers;
  return others.length === 0 ? only?.value : undefined;
}

/** A key may lack the right, and an older service the path. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ComputeCloudError) return undefined;
    throw error;
  }
}

/** An endpoint's share in the quota. */
export interface Share {
  readonly id: string;
  readonly name: string;
  readonly workersMax: number;
}

/** What the endpoints of the account take, the largest first. */
export async function shares(client: Client, options: CallOptions): Promise<Share[]> {
  const endpoints = await client.serverless.list(options);
  return endpoints
    .map(({ id, name = id, workers }) => ({ id, name, workersMax: workers?.max ?? 0 }))
    .toSorted((a, b) => b.workersMax - a.workersMax);
}

export const sumOf = (all: readonly { readonly workersMax: number }[]) =>
  all.reduce((sum, { workersMax }) => sum + workersMax, 0);

/** Endpoints that a table names. */
const MOST_ROWS = 15;

/** The shares, the largest first, and what is left of the quota. */
export function shareTable(all: readonly Share[], quota: WorkerQuota): string {
  const shown = all.filter(({ workersMax }) => workersMax > 0);
  const rest = shown.slice(MOST_ROWS);
  const rows = [
    ...shown.slice(0, MOST_ROWS).map(({ id, name, workersMax }) => [`${printableLine(name)} (${id})`, `${workersMax}`]),
    ...(rest.length === 0 ? [] : [[`${rest.length} more endpoints`, `${sumOf(rest)}`]]),
    ["sum", `${sumOf(all)}`],
    [quotaText(quota), `${quota.limit ?? "unknown"}`],
  ];
  return textTable([["endpoint", "most workers"], ...rows], [1]);
}

export function quotaText({ source }: WorkerQuota): string {
  return source === "balance" ? "quota, by the account's balance" : "quota of the account";
}
