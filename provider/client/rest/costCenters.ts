import { operation } from "../calls/operation";
import type { CostCenterCalls } from "../nouns";
import type { CallOptions } from "../options";
import {
  CostCenter,
  CreateCostCenterRequest,
  ListCostCenterResources,
  ListCostCenters,
  UpdateCostCenterRequest,
} from "../schemas/costCenters";
import { attachments } from "./attachments";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const KIND = "CostCenter";
const PATH = "/v2/cost-centers";

/** The operations whose address the service's documentation shows. */
export const costCenterOperations = collectionOperations({
  kind: KIND,
  path: PATH,
  list: ListCostCenters,
  item: CostCenter,
  create: CreateCostCenterRequest,
  update: UpdateCostCenterRequest,
});
const resources = operation({
  method: "GET",
  path: `${PATH}/{id}/resources`,
  kind: KIND,
  reply: ListCostCenterResources,
});

export const costCenters = (rest: Rest): CostCenterCalls => ({
  ...collection(rest, "costCenters", costCenterOperations, { nameOf: ({ value }) => value }),
  ...attachments(rest, KIND, PATH),
  resources: async (id: string, options: CallOptions = {}) => {
    const { items, unreadable } = await rest.listing(resources, "resources", { params: { id }, ...options });
    return unreadable === undefined ? [...items] : undefined;
  },
});
