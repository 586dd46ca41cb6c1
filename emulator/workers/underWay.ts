import type { Timer } from "../clock";

export interface Run {
  readonly controller: AbortController;
  /** Ends it when it takes too long. */
  readonly limit: Timer | undefined;
}

/** When each endpoint must be reconciled next. */
export type Looks = Map<string, { readonly due: number; readonly timer: Timer }>;
