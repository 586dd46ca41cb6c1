/** The context of a call. */
export interface Caller {
  /** Aborted when nobody waits for the answer anymore. */
  readonly signal: AbortSignal;
  /** Loads data that several calls need, once per run. */
  share<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** A wrong argument. The engine shows it as a failure of the property. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
  constructor(
    /** Dotted path. */
    readonly property: string,
    readonly reason: string,
  ) {
    super(`${property}: ${reason}`);
  }
}
