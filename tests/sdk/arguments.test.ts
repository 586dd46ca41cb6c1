import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import type { cluster } from "../../provider/resources/cluster";
import type { ecrDelegation } from "../../provider/resources/ecrDelegation";
import type { networkVolume } from "../../provider/resources/networkVolume";
import type { pod } from "../../provider/resources/pod";
import type { registry } from "../../provider/resources/registry";
import type { serverlessContainer } from "../../provider/resources/serverlessContainer";
import type { serverlessEndpoint } from "../../provider/resources/serverlessEndpoint";
import type { sshKeys } from "../../provider/resources/sshKeys";
import type { template } from "../../provider/resources/template";
import type * as sdk from "../../sdk";

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

/** True when a class takes exactly what the schema of its kind takes, a `template` in the place of its id aside. */
type Matches<Args, Definition extends { inputs: z.ZodType }> = Same<
  WithoutUndefined<Plain<Omit<Args, "adoptId" | "template">>>,
  WithoutUndefined<Plain<z.input<Definition["inputs"]>>>
>;

// Checked by the compiler: a field that stands on one side alone makes `true` unassignable.
const matching: {
  cluster: Matches<sdk.ClusterArgs, typeof cluster>;
  ecrDelegation: Matches<sdk.EcrDelegationArgs, typeof ecrDelegation>;
  networkVolume: Matches<sdk.NetworkVolumeArgs, typeof networkVolume>;
  pod: Matches<sdk.PodArgs, typeof pod>;
  registry: Matches<sdk.RegistryArgs, typeof registry>;
  serverlessContainer: Matches<sdk.ServerlessContainerArgs, typeof serverlessContainer>;
  serverlessEndpoint: Matches<sdk.ServerlessEndpointArgs, typeof serverlessEndpoint>;
  sshKeys: Matches<sdk.SshKeysArgs, typeof sshKeys>;
  template: Matches<sdk.TemplateArgs, typeof template>;
} = {
  cluster: true,
  ecrDelegation: true,
  networkVolume: true,
  pod: true,
  registry: true,
  serverlessContainer: true,
  serverlessEndpoint: true,
  sshKeys: true,
  template: true,
};

const folder = join(__dirname, "../../sdk");

describe("arguments in the sdk", () => {
  test("are those of the provider's schema, for every kind", () => {
    const kinds = readdirSync(join(__dirname, "../../provider/resources"))
      .map((file) => file.replace(".ts", ""))
      .filter((kind) =>
        readFileSync(join(__dirname, "../../provider/index.ts"), "utf8").includes(`export const ${kind} `),
      )
      .filter((kind) => kind !== "smokeJob");
    expect(Object.keys(matching)).toEqual(kinds);
  });

  test.each(Object.keys(matching))("of %s announce every declared output to the engine", (kind) => {
    const source = readFileSync(join(folder, `${kind}.ts`), "utf8");
    const declared = [...source.matchAll(/declare readonly (\w+):/g)].map(([, name]) => name);
    const [, announced = ""] = /outputs: \[([^\]]*)\]/.exec(source) ?? [];
    expect([...announced.matchAll(/"(\w+)"/g)].map(([, name]) => name)).toEqual(declared);
  });
});
