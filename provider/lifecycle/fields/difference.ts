import type { FieldFacts } from "./fields";

/** One place where desired and recorded state differ. */
export interface Difference {
  /** Dotted path of the property, as the program spells it. */
  readonly path: string;
  /** The top-level argument that holds it. */
  readonly field: string;
  readonly old: unknown;
  readonly next: unknown;
  readonly replaces: boolean;
  readonly facts: FieldFacts;
  /** The resource does what it did, so its revision stays. */
  readonly keepsRevision?: true;
}
