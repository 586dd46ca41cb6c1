import { isRecord } from "../../common/json";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { safe } from "../output";

/** An existing resource, as a program would declare it. */
export interface Adoptable {
  readonly kind: string;
  /** Empty for a fleet or a component, whose parts are found by their names. */
  readonly id: string;
  /** The name at the service; empty if it has none. */
  readonly name: string;
  /** The necessary arguments. Secrets are `SecretValue`s. */
  readonly args: Properties;
  /** It holds data or serves requests, so the program gets `protect: true`. */
  readonly protect: boolean;
  /** The paths of the arguments that the first `up` would change, without values. */
  readonly differences: readonly string[];
  /** Its name in the program. Default: one made of `name`. */
  readonly logicalName?: string;
  /** Its generated name proves that it belongs to the stack that adopts it. */
  readonly own?: boolean;
}

/** A value that must not be written to any file. */
export class SecretValue {
  /**
   * @param value undefined: the service never shows it
   * @param looksPlain whether neither its name nor its content suggests a secret, so that people may choose to see it
   */
  constructor(
    readonly value?: string,
    readonly looksPlain = false,
  ) {}
}

/** The input of a gate's job, which only the program has. */
export class JobInput extends SecretValue {}

/** The secrets in arguments, each with its name. */
export function secretsIn(value: unknown, name = ""): readonly (readonly [name: string, secret: SecretValue])[] {
  if (value instanceof SecretValue) return [[name, value]];
  return isRecord(value) ? Object.entries(value).flatMap(([key, member]) => secretsIn(member, key)) : [];
}

/** Arguments in which these are plain values, but for those that hold a secret of this process, such as the key. */
export function inPlain(args: Properties, plain: ReadonlySet<SecretValue>): Properties {
  const reveal = (value: unknown): unknown => {
    if (value instanceof SecretValue) return plain.has(value) ? reveal(value.value) : value;
    // mutant key-in-program: false
    if (typeof value === "string") return safe(value) === value ? value : new SecretValue(value);
    if (Array.isArray(value)) return value.map(reveal);
    return isRecord(value) ? inPlain(value, plain) : value;
  };
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, reveal(value)]));
}
