import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { Route } from "./route";

/** Schemas that the OpenAPI document shows by name. */
export const components = z.registry<{ id: string }>();

/** Gives a schema its name in the OpenAPI document. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  components.add(schema, { id });
  return schema;
}

const errorResponse = named(
  "ErrorResponse",
  z.object({ title: z.string(), status: z.int(), detail: z.string(), errors: z.array(z.string()).optional() }),
);

const rateLimitHeaders = {
  RateLimit: { description: "What is left in each window.", schema: { type: "string" } },
  "RateLimit-Policy": { description: "The windows and their quotas.", schema: { type: "string" } },
};

/** The emulator's interface as an OpenAPI 3.1 document, made from the routes that answer it. */
export function openApiDocument(routes: readonly Route[]): unknown {
  const paths = Object.fromEntries(
    Array.from(
      Map.groupBy(routes, ({ path }) => path),
      ([path, onPath]) => [
        path,
        Object.fromEntries(onPath.map((declared) => [declared.method.toLowerCase(), operation(declared)])),
      ],
    ),
  );
  return {
    openapi: "3.1.0",
    info: { title: "Compute cloud emulator", version: "2.0.0" },
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(
        Object.entries(
          z.toJSONSchema(components, { io: "input", uri: reference, unrepresentable: "any", override }).schemas,
        ).map(([name, schema]) => [name, bare(schema)]),
      ),
    },
  };
}

/** Removes the bounds of safe integers, which zod adds. They are not limits of the service. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

const reference = (id: string): string => `#/components/schemas/${id}`;

function operation(declared: Route): unknown {
  const validated = declared.body !== undefined || declared.query !== undefined;
  const refusals = [401, 403, 429, ...(validated ? [422] : []), ...(declared.errors ?? [])].toSorted();
  return {
    operationId: declared.operationId,
    summary: declared.summary,
    tags: [declared.tag ?? declared.right],
    parameters: [...pathParameters(declared.path), ...queryParameters(declared.query)],
    ...(declared.body && { requestBody: { required: true, content: json(declared.body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(declared.success).map(([status, schema]) => [
          status,
          {
            description: STATUS_CODES[status] ?? "OK",
            headers: rateLimitHeaders,
            ...(schema && { content: json(schema, declared.contentType) }),
          },
        ]),
      ),
      ...Object.fromEntries(
        refusals.map((status) => [
          status,
          {
            description: STATUS_CODES[status] ?? "Error",
            // 401 and 413 may be answered before the key is checked, so they have no quota headers.
            ...(status !== 401 && status !== 413 && { headers: rateLimitHeaders }),
            content: json(errorResponse, "application/problem+json"),
          },
        ]),
      ),
    },
  };
}

const json = (schema: z.ZodType, contentType = "application/json"): unknown => ({
  [contentType]: { schema: schemaOf(schema) },
});

function schemaOf(schema: z.ZodType): unknown {
  const name = components.get(schema)?.id;
  return name === undefined ? bare(z.toJSONSchema(schema, { io: "input", override })) : { $ref: reference(name) };
}

const pathParameters = (path: string): unknown[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

/** The schemas of the parsed values: query values arrive as text. */
function queryParameters(query: z.ZodType | undefined): unknown[] {
  if (query === undefined) return [];
  const { properties = {} } = z.toJSONSchema(query, { io: "output", override });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    ...(typeof schema === "object" && schema.type === "array" && { style: "form", explode: false }),
    schema,
  }));
}

/** Removes `$schema` and `$id`, which schemas inside the document don't need. */
const bare = ({ $schema: _dialect, $id: _id, ...schema }: z.core.JSONSchema.BaseSchema): unknown => schema;
