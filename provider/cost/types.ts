/** USD a month of 730 hours: what is billed whatever happens, and the most that it can come to. */
export interface MonthlyCost {
  readonly min: number;
  readonly max: number;
}

/** A resource as policies, previews and states show it. */
export interface Resource {
  /** `computecloud:index:Pod`, or the dynamic resource's. */
  readonly type: string;
  /** Its arguments. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly name?: string;
  /** By argument the resources that it comes from, as policies show them: a template tells the container disk. */
  readonly propertyDependencies?: Readonly<Record<string, readonly Resource[]>>;
}

/** Prices of one's own in place of the catalog's, by what the arguments name. */
export type OwnPrices = Readonly<Record<string, number>>;

/** What resources cost together. */
export interface MonthlySum extends MonthlyCost {
  /** Those that have a price, the dearest first. */
  readonly resources: readonly (MonthlyCost & { readonly resource: Resource })[];
  /** Those that have one which can't be told, and why: no part of the sum. */
  readonly unknown: readonly { readonly resource: Resource; readonly reason: string }[];
}
