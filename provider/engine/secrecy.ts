import { z } from "zod";
import { MASK } from "../client/text/redact";
import { markedSecrets } from "../lifecycle/definition";
import { bare, factsOf } from "../lifecycle/fields";
import { withNewNames } from "../lifecycle/newNames";
import { isObject, ownMember, type Properties } from "../lifecycle/values";

/** What of a value is a secret: the whole, or what lies under these keys. */
export type Secrecy = true | { readonly [key: string]: Secrecy };

/** What either of two says is secret. */
export function either(one: Secrecy | undefined, other: Secrecy | undefined): Secrecy {
  if (one === true || other === true) return true;
  const keys = Object.keys({ ...one, ...other });
  return Object.fromEntries(
    keys.map((key) => [key, either(one && ownMember(one, key), other && ownMember(other, key))]),
  );
}

/** What of a value is always secret, by the facts of its schema, at any depth. */
export function secretsIn(schema: z.core.$ZodType, value: unknown): Secrecy | undefined {
  if (factsOf(schema).secret) return true;
  const plain = bare(schema);
  if (Array.isArray(value)) return plain instanceof z.ZodArray ? parts(value, () => plain.element) : undefined;
  if (!isObject(value)) return undefined;
  if (plain instanceof z.ZodObject) return parts(value, (key) => ownMember(plain.shape, key));
  if (plain instanceof z.ZodRecord) return parts(value, () => plain.valueType);
  return undefined;
}

function parts(value: object, schemaOf: (key: string) => z.core.$ZodType | undefined): Secrecy | undefined {
  const found = Object.entries(value).flatMap(([key, member]): [string, Secrecy][] => {
    const schema = schemaOf(key);
    const secrecy = schema && secretsIn(schema, member);
    return secrecy === undefined ? [] : [[key, secrecy]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** What is secret among the defaults of what a resource keeps is secret in each of those that they became part of. */
export function inherited(secrecy: Secrecy, keeps: string, kept: unknown): Secrecy {
  if (secrecy === true || secrecy.defaults === undefined || !isObject(kept)) return secrecy;
  const { defaults } = secrecy;
  return either(secrecy, { [keeps]: Object.fromEntries(Object.keys(kept).map((key) => [key, defaults])) });
}

/**
 * What a dynamic resource may hand to the engine, which encrypts a part of it only where the same part of the arguments, or
 * in a refresh of the state before, is a secret. A secret that has no such part is hidden: that of a fleet's member which the
 * program no longer declares and which could not be deleted, or a dropped variable of one that could not be changed. The mask
 * equals nothing that is declared, so that the next run declares it anew.
 *
 * @param marked what the engine goes by
 */
export function hideUnmarked(inputs: z.ZodObject, values: Properties, marked: Properties): Properties {
  const secrecy = secretsIn(inputs, values);
  // What is secret as a whole, the class has told the engine.
  const nested = Object.entries(secrecy ?? {}).filter(([, part]) => part !== true);
  return membersShown(values, Object.fromEntries(nested), marked);
}

function membersShown(values: Properties, secrecy: Secrecy, marked: unknown): Properties {
  const before = isObject(marked) ? marked : {};
  const known = markedSecrets(before);
  const isMarked = (key: string) => {
    const mark = ownMember(before, key);
    return mark !== undefined && mark !== MASK;
  };
  const unmarked = markedSecrets(values).filter((name) => !known.includes(name) || !isMarked(String(name)));
  const shown = Object.entries(values).map(([key, value]): [string, unknown] => {
    if (unmarked.includes(key)) return [key, MASK];
    const part = secrecy === true || ownMember(secrecy, key);
    if (isObject(value)) return [key, membersShown(value, part ?? {}, ownMember(before, key))];
    return [key, part === true && !isMarked(key) ? MASK : value];
  });
  return Object.fromEntries(shown);
}

/**
 * The texts and numbers that are secrets of a resource, by the facts of its fields and by the marks that the class gave:
 * what no message may quote.
 */
export function secretTexts(kind: { inputs: z.ZodObject; outputs: z.ZodObject }, values: Properties): string[] {
  const schema = z.object({ ...kind.inputs.shape, ...kind.outputs.shape });
  const renamed = withNewNames(kind.inputs, values);
  return textsIn(renamed, secretsIn(schema, renamed));
}

function textsIn(value: unknown, secrecy: Secrecy | undefined): string[] {
  if (typeof value === "string" || typeof value === "number") return secrecy === true ? [String(value)] : [];
  if (value === null || typeof value !== "object") return [];
  const marked = isObject(value) ? markedSecrets(value) : [];
  return Object.entries(value).flatMap(([key, member]) =>
    textsIn(member, secrecy === true || marked.includes(key) || (secrecy && ownMember(secrecy, key))),
  );
}
