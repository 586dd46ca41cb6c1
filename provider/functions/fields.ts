import { z } from "../../common/zod";

/** The id argument of a function. */
export const id = (of: string) => z.string().min(1).describe(`Id of the ${of}.`);

/** An argument of functions whose answers may contain credentials. */
export const showSecrets = z
  .boolean()
  .optional()
  .describe(
    "Whether to show the values of environment variables, which are otherwise hidden. The answer of the output form is then a secret; the promise's is plain text. Default: false.",
  );
