import { operation } from "../calls/operation";
import type { CostCenterCalls } from "../nouns";
import type { CallOptions } from "../options";
import { CostCenter, CreateCostCenterRequest, ListCostCenterResources, ListCostCenters } from "../schemas/costCenters";
import { attachments } from "./attachments";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const KIND = "CostCenter";
const PATH = "/v2/cost-centers";

const { list, get, create, ...unsure } = collectionOperations({
  kind: KIND,
  path: PATH,
  list: ListCostCenters,
  item: CostCenter,
  create: CreateCostCenterRequest,
  // The service documents no update. This placeholder is never sent.
  update: CreateCostCenterRequest,
});
const resources = operation({
  method: "GET",
  path: `${PATH}/{id}/resources`,
  kind: KIND,
  reply: ListCostCenterResources,
});

/** The operations that the service documents. */
export const costCenterOperations = { list, get, create };

export function costCenters(rest: Rest): CostCenterCalls {
  const { update: _, ...calls } = collection(
    rest,
    "costCenters",
    { ...costCenterOperations, ...unsure },
    { nameOf: ({ value }) => value },
  );
  return {
    ...calls,
    ...attachments(rest, { kind: KIND }, PATH),
    resources: async (id: string, options: CallOptions = {}) => {
      const { items, unreadable } = await rest.listing(resources, "resources", { params: { id }, ...options });
      return unreadable === undefined ? [...items] : undefined;
    },
  };
}
