import * as pulumi from "@pulumi/pulumi";
import { findPlugin, version } from "./findPlugin";

type AsInput<T> = pulumi.Input<
  T extends readonly (infer Item)[] ? AsInput<Item>[] : T extends object ? { [Key in keyof T]: AsInput<T[Key]> } : T
>;

/** A function's arguments, which may be outputs at any depth. */
export type OutputArgs<Args> = { [Key in keyof Args]: AsInput<Args[Key]> };

/** A function that takes no arguments. */
export type NoArgs = Record<string, never>;

export async function invoke<Result>(name: string, args: object, options?: pulumi.InvokeOptions): Promise<Result> {
  findPlugin();
  try {
    return await pulumi.runtime.invoke(token(name), { ...args }, { version, ...options });
  } catch (error) {
    throw failure(error);
  }
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
  return pulumi.runtime.invokeOutput<Result>(token(name), { ...args, ...fresh }, { version, ...options });
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
