import type { Properties } from "../lifecycle/values";

/** A resource that exists, as a program would declare it. */
export interface Adoptable {
  readonly kind: string;
  readonly id: string;
  /** As the service shows it; empty where it has none. */
  readonly name: string;
  /** Arguments without what may be left out. Secrets are `Secret`s. */
  readonly args: Properties;
  /** It holds data or serves: no run may delete it before somebody has said so. */
  readonly protect: boolean;
  /** What the first `up` would change, in words; no values. */
  readonly differences: readonly string[];
}

/** A value that may stand in no file. */
export class SecretValue {
  /** @param value undefined: the service never shows it */
  constructor(readonly value: string | undefined) {}
}
