import { isDeepStrictEqual } from "node:util";
import type { AnyDefinition } from "./definitions";
import type { Field } from "./model";

/** What users read about an argument: description, default and the effect of a change. */
export function argumentText(field: Field, { nested }: { readonly nested: boolean }): string {
  return [
    field.description,
    defaultText(field),
    ...factTexts(field),
    replacementText(field),
    nested ? undefined : effectText(field),
  ]
    .filter((text) => text !== undefined)
    .join(" ");
}

/** The same for a table, where default and effect have columns of their own. */
export function argumentCells(
  field: Field,
  { nested }: { readonly nested: boolean },
): { readonly text: string; readonly byDefault: string; readonly change: string } {
  const { description = "", facts } = field;
  const sentences = [description, defaultText(field), ...factTexts(field)]
    .filter((text) => text !== undefined)
    .join(" ");
  const [whole = "", byDefault = ""] = / ?\bDefault:? ((?:`[^`]*`|[^.`])+)\.(?= |$)/.exec(sentences) ?? [];
  const change = facts.replaces !== undefined || facts.shrinkReplaces ? "**replaces**" : "";
  const replacement = facts.replaces === "any" ? undefined : replacementText(field);
  return {
    text: [sentences.replace(whole, "").trim(), replacement].filter(Boolean).join(" "),
    byDefault,
    change: change || (nested || facts.control || facts.trigger ? "" : "in place"),
  };
}

/** The vendor's page about the operation that creates a kind. */
export const sourceAddress = ({ page }: AnyDefinition["source"]): string => `https://docs.runpod.io/${page}`;

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
  if (byDefault === "" || isDeepStrictEqual(byDefault, []) || isDeepStrictEqual(byDefault, {})) return "Default: none.";
  if (typeof byDefault === "object") return undefined;
  return typeof byDefault === "string" ? `Default \`${byDefault}\`.` : `Default ${byDefault}.`;
}

function factTexts({ facts, members }: Field): (string | undefined)[] {
  const names = members.map((name) => `\`${name}\``).join(", ");
  return [
    facts.json && `A JSON text in languages other than TypeScript${names && `, with ${names}`}.`,
    facts.unordered && "Another order is not a change.",
    facts.writeOnly &&
      (facts.dated
        ? "Write-only: a change made elsewhere is seen, but not the value."
        : "Write-only: changes made elsewhere are not seen."),
    facts.secret && "Always a secret.",
    facts.secretParts && `A secret if it has ${facts.secretParts.map((path) => `\`${path}\``).join(" or ")}.`,
    facts.growsOnly !== undefined && "Grows in place; shrinking is refused, because it would lose the data.",
  ].map((text) => text || undefined);
}

function replacementText({ facts }: Field): string | undefined {
  if (facts.replaces === "any") return "Changing it replaces.";
  if (facts.replaces === "presence") return "Setting or removing it replaces.";
  if (facts.replaces === "removal") return "Removing it replaces.";
  return facts.shrinkReplaces ? "Grows in place; a smaller one replaces." : undefined;
}

function effectText({ description = "", facts }: Field): string | undefined {
  const saysOtherwise = facts.replaces !== undefined || facts.growsOnly !== undefined || facts.trigger;
  if (facts.control) return /changes nothing/.test(description) ? undefined : "Changing it alone updates nothing.";
  return saysOtherwise ? undefined : "Updates in place.";
}
