import { type AccountLimits, type CallOptions, type Client, ComputeCloudError } from "../../client";
import { printableLine } from "../../common/printable";
import { textTable } from "../../common/table";

/** The account's quota: how many workers all its endpoints may have together. */
export interface WorkerQuota {
  /** Undefined if neither limits nor balance could be read. */
  readonly limit: number | undefined;
  /**
   * Where the limit comes from. `balance` is what the service documents for a balance, and may not hold for this account.
   */
  readonly source: "limits" | "balance" | undefined;
}

/** Balance in USD, and the workers that the service documents for it. */
const BY_BALANCE = [
  [900, 60],
  [700, 50],
  [500, 40],
  [300, 30],
  [200, 20],
  [100, 10],
  [0, 5],
] as const;

/** The quota from the account's limits, or else from its balance. */
export async function workerQuota(client: Client, options: CallOptions): Promise<WorkerQuota> {
  const limits = await orNothing(client.account.limits(options));
  const limit = limitIn(limits?.serverlessWorkers ?? {});
  if (limit !== undefined) return { limit, source: "limits" };
  const { balanceAmount } = (await orNothing(client.account.balance(options))) ?? {};
  if (balanceAmount === undefined) return { limit: undefined, source: undefined };
  return { limit: BY_BALANCE.find(([usd]) => balanceAmount >= usd)?.[1] ?? 5, source: "balance" };
}

/** The limit among undocumented members: one whose name says so, or the only number. Undefined if that is ambiguous. */
function limitIn(members: NonNullable<AccountLimits["serverlessWorkers"]>): number | undefined {
  const numbers = Object.entries(members).flatMap(([name, value]) =>
    typeof value === "number" ? [{ name, value }] : [],
  );
  const named = numbers.filter(({ name }) => /limit|max|quota|allowed/i.test(name));
  const [only, ...others] = named.length > 0 ? named : numbers;
  return others.length === 0 ? only?.value : undefined;
}

/** Undefined after an error of the service: the key may lack the right, or the service the path. */
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

/** The endpoints' shares of the quota, the largest first. */
export async function shares(client: Client, options: CallOptions): Promise<Share[]> {
  const endpoints = await client.serverless.list(options);
  return endpoints
    .map(({ id, name = id, workers }) => ({ id, name, workersMax: workers?.max ?? 0 }))
    .toSorted((a, b) => b.workersMax - a.workersMax);
}

export const sumOf = (all: readonly { readonly workersMax: number }[]) =>
  all.reduce((sum, { workersMax }) => sum + workersMax, 0);

/** Most endpoints that a table lists by name. */
const MOST_ROWS = 15;

/** The shares and the quota as a table, the largest share first. */
export function shareTable(all: readonly Share[], quota: WorkerQuota): string {
  const nonZero = all.filter(({ workersMax }) => workersMax > 0);
  const rest = nonZero.slice(MOST_ROWS);
  const rows = [
    ...nonZero
      .slice(0, MOST_ROWS)
      .map(({ id, name, workersMax }) => [`${printableLine(name)} (${id})`, `${workersMax}`]),
    ...(rest.length === 0 ? [] : [[`${rest.length} more endpoints`, `${sumOf(rest)}`]]),
    ["sum", `${sumOf(all)}`],
    [quotaText(quota), `${quota.limit ?? "unknown"}`],
  ];
  return textTable([["endpoint", "most workers"], ...rows], [1]);
}

export function quotaText({ source }: WorkerQuota): string {
  return source === "balance" ? "quota, by the account's balance" : "quota of the account";
}
