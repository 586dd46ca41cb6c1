import type { z } from "zod";
import type { Client, Tolerant } from "../client";

/** A function that programs can invoke as `computecloud:index:<name>`; its name is that of its export. */
export interface FunctionDefinition<Args extends z.ZodObject = z.ZodObject, Result extends z.ZodObject = z.ZodObject> {
  readonly description: string;
  /** Checked before any call. Rules across arguments are refinements that name a path. */
  readonly args: Args;
  /** What it answers, for the package's schema. */
  readonly result: Result;
  /**
   * Properties of the answer, at any depth, that may hold credentials. Their values are hidden, unless the function's
   * argument `showSecrets` is true.
   */
  readonly secrets?: readonly string[];
  /** @throws ArgumentError for a mistake in the arguments that only the service's answer shows */
  call(client: Client, args: z.output<Args>, caller: Caller): Promise<Tolerant<z.output<Result>>>;
}

/** What a call knows of who called. */
export interface Caller {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Loads once in a run what calls with different arguments have in common. */
  share<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** A mistake in the arguments; the engine shows it as a failure of the property. */
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

/** A definition whose types are inferred from its schemas. */
export function defineFunction<Args extends z.ZodObject, Result extends z.ZodObject>(
  definition: FunctionDefinition<Args, Result>,
): FunctionDefinition<Args, Result> {
  return definition;
}
