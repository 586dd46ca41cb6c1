import { z } from "zod";

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
