/**
 * USD a month of 730 hours. `min` is for what is always on, in the first pool or GPU type that the arguments name; `max` is the
 * most that the arguments allow. Workers by a schedule count as in its most expensive window, all month.
 */
export interface MonthlyCost {
  readonly min: number;
  readonly max: number;
  /** The GPU types, pools or CPU flavors that make up `max`, where they are not the first that the arguments name. */
  readonly dearest?: readonly string[];
}

/** A resource as policies, previews and states show it. */
export interface Resource {
  /** The native type, such as `computecloud:index:Pod`, or the dynamic resource's type. */
  readonly type: string;
  /** Its arguments. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly name?: string;
  /** By argument: the resources that its value depends on, as policies show them. A template's disk is read from here. */
  readonly propertyDependencies?: Readonly<Record<string, readonly Resource[]>>;
}

/** The user's own prices, by GPU type, pool, CPU flavor or volume tier. They override the catalog's. */
export type OwnPrices = Readonly<Record<string, number>>;

/** The total cost of resources. */
export interface MonthlySum extends MonthlyCost {
  /** Resources with a known price, the most expensive first. */
  readonly resources: readonly (MonthlyCost & { readonly resource: Resource })[];
  /** Resources with an unknown price, and the reason. They are not in the sum. */
  readonly unknown: readonly { readonly resource: Resource; readonly reason: string }[];
}
