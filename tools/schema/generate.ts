import { classes } from "./classes";
import { documents } from "./documents";
import { functions } from "./functions";
import { indexes } from "./indexes";
import { type PackageFacts, packageSchema } from "./packageSchema";
import { providerClass } from "./providerClass";

/** What the definitions make for the checkout: texts by path, not yet formatted. */
export function generate(facts: PackageFacts): ReadonlyMap<string, string> {
  return new Map([
    ["schema.json", `${JSON.stringify(packageSchema(facts), undefined, 2)}\n`],
    ...indexes(),
    ...documents(),
  ]);
}

/** What programs import: texts by path. Every build makes them, so that no copy stands in the repository. */
export function generateSdk(): ReadonlyMap<string, string> {
  return new Map([["sdk/generated/explicitProvider.ts", providerClass()], ...classes(), ...functions()]);
}
