import { isRecord, parseJson } from "../../common/json";
import { MASK, secretVariables } from "../../common/redact";
import { z } from "../../common/zod";
import { markedSecrets } from "../lifecycle/definition";
import { bare, factsOf, secretFields } from "../lifecycle/fields/fields";
import { isUnknown } from "../lifecycle/fields/unknown";
import { ownMember, type Properties, valueAt } from "../lifecycle/fields/values";

/** Which parts of a value are secret: all of it, or what lies under these keys. */
export type Secrecy = true | { readonly [key: string]: Secrecy };

/** What at least one of two marks as secret. */
export function either(one: Secrecy | undefined, other: Secrecy | undefined): Secrecy {
  if (one === true || other === true) return true;
  const keys = Object.keys({ ...one, ...other });
  return Object.fromEntries(
    keys.map((key) => [key, either(one && ownMember(one, key), other && ownMember(other, key))]),
  );
}

/** Parts of a value that the facts of its schema declare secret, at any depth. */
export function secretsIn(schema: z.core.$ZodType, value: unknown): Secrecy | undefined {
  const { secret, secretParts } = factsOf(schema);
  if (secret || (secretParts && holdsSecret(value, secretParts))) return true;
  const plain = bare(schema);
  if (plain instanceof z.ZodUnion) return plain.options.map((option) => secretsIn(option, value)).reduce(either);
  if (Array.isArray(value)) return plain instanceof z.ZodArray ? parts(value, () => plain.element) : undefined;
  if (!isRecord(value)) return undefined;
  if (plain instanceof z.ZodObject) {
    const names = secretFields(plain).filter((key) => Object.hasOwn(value, key));
    return parts(Object.fromEntries(names.map((key) => [key, value[key]])), (key) => plain.shape[key]);
  }
  if (plain instanceof z.ZodRecord) return parts(value, () => plain.valueType);
  return undefined;
}

/** Whether a JSON text has a secret at one of the paths. One that can't be read may hold anything. */
function holdsSecret(text: unknown, paths: readonly string[]): boolean {
  if (typeof text !== "string" || isUnknown(text)) return false;
  const value = parseJson(text);
  return value === undefined || paths.some((path) => valueAt(value, path.split(".")) !== undefined);
}

function parts(value: object, schemaOf: (key: string) => z.core.$ZodType | undefined): Secrecy | undefined {
  const secretParts = Object.entries(value).flatMap(([key, member]): [string, Secrecy][] => {
    const schema = schemaOf(key);
    const secrecy = schema && secretsIn(schema, member);
    return secrecy === undefined ? [] : [[key, secrecy]];
  });
  return secretParts.length === 0 ? undefined : Object.fromEntries(secretParts);
}

/** Adds to a fleet's secrets what its members take from `defaults`. A default that is secret is secret in every member. */
export function inherited(secrecy: Secrecy, keeps: string, members: unknown): Secrecy {
  if (secrecy === true || secrecy.defaults === undefined || !isRecord(members)) return secrecy;
  const { defaults } = secrecy;
  return either(secrecy, { [keeps]: Object.fromEntries(Object.keys(members).map((key) => [key, defaults])) });
}

/**
 * The values that a dynamic resource may hand to the engine. The engine encrypts an output only where the same part of
 * the arguments is a secret; in a refresh, of the state before. Any other secret is masked here, or the state would hold
 * it in clear. That happens with a fleet's member that the program no longer declares and that could not be deleted. It
 * also happens with a dropped variable of a member that could not be changed.
 *
 * The mask equals no declared value, so the next run sends that value again.
 *
 * @param marked values whose secrets the engine knows: the arguments, or in a refresh the state before
 */
export function hideUnmarked(inputs: z.ZodObject, values: Properties, marked: Properties): Properties {
  return hideUnmarkedMembers(values, secretsIn(inputs, values) ?? {}, marked);
}

function hideUnmarkedMembers(values: Properties, secrecy: Secrecy, marked: unknown): Properties {
  const before = isRecord(marked) ? marked : {};
  const markedNames = markedSecrets(before);
  const isMarked = (key: string) => {
    const mark = ownMember(before, key);
    return mark !== undefined && mark !== MASK;
  };
  const unmarked = markedSecrets(values).filter((name) => !markedNames.includes(name) || !isMarked(String(name)));
  const members: [string, unknown][] = [];
  for (const [key, value] of Object.entries(values)) {
    const part = secrecy === true || (Object.hasOwn(secrecy, key) && secrecy[key]);
    // mutant unmarked-secrets-recorded: false
    const isHidden = unmarked.includes(key) || (part === true && !isRecord(value) && !isMarked(key));
    const inner = isRecord(value) ? hideUnmarkedMembers(value, part || {}, ownMember(before, key)) : value;
    members.push([key, isHidden ? MASK : inner]);
  }
  return Object.fromEntries(members);
}

/**
 * The texts and numbers that are secrets of a resource, by the facts of its fields and by the marks of its class or of the
 * engine. No message may quote them. Every variable is encrypted; of those that the program did not mark, only values that
 * look like secrets are hidden.
 */
export function secretTexts(
  shape: z.core.$ZodShape,
  { values, secrecy }: { readonly values: Properties; readonly secrecy?: Secrecy | undefined },
): string[] {
  const marked = markedSecrets(values);
  return Object.entries(values).flatMap(([key, value]) => {
    const isMarked = secrecy === true || marked.includes(key);
    if (key === "env" && !isMarked) return variableTexts(value, marked);
    const field = ownMember(shape, key);
    const ofEngine = secrecy === true ? true : secrecy && ownMember(secrecy, key);
    if (field === undefined || isMarked) return secretTextsIn(value, isMarked || ofEngine);
    // Of a JSON text only its secret parts: the others tell what went wrong.
    const { json, secretParts } = factsOf(field);
    if (json && secretParts && typeof value === "string") {
      const plain = parseJson(value);
      return secretTextsIn(plain, secretsIn(json, plain));
    }
    return secretTextsIn(value, either(secretsIn(field, value), ofEngine));
  });
}

function secretTextsIn(value: unknown, secrecy: Secrecy | undefined): string[] {
  if (typeof value === "string" || typeof value === "number") return secrecy === true ? [String(value)] : [];
  if (value === null || typeof value !== "object") return [];
  const marked = isRecord(value) ? markedSecrets(value) : [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "env" && secrecy !== true
      ? variableTexts(member, marked)
      : secretTextsIn(member, secrecy === true || marked.includes(key) || (secrecy && ownMember(secrecy, key))),
  );
}

/** @param marked `env.NAME` of the variables that the program marked itself, or `env.*` */
function variableTexts(env: unknown, marked: readonly unknown[]): string[] {
  if (!isRecord(env) || marked.includes("env.*")) return secretTextsIn(env, marked.includes("env.*") || undefined);
  const ofProgram = Object.entries(env).filter(([name]) => marked.includes(`env.${name}`));
  return [...ofProgram.map(([, text]) => String(text)), ...secretVariables(env)];
}
