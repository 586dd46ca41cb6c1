/* The sdk writes its types out, for readers and for the speed of the compiler; here they are held to the definitions. */
import { expect, test } from "@jest/globals";
import type { z } from "zod";
import type { FunctionDefinition } from "../../provider/functions/definition";
import type * as sdk from "../../sdk";

type Definitions = typeof import("../../provider/functions/account") &
  typeof import("../../provider/functions/billing") &
  typeof import("../../provider/functions/catalog") &
  typeof import("../../provider/functions/fleet") &
  typeof import("../../provider/functions/pickGpu");

type ArgsOf<D> = D extends FunctionDefinition<infer Args, z.ZodObject> ? z.input<Args> : never;
type ResultOf<D> = D extends FunctionDefinition<z.ZodObject, infer Result> ? z.output<Result> : never;

type OptionalKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];

/** Optional properties apart, so that `x?: T` equals `x?: T | undefined`; a text with known values is a text. */
type Plain<T> = string extends T
  ? string
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? {
          required: { [Key in Exclude<keyof T, OptionalKeys<T>>]: Plain<T[Key]> };
          optional: { [Key in OptionalKeys<T>]-?: Plain<Exclude<T[Key], undefined>> };
        }
      : T;

type Same<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false;

type Sdk = typeof sdk;
type NoArgs = Record<string, never>;

/** The functions whose types in the sdk are others than the definition's. */
type Different = {
  [Name in keyof Definitions & keyof Sdk]: Sdk[Name] extends (
    args: infer Args,
    ...rest: never[]
  ) => Promise<infer Result>
    ? Same<Result, ResultOf<Definitions[Name]>> extends true
      ? [Exclude<Args, undefined>] extends [NoArgs]
        ? never
        : Same<Exclude<Args, undefined>, ArgsOf<Definitions[Name]>> extends true
          ? never
          : Name
      : Name
    : Name;
}[keyof Definitions & keyof Sdk];

test("the types of the sdk's functions are those of their definitions", () => {
  // Whoever breaks it finds the functions' names in the compiler's error.
  const none: [Different] extends [never] ? "all the same" : Different = "all the same";
  expect(none).toBe("all the same");
});
