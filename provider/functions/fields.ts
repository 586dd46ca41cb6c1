import { z } from "zod";

/** Names of the object types in the package's schema; an object without one is named after the property that holds it. */
export const typeNames = new WeakMap<z.core.$ZodType, string>();

/** The schema, named in the package's schema. */
export function named<Schema extends z.core.$ZodType>(name: string, schema: Schema): Schema {
  typeNames.set(schema, name);
  return schema;
}

/** Id of what a function is asked about. */
export const id = (of: string) => z.string().min(1).describe(`Id of the ${of}.`);

/** Of functions whose answers may hold credentials. */
export const showSecrets = z
  .boolean()
  .optional()
  .describe(
    "Shows the values of environment variables, which are hidden otherwise. As an output, the answer is then a secret; " +
      "as a promise it is in clear. Default false.",
  );
