import { z } from "zod";
import { findFunction, functionNames } from "../functions";
import { typeNames } from "../functions/fields";

/** A type, as a Pulumi package schema writes it. */
interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly default?: unknown;
}

interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

const CONFIGURATION = {
  apiKey: { type: "string", secret: true, description: "API key of the account.", variable: "API_KEY" },
  cloud: { type: "string", description: "Name of a cloud whose addresses are known.", variable: "CLOUD" },
  baseUrl: { type: "string", description: "Address that stands before /v2 of the REST API.", variable: "BASE_URL" },
  serverlessUrl: {
    type: "string",
    description: "Address that stands before /v2 of the queues.",
    variable: "SERVERLESS_URL",
  },
  graphqlUrl: { type: "string", description: "Address of the GraphQL API.", variable: "GRAPHQL_URL" },
  catalogChecks: {
    type: "boolean",
    description: "Whether previews check against the catalog.",
    variable: "CATALOG_CHECKS",
  },
  proxyDomain: { type: "string", description: "Domain of the public addresses of pods.", variable: "PROXY_DOMAIN" },
  retryTimeout: {
    type: "string",
    description: "How long one call is repeated, such as 2m.",
    variable: "RETRY_TIMEOUT",
  },
} as const;

/** The package's schema, made from the functions' definitions. */
export function packageSchema(facts: { version: string; description: string; license: string }): object {
  const types: Record<string, ObjectSpec> = {};
  const functions = Object.fromEntries(
    functionNames.map((name) => {
      const definition = findFunction(name);
      if (definition === undefined) throw new TypeError(`${name} is no function`);
      const { description, args, result } = definition;
      const title = name.replace(/^get/, "");
      const inputs = new Types(types).object(jsonSchema(args, "input"), `${title}Args`);
      const outputs = new Types(types).object(jsonSchema(result, "output"), typeNames.get(result) ?? title);
      return [`computecloud:index:${name}`, { description, inputs, outputs }];
    }),
  );
  const variables = Object.fromEntries(
    Object.entries(CONFIGURATION).map(([name, { variable, ...spec }]) => [
      name,
      { ...spec, defaultInfo: { environment: [`COMPUTECLOUD_${variable}`] } },
    ]),
  );
  return {
    name: "computecloud",
    ...facts,
    config: { variables },
    provider: { description: "The service and the account.", inputProperties: variables },
    types,
    functions,
  };
}

/** The part of JSON schema that zod writes for the schemas of this package. */
interface JsonSchema {
  title?: string;
  /** A list where null may stand instead. */
  type?: string | readonly string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

function jsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const name = typeNames.get(zodSchema);
      if (name !== undefined) jsonSchema.title = name;
    },
  }) as JsonSchema;
}

/** Collects the object types, which a package's schema names and keeps apart. */
class Types {
  constructor(private readonly types: Record<string, ObjectSpec>) {}

  object({ properties = {}, required = [], description }: JsonSchema, name: string): ObjectSpec {
    const specs = Object.entries(properties).map(([key, value]) => [
      key,
      this.property(value, name + capitalised(key)),
    ]);
    const optional = (key: string) => properties[key]?.default !== undefined || allowsNull(properties[key]);
    return {
      type: "object",
      ...(description !== undefined && { description }),
      properties: Object.fromEntries(specs),
      required: required.filter((key) => !optional(key)),
    };
  }

  private property(schema: JsonSchema, name: string): PropertySpec {
    const { description, default: byDefault } = schema;
    const spec = this.type(schema, name);
    return {
      ...spec,
      ...(description !== undefined && { description }),
      ...(byDefault !== undefined && spec.$ref === undefined && spec.type !== "array" && { default: byDefault }),
    };
  }

  private type(schema: JsonSchema, name: string): TypeSpec {
    const variants = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
    if (variants.length > 0) return this.union(variants.map((each, index) => this.type(each, `${name}${index || ""}`)));
    if (schema.properties !== undefined) {
      const named = schema.title ?? name;
      return this.reference(`computecloud:index:${named}`, this.object(schema, named));
    }
    if (schema.items !== undefined) return { type: "array", items: this.type(schema.items, name.replace(/s$/, "")) };
    if (typeof schema.additionalProperties === "object") {
      return { type: "object", additionalProperties: this.type(schema.additionalProperties, name) };
    }
    if (schema.enum !== undefined || schema.const !== undefined) return { type: "string" };
    const type = [schema.type ?? []].flat().find((each) => each !== "null");
    return type === undefined ? { $ref: "pulumi.json#/Any" } : { type };
  }

  private reference(token: string, spec: ObjectSpec): TypeSpec {
    const known = this.types[token];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec)) {
      throw new TypeError(`two types are called ${token}; give one of them another name`);
    }
    this.types[token] = spec;
    return { $ref: `#/types/${token}` };
  }

  private union(variants: readonly TypeSpec[]): TypeSpec {
    const distinct = [...new Map(variants.map((each) => [JSON.stringify(each), each])).values()];
    return distinct.length === 1 && distinct[0] !== undefined ? distinct[0] : { oneOf: distinct };
  }
}

function allowsNull({ type, anyOf = [] }: JsonSchema = {}): boolean {
  return [type].flat().includes("null") || anyOf.some(allowsNull);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
