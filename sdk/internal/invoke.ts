import * as pulumi from "@pulumi/pulumi";
import { findPlugin, version } from "./findPlugin";
import { isPlain } from "./resource";

type AsInput<T> = pulumi.Input<
  T extends readonly (infer Item)[] ? AsInput<Item>[] : T extends object ? { [Key in keyof T]: AsInput<T[Key]> } : T
>;

/** A function's arguments, which may be outputs at any depth. */
export type OutputArgs<Args> = { [Key in keyof Args]: AsInput<Args[Key]> };

/** A function that takes no arguments. */
export type NoArgs = Record<string, never>;

export async function invoke<Result>(name: string, args: object, options?: pulumi.InvokeOptions): Promise<Result> {
  findPlugin();
  const result: Result = await pulumi.runtime
    .invoke(token(name), { ...args }, { version, ...options })
    .catch((error: unknown) => {
      throw failure(error);
    });
  if (!isUnanswered(name, result)) return result;
  throw new pulumi.RunError(
    `${name} has no answer in this preview, because settings of its Provider are not known yet. Use ${name}Output.`,
  );
}

export function invokeOutput<Result>(
  name: string,
  args: object,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  findPlugin();
  // The plugin answers equal calls of a run once. A call that waits for resources must not get an answer from before
  // them.
  const fresh = options?.dependsOn === undefined ? {} : { __fresh: true };
  const answer = pulumi.runtime.invokeOutput<Result>(token(name), { ...args, ...fresh }, { version, ...options });
  if (!pulumi.runtime.isDryRun()) return answer;
  return answer.apply((result) => (isUnanswered(name, result) ? (pulumi.unknown as typeof result) : result));
}

/** Functions whose answer may have no members. */
export const MAY_BE_EMPTY: readonly string[] = ["getAccountLimits", "getServerlessDiscount"];

/** In a preview the engine itself answers `{}` while settings of the provider are not known. */
function isUnanswered(name: string, result: unknown): boolean {
  const isEmpty = isPlain(result) && Object.keys(result).length === 0;
  return isEmpty && pulumi.runtime.isDryRun() && !MAY_BE_EMPTY.includes(name);
}

/** An error with the engine's message only. Its stack is that of a callback, which leads nowhere in the program. */
function failure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const failure = new pulumi.RunError(error.message);
  failure.cause = error;
  failure.stack = "";
  return failure;
}

const token = (name: string): string => `computecloud:index:${name}`;
