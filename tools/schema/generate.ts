import { classes } from "./classes";
import { documents } from "./documents";
import { functions } from "./functions";
import { indexes } from "./indexes";
import { type PackageFacts, packageSchema } from "./packageSchema";
import { providerClass } from "./providerClass";

/** All files that are generated from the definitions: texts by path in the checkout, not yet formatted. */
export function generate(facts: PackageFacts): ReadonlyMap<string, string> {
  return new Map([
    ["schema.json", `${JSON.stringify(packageSchema(facts), undefined, 2)}\n`],
    ...indexes(),
    ["sdk/explicitProvider.ts", providerClass()],
    ...classes(),
    ...functions(),
    ...documents(),
  ]);
}
