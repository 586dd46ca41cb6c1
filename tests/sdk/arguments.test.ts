import { expect, test } from "@jest/globals";
import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { definitions } from "../../provider/resources";
import type * as sdk from "../../sdk";
import type { gatedEndpoint } from "../../tools/schema/components";

/** A value of a program's arguments, as the provider gets it. */
type Plain<T> = T extends pulumi.OutputInstance<unknown> | Promise<unknown>
  ? never
  : string extends T
    ? string
    : T extends string | number | boolean | undefined
      ? T
      : T extends readonly (infer Item)[]
        ? Plain<Item>[]
        : { [Key in keyof T]: Plain<T[Key]> };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type WithoutUndefined<T> = T extends readonly (infer Item)[]
  ? WithoutUndefined<Item>[]
  : T extends object
    ? { [Key in keyof T]: WithoutUndefined<Exclude<T[Key], undefined>> }
    : T;

/**
 * True when a class takes exactly what the schema of its kind takes, save a `template` in the place of its id, and
 * `verify`, which reaches the provider as a text.
 */
type Matches<Args, Definition extends { inputs: z.ZodType }> = Same<
  WithoutUndefined<Plain<Omit<Args, "adoptId" | "template" | "verify">>>,
  WithoutUndefined<Plain<Omit<z.input<Definition["inputs"]>, "verify">>>
>;

type Sdk = typeof sdk;
type Definitions = typeof definitions;
type ArgsOf<Class> = Class extends new (name: string, args: infer Args, ...rest: never[]) => unknown ? Args : never;

/** A fleet's class takes a `template` in every member. */
type SameMembers = Same<
  WithoutUndefined<Plain<Omit<sdk.FleetEndpointArgs, "template">>>,
  WithoutUndefined<Plain<z.input<Definitions["serverlessFleet"]["inputs"]>["endpoints"][string]>>
>;

/** Looked at by themselves; and the smoke tests' classes take plain values for what their kinds have as JSON texts. */
type Apart = "serverlessFleet" | "smokeJob" | "smokeRequest";

/** The kinds whose classes take something else. */
type Different = {
  [Kind in Exclude<keyof Definitions, Apart>]: Capitalize<Kind> extends keyof Sdk
    ? Matches<ArgsOf<Sdk[Capitalize<Kind>]>, Definitions[Kind]> extends true
      ? never
      : Kind
    : Kind;
}[Exclude<keyof Definitions, Apart>];

type GatedInputs = z.input<(typeof gatedEndpoint)["inputs"]>;
type GatedOutputs = z.output<(typeof gatedEndpoint)["outputs"]>;

test("a gated endpoint's class takes and shows what other languages take and see", () => {
  const sameNames: [
    Same<keyof sdk.GatedEndpointArgs, keyof GatedInputs | "adoptId">,
    Same<keyof sdk.MeasuringGateArgs, keyof GatedInputs["gate"]>,
    Same<keyof sdk.GateArgs, keyof Extract<GatedInputs["verify"], object>>,
    Same<Exclude<keyof sdk.GatedEndpoint, keyof pulumi.ComponentResource | "id">, keyof GatedOutputs>,
  ] = [true, true, true, true];
  expect(sameNames).not.toContain(false);
});

test("arguments in the sdk are those of the provider's schema, for every kind", () => {
  // Whoever breaks it finds the kinds' names in the compiler's error.
  const none: [Different] extends [never] ? "all the same" : Different = "all the same";
  expect(none).toBe("all the same");
  const sameMembers: SameMembers = true;
  expect(sameMembers).toBe(true);
});
