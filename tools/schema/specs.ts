import type { Field, Type } from "./model";
import { argumentText } from "./texts";

/** A type in a Pulumi package schema. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly secret?: boolean;
  readonly replaceOnChanges?: boolean;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

export interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
  readonly enum?: undefined;
}

type NamedSpec =
  | ObjectSpec
  | {
      readonly type: "string";
      readonly properties?: undefined;
      readonly enum: readonly { readonly name: string; readonly value: string }[];
    };

/** Collects the object types and enums, which a package schema lists apart under names. */
export class TypeSpecs {
  readonly #specs = new Map<string, NamedSpec>();

  constructor(private readonly prefix: string) {}

  all(): Readonly<Record<string, NamedSpec>> {
    return Object.fromEntries([...this.#specs].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * @param name of the object, for the types in it that have none
   * @param secrets names of properties, at any depth, that are secrets
   */
  object(fields: readonly Field[], name: string, text: (field: Field) => string, secrets: readonly string[] = []) {
    const spec: ObjectSpec = {
      type: "object",
      properties: Object.fromEntries(
        fields.map((field) => [field.name, this.property(field, name, text(field), secrets)]),
      ),
      required: fields.filter(({ optional, nullable }) => !optional && !nullable).map((field) => field.name),
    };
    return spec;
  }

  /**
   * Defaults are only in the texts. An SDK sends the defaults of a schema as if the program had declared them. A fleet
   * member would then override the fleet's own defaults, and the service's choice would show as a change.
   */
  property(field: Field, owner: string, description: string, secrets: readonly string[] = []): PropertySpec {
    const { type, facts } = field;
    // As JSON. Of the type `pulumi.json#/Json`, which means the same, the host of YAML takes neither a text nor an object.
    const spec = facts.json ? { type: "string" } : this.#type(type, owner + capitalised(field.name), secrets);
    // Without a constant for the only value of a choice: the host of YAML sends that as an argument, even if it is an output.
    return {
      ...spec,
      ...(description !== "" && { description }),
      ...((facts.secret || secrets.includes(field.name)) && { secret: true }),
      ...(facts.replaces === "any" && { replaceOnChanges: true }),
    };
  }

  /** The name of a type: of its own, or that of the schema for what has none. */
  nameOf({ $ref, type }: TypeSpec): string {
    const name = $ref?.split(this.prefix).at(-1) ?? type;
    if (name === undefined) throw new TypeError("a choice between types has no name");
    return name;
  }

  /** The properties of an object that was described before. */
  propertiesOf(spec: TypeSpec): Readonly<Record<string, PropertySpec>> {
    const described = this.#specs.get(this.prefix + this.nameOf(spec));
    if (described?.properties === undefined) throw new TypeError(`${this.nameOf(spec)} is not an object`);
    return described.properties;
  }

  #type(type: Type, name: string, secrets: readonly string[]): TypeSpec {
    switch (type.is) {
      case "any":
        return { $ref: "pulumi.json#/Any" };
      case "list":
        return { type: "array", items: this.#type(type.of, singular(name), secrets) };
      case "map":
        return { type: "object", additionalProperties: this.#type(type.of, singular(name), secrets) };
      case "choice":
        return this.#choice(type, name);
      case "union":
        return this.#union(type, name, secrets);
      case "object": {
        const { description, fields } = type;
        const spec = this.object(fields, type.name ?? name, (field) => argumentText(field, { nested: true }), secrets);
        return this.#reference(type.name ?? name, { ...(description !== undefined && { description }), ...spec });
      }
      default:
        return { type: type.is };
    }
  }

  /**
   * A text or a member of an enum: a program may give either, and reads a text. An enum alone would be closed in Python:
   * a value that the service adds later would crash the program.
   */
  #choice({ name, values, open }: Type & { is: "choice" }, byPath: string): TypeSpec {
    if (open || values.length < 2) return { type: "string" };
    const enumType = this.#reference(name ?? byPath, {
      type: "string",
      enum: values.map((value) => ({ name: memberName(value), value })),
    });
    return { type: "string", oneOf: [{ type: "string" }, enumType] };
  }

  /**
   * A union of objects is written as one object with the fields of all. SDKs translate the keys of an object, as from
   * queue_delay to queueDelay, but not those of a union. Go and .NET even turn a union into a value of any type.
   */
  #union(type: Type & { is: "union" }, name: string, secrets: readonly string[]): TypeSpec {
    const { of, discriminator, description } = type;
    const objects = of.filter((each) => each.is === "object");
    if (objects.length < of.length)
      return { oneOf: of.map((each, index) => this.#type(each, `${name}${index + 1}`, secrets)) };
    const fields = Map.groupBy(
      objects.flatMap(({ fields }) => fields),
      (field) => field.name,
    );
    const merged = [...fields.values()].flatMap((variants): Field[] => {
      const [field] = variants;
      if (field === undefined) return [];
      if (field.name === discriminator) {
        const description = variants.map((each) => `${valuesOf(each)}: ${each.description}`).join(" ");
        return [{ ...field, type: { is: "string" }, description }];
      }
      if (variants.length === objects.length) {
        const descriptions = new Set(variants.map((each) => each.description));
        return [{ ...field, description: [...descriptions].join(" ") }];
      }
      if (discriminator === undefined) return [{ ...field, optional: true }];
      const takers = objects.filter(({ fields }) => fields.some((each) => variants.includes(each)));
      const values = takers.flatMap(({ fields }) => fields.filter(({ name }) => name === discriminator)).map(valuesOf);
      return [
        { ...field, optional: true, description: `${field.description} With ${discriminator} ${values.join(", ")}.` },
      ];
    });
    const about = description === undefined ? {} : { description };
    return this.#type({ is: "object", name: type.name ?? name, ...about, fields: merged }, name, secrets);
  }

  #reference(name: string, spec: NamedSpec): TypeSpec {
    const token = this.prefix + name;
    const existing = this.#specs.get(token);
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(spec)) {
      throw new TypeError(`two types are called ${token}; give one of them another name`);
    }
    this.#specs.set(token, spec);
    return { $ref: `#/types/${token}` };
  }
}

function valuesOf({ type }: Field): string {
  return type.is === "choice" ? type.values.map((value) => JSON.stringify(value)).join(" or ") : "";
}

/**
 * The name of an enum's member, such as HighPerformance for HIGH_PERFORMANCE. Each language changes its spelling: Python
 * would turn capitals into HIG_H_PERFORMANCE.
 */
export function memberName(value: string): string {
  return value
    .split("_")
    .map((word) => capitalised(word.toLowerCase()))
    .join("");
}

export const singular = (name: string): string => name.replace(/s$/, "");

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
