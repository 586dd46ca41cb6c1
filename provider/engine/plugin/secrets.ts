import { z } from "zod";
import { bare, factsOf } from "../../lifecycle/fields";
import { isObject } from "../../lifecycle/values";
import { either, type Secrecy } from "./values";

/** What of a value is always secret, by the facts of its schema, at any depth. */
export function secretsIn(schema: z.core.$ZodType, value: unknown): Secrecy | undefined {
  if (factsOf(schema).secret) return true;
  const plain = bare(schema);
  if (Array.isArray(value)) return plain instanceof z.ZodArray ? parts(value, () => plain.element) : undefined;
  if (!isObject(value)) return undefined;
  if (plain instanceof z.ZodObject) return parts(value, (key) => plain.shape[key]);
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
