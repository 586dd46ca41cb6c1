import { JobOutputError } from "./errors";

/** The interface of the Standard Schema specification (https://standardschema.dev), as zod, valibot and arktype have it. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * A job's output as the caller's schema returns it; without a schema, unchanged.
 *
 * @throws JobOutputError
 */
export async function typedOutput<Output>(
  jobId: string,
  output: unknown,
  schema: StandardSchema<Output> | undefined,
): Promise<Output> {
  if (schema === undefined) return output as Output;
  const result = await schema["~standard"].validate(output);
  if (result.issues === undefined) return result.value;
  throw new JobOutputError(jobId, output, result.issues.map(issueText));
}

function issueText({ path = [], message }: StandardIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
