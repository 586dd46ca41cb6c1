import { operation } from "../calls/operation";
import type { DelegationCalls } from "../nouns";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { CreateDelegationRequest, EcrDelegation, ListDelegations } from "../schemas/registries";
import type { Rest } from "./rest";

const KIND = "EcrDelegation";
const PATH = "/v2/registries/delegations";

export const delegationOperations = {
  list: operation({ method: "GET", path: PATH, kind: KIND, reply: ListDelegations }),
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

export function delegations(rest: Rest): DelegationCalls {
  const listing = () => rest.listing(delegationOperations.list, "delegations");
  const list = (options: CallOptions = {}) => rest.listAll(delegationOperations.list, "delegations", options);
  // The service has no read by id, so a delegation that a fresh list lacks counts as deleted.
  const confirm = async (ids: readonly string[]) => {
    const { items, unreadable } = await listing();
    return ids.map((id) => items.find((delegation) => delegation.id === id) ?? unreadable);
  };
  const reads = rest.windows.share<Awaited<ReturnType<typeof list>>[number]>({ kind: KIND, list, confirm });
  rest.provesAbsence(KIND, listing);
  return {
    list,
    iterate: (options: CallOptions = {}) => rest.iterate(delegationOperations.list, "delegations", options),
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateDelegationRequest, options: CreateOptions = {}) =>
      rest.create(delegationOperations.create, body, {
        ...options,
        name: body.name ?? "",
        nameIdentifies: options.uniqueName === true,
        list,
      }),
    delete: (id: string, options?: CallOptions) =>
      rest.remove(delegationOperations.delete, id, async () => (await confirm([id]))[0], options),
  };
}
