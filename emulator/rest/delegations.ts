import { z } from "zod";
import { named, type Route, route } from "../http/route";
import { newId } from "../ids";
import { find, list } from "../model/lookup";
import { badRequest } from "../problem";
import { answerOf } from "./noun";

const delegation = named(
  "EcrDelegation",
  z.object({
    id: z.string(),
    name: z.string().nullable(),
    delegatorUserId: z.string(),
    awsUser: z.string(),
    repository: z.string(),
    tag: z.string(),
    awsRegion: z.string(),
    dockerRegistryUri: z.string(),
    createdAt: z.iso.datetime(),
  }),
);
const createRequest = named(
  "CreateDelegationRequest",
  z.strictObject({ resource: z.string(), name: z.string().nullable().default(null) }),
);

const ECR_ARN =
  /^arn:aws:ecr:(?<region>[a-z0-9-]+):(?<account>\d{12}):repository\/(?<repository>[a-z0-9][a-z0-9._/-]*[a-z0-9])$/;

/** A repository of this name simulates one whose policy does not allow the service to pull. */
const WITHOUT_PERMISSION = "no-pull-permission";

export const routes: readonly Route[] = [
  route({
    path: "/v2/registries/delegations",
    operationId: "listDelegations",
    summary: "List ECR delegations",
    right: "secrets",
    tag: "registries",
    success: { 200: named("ListDelegationsResponse", z.object({ delegations: z.array(delegation) })) },
    handle: ({ service }) => ({
      delegations: list(service, service.store.delegations).map((record) => answerOf(delegation, record)),
    }),
  }),
  route({
    method: "POST",
    path: "/v2/registries/delegations",
    operationId: "createDelegation",
    summary: "Register an ECR repository",
    right: "secrets",
    tag: "registries",
    body: createRequest,
    success: { 201: delegation },
    errors: [400],
    handle: ({ service, body }) => {
      const { region = "", account = "", repository = "" } = ECR_ARN.exec(body.resource)?.groups ?? {};
      if (repository === "") throw badRequest("resource must be the ARN of an ECR repository");
      if (Number(account) === 0) throw badRequest(`there is no AWS account ${account}`);
      if (repository === WITHOUT_PERMISSION)
        throw badRequest(`the policy of repository '${repository}' does not allow the service to pull`);
      const record = service.store.delegations.put({
        id: newId.delegation(),
        name: body.name,
        delegatorUserId: service.settings.account.id,
        awsUser: account,
        repository,
        tag: "latest",
        awsRegion: region,
        dockerRegistryUri: `${account}.dkr.ecr.${region}.amazonaws.com/${repository}`,
        createdAt: service.clock.now(),
      });
      return answerOf(delegation, record);
    },
  }),
  route({
    method: "DELETE",
    path: "/v2/registries/delegations/{id}",
    operationId: "revokeDelegation",
    summary: "Revoke an ECR delegation",
    right: "secrets",
    tag: "registries",
    success: { 204: null },
    handle: ({ service, params }) => {
      const { delegations } = service.store;
      delegations.delete(find(service, delegations, params.id, "delegation").id);
    },
  }),
];
