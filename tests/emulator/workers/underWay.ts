import type { Timer } from "../clock";

/** A handler under way. */
export interface Run {
  readonly controller: AbortController;
  /** Ends it when it takes too long. */
  readonly limit: Timer | undefined;
}

/** When each endpoint must be looked at next. */
export type Looks = Map<string, { readonly due: number; readonly timer: Timer }>;
