import type { Field, Type } from "./model";
import { argumentText } from "./texts";

/** A type, as a Pulumi package schema writes it. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: string;
  readonly secret?: boolean;
  readonly replaceOnChanges?: boolean;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

export interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

interface EnumSpec {
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}

/** Collects the object types and the lists of known values, which a package's schema names and keeps apart. */
export class TypeSpecs {
  readonly #specs = new Map<string, ObjectSpec | EnumSpec>();

  constructor(private readonly prefix: string) {}

  all(): Readonly<Record<string, ObjectSpec | EnumSpec>> {
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

  property(field: Field, owner: string, description: string, secrets: readonly string[] = []): PropertySpec {
    const { type, facts, byDefault } = field;
    const spec = facts.json
      ? { $ref: "pulumi.json#/Json" }
      : this.#type(type, owner + capitalised(field.name), secrets);
    const [only] = type.is === "choice" && !type.open && type.values.length === 1 ? type.values : [];
    return {
      ...(only === undefined ? spec : { type: "string", const: only }),
      ...(description !== "" && { description }),
      ...(isPlain(byDefault) && byDefault !== "" && { default: byDefault }),
      ...((facts.secret || secrets.includes(field.name)) && { secret: true }),
      ...(facts.replaces === "any" && { replaceOnChanges: true }),
    };
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

  /** Values that the service adds to at will are no list of the only ones. */
  #choice({ name, values, open }: Type & { is: "choice" }, byPath: string): TypeSpec {
    if (open || values.length < 2) return { type: "string" };
    return this.#reference(name ?? byPath, { type: "string", enum: values.map((value) => ({ value })) });
  }

  #union({ of, discriminator }: Type & { is: "union" }, name: string, secrets: readonly string[]): TypeSpec {
    const oneOf = of.map((each, index) => this.#type(each, `${name}${index + 1}`, secrets));
    if (discriminator === undefined) return { oneOf };
    const mapping = of.flatMap((each, index) => {
      const field = each.is === "object" ? each.fields.find((one) => one.name === discriminator) : undefined;
      const reference = oneOf[index]?.$ref;
      const values = field?.type.is === "choice" ? field.type.values : [];
      return reference === undefined ? [] : values.map((value) => [value, reference]);
    });
    return { oneOf, discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) } };
  }

  #reference(name: string, spec: ObjectSpec | EnumSpec): TypeSpec {
    const token = this.prefix + name;
    const known = this.#specs.get(token);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec)) {
      throw new TypeError(`two types are called ${token}; give one of them another name`);
    }
    this.#specs.set(token, spec);
    return { $ref: `#/types/${token}` };
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

export function singular(name: string): string {
  return name.replace(/s$/, "");
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
