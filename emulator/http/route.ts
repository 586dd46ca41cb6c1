import { STATUS_CODES } from "node:http";
import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import { z } from "zod";
import { reading } from "../model/lookup";
import { Problem } from "../problem";
import type { Service } from "../service";
import type { KeyRight } from "../settings";
import { authorize } from "./auth";
import type { Matchable } from "./faults";
import { exactNumbers, validate } from "./validation";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name | keyof PathParams<Rest>]: string }
  : unknown;

export interface RouteContext<Params, Query, Body> {
  readonly service: Service;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The call as faults match it. */
  readonly call: Matchable;
  readonly request: FastifyRequest;
}

/** One operation as data. The validation, the answer's status and the OpenAPI document all come from it. */
interface Declaration<Path extends string, Query extends z.ZodType, Body extends z.ZodType> {
  /** Default: GET. */
  readonly method?: Method;
  readonly path: Path;
  readonly operationId: string;
  readonly summary: string;
  /** What a restricted key needs, to read or to write. */
  readonly right: KeyRight;
  /** Its tag in the document. Default: the right. */
  readonly tag?: string | undefined;
  readonly query?: Query;
  readonly body?: Body;
  /** The largest body, in bytes. A larger one is refused before the key is checked. */
  readonly mostBytes?: number | undefined;
  /** Success status -> its schema; null = no body. */
  readonly success: Readonly<Partial<Record<200 | 201 | 204, z.ZodType | null>>>;
  /** Content type of the success body. Default: JSON. */
  readonly contentType?: "text/event-stream";
  /** Refusals besides 401, 403, 429 and, with a body or query, 422, with a parameter in the path 404. */
  readonly errors?: readonly (400 | 402 | 404 | 405 | 409 | 413)[] | undefined;
  /** Returns the body; undefined answers 204. */
  handle(context: RouteContext<PathParams<Path>, z.output<Query>, z.output<Body>>): unknown;
}

/** A declared operation without its generic types, so that all of them fit into one list. */
export interface Route extends Omit<Declaration<string, z.ZodType, z.ZodType>, "method" | "handle"> {
  readonly method: Method;
  run(request: FastifyRequest, service: Service): unknown;
}

export function route<
  Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Declaration<Path, Query, Body>): Route {
  return {
    method: "GET",
    ...declared,
    run: (request, service) =>
      declared.handle({
        service,
        // Fastify has matched the same path, so it has these names.
        params: request.params as PathParams<Path>,
        query: (declared.query && validate(declared.query, request.query, "query")) as z.output<Query>,
        body: (declared.body && validate(declared.body, exactNumbers(request.body ?? null))) as z.output<Body>,
        call: request.call.logged,
        request,
      }),
  };
}

const METHODS: readonly HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export function mount(app: FastifyInstance, routes: readonly Route[], service: Service): void {
  for (const [path, onPath] of Map.groupBy(routes, ({ path }) => path)) {
    const url = path.replace(/\{(\w+)\}/g, ":$1");
    for (const declared of onPath) serve(app, url, declared, service);
    const allowed = onPath.map(({ method }) => method);
    app.route({
      method: METHODS.filter((method) => !allowed.some((each) => each === method)),
      url,
      handler: () => {
        throw new Problem(405, "The requested method is not allowed for this path.", undefined, {
          Allow: allowed.join(", "),
        });
      },
    });
  }
}

function serve(app: FastifyInstance, url: string, declared: Route, service: Service): void {
  const status = 201 in declared.success ? 201 : 200;
  app.route({
    method: declared.method,
    url,
    exposeHeadRoute: false,
    config: { operation: declared.operationId, ...(declared.mostBytes && { mostBytes: declared.mostBytes }) },
    handler: async (request, reply) => {
      const { caller, acts } = request.call;
      if (caller !== undefined) authorize(caller, declared.right, declared.method === "GET" ? "read" : "write");
      const result = await declared.run(request, declared.method === "GET" ? reading(service) : service);
      if (result === undefined) return reply.code(204).send();
      const stale = acts.find((act) => "staleMs" in act);
      if (stale !== undefined && status === 201 && hasId(result)) service.veil.cover(result.id, stale.staleMs);
      if (declared.contentType !== undefined) {
        reply.type(declared.contentType).headers({ "Cache-Control": "no-cache", "X-Accel-Buffering": "no" });
        // A stream may be silent for long, so the headers are sent at once: the reader must know that it is open.
        reply.raw.once("pipe", () => reply.raw.flushHeaders());
      }
      return reply.code(status).send(result);
    },
  });
}

const hasId = (value: unknown): value is { id: string } =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";

/** Schemas that the OpenAPI document shows by name. */
const components = z.registry<{ id: string }>();

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
  const parameters = pathParameters(declared.path);
  const refusals = [
    ...[401, 403, 429],
    ...(declared.body !== undefined || declared.query !== undefined ? [422] : []),
    ...(parameters.length > 0 ? [404] : []),
    ...(declared.errors ?? []),
  ].toSorted();
  return {
    operationId: declared.operationId,
    summary: declared.summary,
    tags: [declared.tag ?? declared.right],
    parameters: [...parameters, ...queryParameters(declared.query)],
    ...(declared.body && { requestBody: { required: true, content: json(declared.body) } }),
    responses: Object.fromEntries([
      ...Object.entries(declared.success).map(([status, schema]) => [
        status,
        {
          description: STATUS_CODES[status],
          headers: rateLimitHeaders,
          ...(schema && { content: json(schema, declared.contentType) }),
        },
      ]),
      ...refusals.map((status) => [
        status,
        {
          description: STATUS_CODES[status],
          // 401 and 413 may be answered before the key is checked, so they have no quota headers.
          ...(status !== 401 && status !== 413 && { headers: rateLimitHeaders }),
          content: json(errorResponse, "application/problem+json"),
        },
      ]),
    ]),
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
