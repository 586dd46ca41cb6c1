import type { Client, Tolerant } from "../../client";
import { z } from "../../common/zod";
import type { Caller } from "../cost/caller";

/** A function that programs can invoke as `computecloud:index:<name>`. Its name is the name of its export. */
export interface FunctionDefinition<Args extends z.ZodObject = z.ZodObject, Result extends z.ZodObject = z.ZodObject> {
  readonly description: string;
  /** Checked before any call. Rules across arguments are refinements that name a path. */
  readonly args: Args;
  /** The answer, for the package's schema. */
  readonly result: Result;
  /**
   * Properties of the answer, at any depth, that may hold credentials. Their values are hidden, unless the function's
   * argument `showSecrets` is true.
   */
  readonly secrets?: readonly string[];
  /** @throws ArgumentError for a wrong argument that only the service's answer reveals */
  call(client: Client, args: z.output<Args>, caller: Caller): Promise<Tolerant<z.output<Result>>>;
}

/** Returns its argument; lets the compiler infer the types from the schemas. */
export function defineFunction<Args extends z.ZodObject, Result extends z.ZodObject>(
  definition: FunctionDefinition<Args, Result>,
): FunctionDefinition<Args, Result> {
  return definition;
}

/** The id argument of a function. */
export const id = (of: string) => z.string().min(1).describe(`Id of the ${of}.`);

/** An argument of functions whose answers may contain credentials. */
export const showSecrets = z
  .boolean()
  .optional()
  .describe(
    "Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is then a secret; the promise's is plain text. Default: false.",
  );
