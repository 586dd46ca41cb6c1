import { z } from "zod";
import { pageOf, pagination, paging } from "../http/paging";
import { named, type Route, route } from "../http/route";
import { newId } from "../ids";
import { find } from "../model/lookup";
import { attached, attachedAtFirst, attachmentRoutes, checkPresent, present } from "./attachments";
import { nounRoutes } from "./noun";

/** What all of its routes say of it. */
const NOUN = {
  noun: "CostCenter",
  many: "costCenters",
  called: "cost center",
  path: "/v2/cost-centers",
  right: "billing",
  tag: "costCenters",
} as const;
const costCenter = named("CostCenter", z.object({ id: z.string(), value: z.string() }));
const value = z.string().max(50).regex(/\S/);

export const routes: readonly Route[] = [
  ...nounRoutes({
    ...NOUN,
    item: costCenter,
    createBody: named("CreateCostCenterRequest", z.strictObject({ value, resources: attachedAtFirst })),
    updateBody: named("UpdateCostCenterRequest", z.strictObject({ value })),
    errors: { create: [400], update: [405], delete: [405] },
    create: ({ service, body: { value, resources } }) => {
      checkPresent(service, resources);
      return service.store.costCenters.put({ id: newId.costCenter(), value: value.trim(), resources });
    },
    lacks: ({ settings }) => !settings.changesCostCenters,
    update: (service, before, { value }) => service.store.costCenters.put({ ...before, value: value.trim() }),
  }),
  route({
    ...NOUN,
    path: `${NOUN.path}/{id}/resources`,
    operationId: "listCostCenterResources",
    summary: "List what is attributed to a cost center",
    query: z.object(paging),
    success: { 200: named("ListCostCenterResourcesResponse", z.object({ resources: z.array(attached), pagination })) },
    handle: ({ service, params, query }) => {
      const { id, resources } = find(service, service.store.costCenters, params.id, "cost center");
      const { page, pagination } = pageOf(present(service, resources), query, `listCostCenterResources ${id}`);
      return { resources: page, pagination };
    },
  }),
  ...attachmentRoutes(NOUN),
];
