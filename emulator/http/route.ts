import type { FastifyInstance, FastifyRequest, HTTPMethods } from "fastify";
import type { z } from "zod";
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
  readonly method: Method;
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
  readonly mostBytes?: number;
  /** Success status -> its schema; null = no body. */
  readonly success: Readonly<Partial<Record<200 | 201 | 204, z.ZodType | null>>>;
  /** Content type of the success body. Default: JSON. */
  readonly contentType?: "text/event-stream";
  /** Refusals besides 401, 403, 429 and, with a body or query, 422. */
  readonly errors?: readonly (400 | 402 | 404 | 405 | 409 | 413)[];
  /** Returns the body; undefined answers 204. */
  handle(context: RouteContext<PathParams<Path>, z.output<Query>, z.output<Body>>): unknown;
}

/** A declared operation without its generic types, so that all of them fit into one list. */
export interface Route extends Omit<Declaration<string, z.ZodType, z.ZodType>, "handle"> {
  run(request: FastifyRequest, service: Service): unknown;
}

export function route<
  Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Declaration<Path, Query, Body>): Route {
  return {
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
