import type { Bench } from "../bench";

/** Tries one fact: ends well where it holds, throws Differs or Untried otherwise. */
export type Run = (bench: Bench) => Promise<void>;

export interface Trial {
  /** What it costs at most, in USD, all that it makes kept for an hour. */
  readonly usd: number;
  readonly run: Run;
}

/** Trials that make nothing which costs. */
export const free = <Id extends string>(runs: Readonly<Record<Id, Run>>): Record<Id, Trial> =>
  Object.fromEntries(Object.entries<Run>(runs).map(([id, run]) => [id, { usd: 0, run }])) as Record<Id, Trial>;
