import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { idOf, listOf } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { AttachedResource, type AttachmentCalls, attachments } from "./attachments";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const CostCenter = z.object({
  id: idOf("cost center", "`adoptId` of a CostCenter"),
  value: z.string().describe("Its name."),
});
export type CostCenter = Tolerant<z.infer<typeof CostCenter>>;

/** How many resources a create takes. */
export const MOST_AT_CREATE = 100;

export const CreateCostCenterRequest = z.strictObject({
  value: z.string(),
  resources: z.array(AttachedResource).max(MOST_AT_CREATE).optional(),
});
export type CreateCostCenterRequest = z.infer<typeof CreateCostCenterRequest>;

export const UpdateCostCenterRequest = z.strictObject({ value: z.string() });
export type UpdateCostCenterRequest = z.infer<typeof UpdateCostCenterRequest>;

/** Cost centers, to which pods, clusters, endpoints and volumes are attributed. `/v2/cost-centers`. */
export interface CostCenterCalls
  extends CollectionCalls<CostCenter, CreateCostCenterRequest, UpdateCostCenterRequest>,
    AttachmentCalls {
  /**
   * Creates a cost center, at once with up to 100 resources.
   *
   * @throws what {@link CollectionCalls.create} throws
   * @example
   * const resources = [{ type: "NETWORK_VOLUME" as const, id: "vol_1a2b" }];
   * const center = await client.costCenters.create({ value: "research", resources });
   */
  create(body: CreateCostCenterRequest, options?: CreateOptions): Promise<CostCenter>;
  /**
   * Renames a cost center; its resources stay. An older service answers 404 or 405.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.costCenters.update("cc_1a2b", { value: "training" });
   */
  update(id: string, patch: UpdateCostCenterRequest, options?: CallOptions): Promise<CostCenter>;
  /**
   * The resources of a cost center. `GET /v2/cost-centers/{id}/resources`.
   *
   * @returns undefined when the answer can't be read
   * @throws NotFoundError
   * @example
   * const resources = await client.costCenters.resources("cc_1a2b");
   */
  resources(id: string, options?: CallOptions): Promise<Tolerant<AttachedResource>[] | undefined>;
}

const KIND = "CostCenter";
const PATH = "/v2/cost-centers";

/** The operations whose address the service's documentation shows. */
export const operations = collectionOperations({
  kind: KIND,
  path: PATH,
  key: "costCenters",
  item: CostCenter,
  create: CreateCostCenterRequest,
  update: UpdateCostCenterRequest,
});
const resources = operation({
  method: "GET",
  path: `${PATH}/{id}/resources`,
  kind: KIND,
  reply: listOf("resources", AttachedResource),
});

export const calls = (rest: Rest): CostCenterCalls => ({
  ...collection(rest, "costCenters", operations, { nameOf: ({ value }) => value }),
  ...attachments(rest, KIND, PATH),
  resources: async (id: string, options: CallOptions = {}) => {
    const { items, unreadable } = await rest.listing(resources, "resources", { params: { id }, ...options });
    return unreadable === undefined ? [...items] : undefined;
  },
});
