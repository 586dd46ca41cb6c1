import type { Properties } from "../lifecycle/values";

/** A resource that exists, as a program would declare it. */
export interface Found {
  readonly kind: string;
  readonly id: string;
  /** As the service shows it; empty where it has none. */
  readonly name: string;
  /** Arguments without what may be left out. Secrets are `Secret`s. */
  readonly args: Properties;
  /** What the first `up` would change, in words; no values. */
  readonly differences: readonly string[];
}

/** A value that may stand in no file. */
export class Secret {
  /** @param value undefined: the service never shows it */
  constructor(readonly value: string | undefined) {}
}
