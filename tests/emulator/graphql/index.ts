import type { FastifyInstance, FastifyRequest } from "fastify";
import { GraphQLError, getOperationAST, graphql, parse } from "graphql";
import { authorize, bearerKey } from "../http/auth";
import { openDoor } from "../http/door";
import { notFound, Problem } from "../problem";
import type { Service } from "../service";
import { deleteEndpoint, type EndpointInput, endpointShown, saveEndpoint } from "./endpoints";
import { schema } from "./schema";

/** The GraphQL interface, one POST route. */
export function graphqlInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "graphql",
      rateLimited: false,
      key: (request) => queryKey(request) ?? bearerKey(request.headers.authorization),
      operation: (request) => operationIn(request.body)?.field ?? "",
      refuse: (reply, problem) =>
        reply.code(problem.status).send({ errors: [{ message: problem.detail, extensions: { code: problem.title } }] }),
    },
    service,
  );

  app.post("/", async (request, reply) => {
    const body = request.body;
    if (!hasQuery(body)) throw new Problem(400, "Must provide query string.");
    const need = operationIn(body)?.type === "mutation" ? "write" : "read";
    if (request.call.caller !== undefined) authorize(request.call.caller, "graphql", need);
    const result = await graphql({
      schema,
      source: body.query,
      variableValues: body.variables ?? null,
      rootValue: rootValue(service),
    });
    // No data at all means that the document did not pass: a real server says so with its status.
    return reply.code(result.data === undefined ? 400 : 200).send({
      ...result,
      errors: result.errors?.map((error) => ({ ...error.toJSON(), extensions: { code: "RUNPOD" } })),
    });
  });
}

const rootValue = (service: Service) => ({
  myself: () => ({
    id: "user_emulated",
    endpoints: () =>
      Array.from(service.store.endpoints.values()).slice(0, service.settings.endpointListCap).map(endpointShown),
    endpoint: ({ id }: { id: string }) => {
      const endpoint = service.store.endpoints.get(id);
      if (endpoint === undefined) throw notFound("endpoint");
      return endpointShown(endpoint);
    },
    serverlessDiscount: null,
  }),
  saveEndpoint: ({ input }: { input: EndpointInput }) => saveEndpoint(service, input),
  deleteEndpoint: ({ id }: { id: string }) => deleteEndpoint(service, id),
});

function queryKey({ query }: FastifyRequest): string | undefined {
  return typeof query === "object" && query !== null && "api_key" in query ? String(query.api_key) : undefined;
}

/** The first field that a document asks for, and whether it is a mutation. */
function operationIn(body: unknown): { field: string; type: string } | undefined {
  if (!hasQuery(body)) return undefined;
  try {
    const operation = getOperationAST(parse(body.query), null);
    const [first] = operation?.selectionSet.selections ?? [];
    return first?.kind === "Field" && operation ? { field: first.name.value, type: operation.operation } : undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

const hasQuery = (body: unknown): body is { query: string; variables?: Record<string, unknown> } =>
  typeof body === "object" && body !== null && "query" in body && typeof body.query === "string";
