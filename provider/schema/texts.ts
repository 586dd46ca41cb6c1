import type { AnyDefinition } from "./definitions";
import type { Field } from "./model";

/** What users read about an argument: description, default and the effect of a change. */
export function argumentText(field: Field, { nested }: { readonly nested: boolean }): string {
  if (field.renamedTo !== undefined) return deprecation(field.renamedTo);
  return [field.description, defaultText(field), ...factTexts(field), nested ? undefined : effectText(field)]
    .filter((text) => text !== undefined)
    .join(" ");
}

/** `argumentText` as a comment in TypeScript, with the tag for an old name. */
export function argumentComment(field: Field, options: { readonly nested: boolean }): string {
  const text = argumentText(field, options);
  return field.renamedTo === undefined ? text : `@deprecated ${text}`;
}

/** What users read about an old name of an argument. */
export function deprecation(renamedTo: string): string {
  return `It is called ${renamedTo} now.`;
}

/** The vendor's page about the operation that creates a kind. */
export function sourceAddress({ page }: AnyDefinition["source"]): string {
  return `https://docs.runpod.io/${page}`;
}

/** The operation that creates a kind, with a link to the vendor's page. */
export function sourceText(source: AnyDefinition["source"]): string {
  return `The service's operation: [\`${source.operation}\`](${sourceAddress(source)}).`;
}

/** What users read about an output. */
export function outputText({ description = "", facts }: Field): string {
  return facts.secret ? `${description} A secret.`.trim() : description;
}

function defaultText({ byDefault }: Field): string | undefined {
  if (byDefault === undefined) return undefined;
  if (typeof byDefault === "object" || byDefault === "") return isEmpty(byDefault) ? "Default: none." : undefined;
  return typeof byDefault === "string" ? `Default \`${byDefault}\`.` : `Default ${byDefault}.`;
}

function factTexts({ facts }: Field): (string | undefined)[] {
  return [
    facts.unordered && "Another order is not a change.",
    facts.writeOnly &&
      (facts.dated
        ? "Write-only: a change made elsewhere is seen, but not the value."
        : "Write-only: changes made elsewhere are not seen."),
    facts.secret && "Always a secret.",
    facts.replaces === "any" && "Changing it replaces.",
    facts.replaces === "presence" && "Setting or removing it replaces.",
    facts.replaces === "removal" && "Removing it replaces.",
    facts.growsOnly !== undefined && "Grows in place; shrinking is refused, because it would lose the data.",
    facts.shrinkReplaces && "Grows in place; a smaller one replaces.",
  ].map((text) => text || undefined);
}

function effectText({ description = "", facts }: Field): string | undefined {
  const said = facts.replaces !== undefined || facts.growsOnly !== undefined || facts.trigger;
  if (facts.control) return /changes nothing/.test(description) ? undefined : "Changing it alone updates nothing.";
  return said ? undefined : "Updates in place.";
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
