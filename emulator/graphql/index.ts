import type { FastifyInstance, FastifyRequest } from "fastify";
import { readableTemplates } from "../catalog/templates";
import { authorize, bearerKey } from "../http/auth";
import { type Call, openDoor } from "../http/door";
import { list, reading, seen } from "../model/lookup";
import { currentSpend } from "../model/pods";
import { replaceSshKeys, sshKeysOf } from "../model/sshKeys";
import { Problem, unauthorized } from "../problem";
import type { Service } from "../service";
import type { ApiKey } from "../settings";
import { CATALOG_QUERIES, catalogQueries } from "./catalog";
import type { EndpointInput } from "./draft";
import { deleteEndpoint, endpointShown, findEndpoint, saveEndpoint, updateEndpointTemplate } from "./endpoints";
import { answer, Documents, type GraphqlRequest, operationIn } from "./execution";
import { podMutations, podOf, podShown } from "./pods";
import { storageMutations, volumeShown } from "./storage";
import { deleteTemplate, saveTemplate, type TemplateInput, templateShown } from "./templates";

export function graphqlInterface(app: FastifyInstance, service: Service): void {
  const documents = new Documents();
  openDoor(
    app,
    {
      interface: "graphql",
      key: (request) => keyOf(service, request),
      hasEnded: () => hasEnded(service),
      // Only the body says whether a call needs a key.
      admitsInvalidKeys: (key) => service.settings.graphqlBadKey === "null" || key === undefined,
      operation: ({ body }) => (isRequest(body) ? (operationIn(documents, body)?.field ?? "") : ""),
      refuse: (reply, problem) =>
        reply.code(problem.status).send({ errors: [{ message: problem.detail, extensions: { code: problem.title } }] }),
    },
    service,
  );

  app.post("/", async (request, reply) => {
    const { body, call } = request;
    const operation = isRequest(body) ? operationIn(documents, body) : undefined;
    const needsKey = operation?.field.split("+").every((field) => CATALOG_QUERIES.has(field)) !== true;
    if (call.caller === undefined && needsKey && service.settings.graphqlBadKey === "401")
      service.keys.caller(keyOf(service, request));
    if (!isRequest(body)) throw new Problem(400, "Must provide query string.");
    const need = operation?.type === "mutation" ? "write" : "read";
    if (call.caller !== undefined) authorize(call.caller, "graphql", need);
    else if (need === "write") throw unauthorized("invalid api key");
    const root = rootValue(service, call.caller, request);
    const { status, body: answerBody } = await answer(documents, body, root, service.settings);
    const why = answerBody.errors?.map(({ message }) => message).join(" ");
    if (why !== undefined) call.logged.refusal = { by: "service", why };
    return reply.code(status).send(answerBody);
  });
}

const hasEnded = ({ settings: { graphqlEndsAt }, clock }: Service): boolean =>
  graphqlEndsAt !== null && clock.now() >= Date.parse(graphqlEndsAt);

/** The root value for a caller. Without a valid key, there is no account. */
const rootValue = (service: Service, caller: ApiKey | undefined, request: FastifyRequest): unknown =>
  caller === undefined
    ? { myself: null, ...catalogQueries(reading(service)) }
    : { myself: () => account(reading(service)), ...queries(reading(service)), ...mutations(service, request) };

const queries = (service: Service) => ({
  pod: ({ input: { podId } }: { input: { podId: string } }) => podOf(service, podId),
  podTemplate: ({ id }: { id: string }) => {
    const template = seen(service, readableTemplates(service), id);
    return template === undefined ? null : templateShown(template);
  },
  ...catalogQueries(service),
});

const account = (service: Service) => ({
  id: service.settings.account.id,
  email: service.settings.account.email,
  pubKey: () => sshKeysOf(service).join("\n"),
  clientBalance: service.settings.balance,
  spendLimit: service.settings.spendLimit,
  currentSpendPerHr: () => currentSpend(service),
  pods: () =>
    list(service, service.store.pods)
      .filter(({ cluster }) => cluster === null)
      .map((pod) => podShown(service, pod)),
  networkVolumes: () => list(service, service.store.networkVolumes).map((volume) => volumeShown(service, volume)),
  containerRegistryCreds: () => list(service, service.store.registries),
  podTemplates: () =>
    list(service, service.store.templates)
      .filter(({ owned }) => owned)
      .map(templateShown),
  secrets: () => list(service, service.store.secrets),
  endpoints: () =>
    list(service, service.store.endpoints)
      .slice(0, service.settings.endpointListCap)
      .map((endpoint) => endpointShown(service, endpoint)),
  endpoint: ({ id }: { id: string }) => endpointShown(service, findEndpoint(service, id)),
  serverlessDiscount: () => service.settings.serverlessDiscount,
});

const mutations = (service: Service, { call }: FastifyRequest) => ({
  saveEndpoint: ({ input }: { input: EndpointInput }) => {
    const saved = saveEndpoint(service, input);
    if (input.id == null) coverNew(service, call, saved);
    return endpointShown(service, saved);
  },
  updateEndpointTemplate: ({ input }: { input: { endpointId: string; templateId: string } }) =>
    endpointShown(service, updateEndpointTemplate(service, input.endpointId, input.templateId)),
  deleteEndpoint: ({ id }: { id: string }) => deleteEndpoint(service, id),
  saveTemplate: ({ input }: { input: TemplateInput }) => templateShown(saveTemplate(service, input)),
  deleteTemplate: ({ templateName }: { templateName: string }) => deleteTemplate(service, templateName),
  ...storageMutations(service),
  ...podMutations(service, call.logged, (pod) => coverNew(service, call, pod)),
  updateUserSettings: ({ input: { pubKey } }: { input: { pubKey?: string | null } }) => {
    const keys = (pubKey ?? "").split("\n").map((key) => key.trim());
    replaceSshKeys(
      service,
      keys.filter((key) => key !== ""),
    );
    return account(service);
  },
});

/** Hides a new record for a while, if a fault demands it. */
function coverNew({ veil }: Service, { acts }: Call, { id }: { id: string }): void {
  const stale = acts.find((act) => "staleMs" in act);
  if (stale !== undefined) veil.cover(id, stale.staleMs);
}

function keyOf({ settings }: Service, { query, headers }: FastifyRequest): string | undefined {
  if (typeof query === "object" && query !== null && "api_key" in query) return String(query.api_key);
  return settings.graphqlKeyIn === "either" ? bearerKey(headers.authorization) : undefined;
}

const isRequest = (body: unknown): body is GraphqlRequest =>
  typeof body === "object" && body !== null && "query" in body && typeof body.query === "string";
