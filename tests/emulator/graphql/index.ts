import type { FastifyInstance, FastifyRequest } from "fastify";
import { authorize, bearerKey, type Caller } from "../http/auth";
import { openDoor } from "../http/door";
import { list } from "../model/lookup";
import { Problem, unauthorized } from "../problem";
import type { Service } from "../service";
import type { EndpointInput } from "./draft";
import { deleteEndpoint, endpointShown, findEndpoint, saveEndpoint, updateEndpointTemplate } from "./endpoints";
import { answer, type GraphqlRequest, operationIn } from "./execution";
import { secretMutations } from "./secrets";
import { storageMutations } from "./storage";
import { deleteTemplate, saveTemplate, type TemplateInput, templateShown } from "./templates";

/** The GraphQL interface, one POST route. */
export function graphqlInterface(app: FastifyInstance, service: Service): void {
  openDoor(
    app,
    {
      interface: "graphql",
      rateLimited: false,
      key: (request) => queryKey(request) ?? bearerKey(request.headers.authorization),
      admitsStrangers: () => service.settings.graphqlBadKey === "null",
      operation: ({ body }) => (isRequest(body) ? (operationIn(body)?.field ?? "") : ""),
      refuse: (reply, problem) =>
        reply.code(problem.status).send({ errors: [{ message: problem.detail, extensions: { code: problem.title } }] }),
    },
    service,
  );

  app.post("/", async (request, reply) => {
    const { body, call } = request;
    if (!isRequest(body)) throw new Problem(400, "Must provide query string.");
    const need = operationIn(body)?.type === "mutation" ? "write" : "read";
    if (call.caller !== undefined) authorize(call.caller, "graphql", need);
    else if (need === "write") throw unauthorized("invalid api key");
    const { status, body: shown } = await answer(body, rootValue(service, call.caller, request));
    return reply.code(status).send(shown);
  });
}

/** What a caller may ask for; a stranger has no account. */
const rootValue = (service: Service, caller: Caller | undefined, request: FastifyRequest): unknown =>
  caller === undefined ? { myself: null } : { myself: () => account(service), ...mutations(service, request) };

const account = (service: Service) => ({
  id: "user_emulated",
  endpoints: () =>
    list(service, service.store.endpoints)
      .slice(0, service.settings.endpointListCap)
      .map((endpoint) => endpointShown(service, endpoint)),
  endpoint: ({ id }: { id: string }) => endpointShown(service, findEndpoint(service, id)),
  serverlessDiscount: () => service.settings.serverlessDiscount,
});

const mutations = (service: Service, request: FastifyRequest) => ({
  saveEndpoint: ({ input }: { input: EndpointInput }) => {
    const saved = saveEndpoint(service, input);
    const stale = request.call.acts.find((act) => "staleMs" in act);
    if (stale !== undefined && input.id == null) service.veil.cover(saved.id, stale.staleMs);
    return endpointShown(service, saved);
  },
  updateEndpointTemplate: ({ input }: { input: { endpointId: string; templateId: string } }) =>
    endpointShown(service, updateEndpointTemplate(service, input.endpointId, input.templateId)),
  deleteEndpoint: ({ id }: { id: string }) => deleteEndpoint(service, id),
  saveTemplate: ({ input }: { input: TemplateInput }) => templateShown(saveTemplate(service, input)),
  deleteTemplate: ({ templateName }: { templateName: string }) => deleteTemplate(service, templateName),
  ...storageMutations(service),
  ...secretMutations(service),
});

function queryKey({ query }: FastifyRequest): string | undefined {
  return typeof query === "object" && query !== null && "api_key" in query ? String(query.api_key) : undefined;
}

const isRequest = (body: unknown): body is GraphqlRequest =>
  typeof body === "object" && body !== null && "query" in body && typeof body.query === "string";
