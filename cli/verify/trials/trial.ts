import type { Bench } from "../bench";
import type { FactId } from "../facts";

/** Tries one fact. Returns if it holds. @throws Differs, or Untried when it could not be tried */
export type Trial = (bench: Bench) => Promise<void>;

export type Trials = { readonly [Id in FactId]?: Trial };
