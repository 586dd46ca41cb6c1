import type { Bench } from "../bench";

/** Tries one fact. Returns if it holds. @throws Differs, or Untried when it could not be tried */
export type Run = (bench: Bench) => Promise<void>;

export interface Trial {
  /** The most that it costs, in USD, if everything that it makes exists for an hour. */
  readonly usd: number;
  readonly run: Run;
}

/** Trials that make only resources without a price. */
export const free = <Id extends string>(runs: Readonly<Record<Id, Run>>): Record<Id, Trial> =>
  Object.fromEntries(Object.entries<Run>(runs).map(([id, run]) => [id, { usd: 0, run }])) as Record<Id, Trial>;
