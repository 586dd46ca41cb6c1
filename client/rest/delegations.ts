import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { createdAt, idOf, listOf } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import type { CollectionCalls } from "./collection";
import type { Rest } from "./rest";

/** Permission for the service to pull from a private ECR repository. */
export const EcrDelegation = z.object({
  id: idOf("delegation", "`adoptId` of an EcrDelegation"),
  name: z.string().nullish().describe("Its name; null or absent where it was given none."),
  delegatorUserId: z.string().describe("Id of the user that gave the permission."),
  awsUser: z.string().describe("AWS account of the repository."),
  repository: z.string().describe("Name of the ECR repository."),
  tag: z.string().describe("Tag of the image; any other tag of the repository can be pulled too."),
  awsRegion: z.string().describe("AWS region of the repository."),
  dockerRegistryUri: z.string().optional().describe("Address of the registry, as image names begin."),
  createdAt,
});
export type EcrDelegation = Tolerant<z.infer<typeof EcrDelegation>>;

export const CreateDelegationRequest = z.strictObject({ resource: z.string(), name: z.string().nullish() });
export type CreateDelegationRequest = z.infer<typeof CreateDelegationRequest>;

/** Permissions to pull from private ECR repositories. `/v2/registries/delegations`. They never change. */
export interface DelegationCalls
  extends Omit<CollectionCalls<EcrDelegation, CreateDelegationRequest, never>, "get" | "update"> {
  /**
   * Asks for a permission. `POST /v2/registries/delegations`.
   *
   * @throws what {@link CollectionCalls.create} throws
   * @example
   * const resource = "arn:aws:ecr:eu-central-1:123456789012:repository/chat";
   * const delegation = await client.delegations.create({ resource });
   */
  create(body: CreateDelegationRequest, options?: CreateOptions): Promise<EcrDelegation>;
}

const KIND = "EcrDelegation";
const PATH = "/v2/registries/delegations";

export const operations = {
  list: operation({ method: "GET", path: PATH, kind: KIND, reply: listOf("delegations", EcrDelegation) }),
  create: operation({
    method: "POST",
    path: PATH,
    kind: KIND,
    class: "create",
    body: CreateDelegationRequest,
    reply: EcrDelegation,
  }),
  delete: operation({ method: "DELETE", path: `${PATH}/{id}`, kind: KIND }),
};

export function calls(rest: Rest): DelegationCalls {
  const listing = () => rest.listing(operations.list, "delegations");
  const list = (options: CallOptions = {}) => rest.listAll(operations.list, "delegations", options);
  // The service has no read by id, so a delegation that a fresh list lacks counts as deleted.
  const confirm = async (ids: readonly string[]) => {
    const { items, unreadable } = await listing();
    return ids.map((id) => items.find((delegation) => delegation.id === id) ?? unreadable);
  };
  const reads = rest.windows.share<Awaited<ReturnType<typeof list>>[number]>({ kind: KIND, list, confirm });
  rest.provesAbsence(KIND, listing);
  return {
    list,
    iterate: (options: CallOptions = {}) => rest.iterate(operations.list, "delegations", options),
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateDelegationRequest, options: CreateOptions = {}) =>
      rest.create(operations.create, body, {
        ...options,
        name: body.name ?? "",
        nameIdentifies: options.uniqueName === true,
        list,
      }),
    delete: (id: string, options?: CallOptions) =>
      rest.remove(operations.delete, id, async () => (await confirm([id]))[0], options),
  };
}
