import { isRecord } from "../../../common/json";
import { z } from "../../../common/zod";
import { bare } from "../../lifecycle/fields/fields";
import { ownMember } from "../../lifecycle/fields/values";

/**
 * Renames keys to the schema's spelling, at any depth. Python's SDK passes on dictionaries within a function's arguments
 * as the program wrote them, and its types say `gpu_ids`.
 */
export function withSchemaKeys(value: unknown, schema: z.core.$ZodType | undefined): unknown {
  const plain = schema && bare(schema);
  if (Array.isArray(value)) {
    const element = plain instanceof z.ZodArray ? plain.element : undefined;
    return value.map((each) => withSchemaKeys(each, element));
  }
  if (!isRecord(value) || !(plain instanceof z.ZodObject)) return value;
  const isKnown = (key: string) => Object.hasOwn(plain.shape, key);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const other = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const name = !isKnown(key) && isKnown(other) && !Object.hasOwn(value, other) ? other : key;
      return [name, withSchemaKeys(member, ownMember(plain.shape, name))];
    }),
  );
}
