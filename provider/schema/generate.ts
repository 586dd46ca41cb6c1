import { classes } from "./classes";
import { functions } from "./functions";
import { type PackageFacts, packageSchema } from "./packageSchema";

/** All that is made from the definitions: texts by path in the checkout, not yet formatted. */
export function generate(facts: PackageFacts): ReadonlyMap<string, string> {
  return new Map([
    ["schema.json", `${JSON.stringify(packageSchema(facts), undefined, 2)}\n`],
    ...classes(),
    ...functions(),
  ]);
}
