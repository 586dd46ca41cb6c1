import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { type Route, route } from "../http/route";
import { newId } from "../ids";
import { find } from "../model/lookup";
import type { Service } from "../service";
import type { CostCenterRecord } from "../store/records";
import { attached, attachedAtFirst, attachmentRoutes, checkPresent, present } from "./attachments";
import { nounRoutes } from "./noun";

const PATH = "/v2/cost-centers";
const costCenter = named("CostCenter", z.object({ id: z.string(), value: z.string() }));
const value = z.string().max(50).regex(/\S/);
const findCenter = (service: Service, id: string) => find(service, service.store.costCenters, id, "cost center");

export const costCenterRoutes: readonly Route[] = [
  ...nounRoutes({
    noun: "CostCenter",
    many: "costCenters",
    called: "cost center",
    path: PATH,
    area: "costCenters",
    item: costCenter,
    createBody: named("CreateCostCenterRequest", z.strictObject({ value, resources: attachedAtFirst })),
    updateBody: named("UpdateCostCenterRequest", z.strictObject({ value })),
    errors: { create: [400], update: [405], delete: [405] },
    records: ({ store }) => store.costCenters,
    shown: (_, { id, value }: CostCenterRecord) => ({ id, value }),
    create: ({ service, body: { value, resources } }) => {
      checkPresent(service, resources);
      return service.store.costCenters.put({ id: newId.costCenter(), value: value.trim(), resources });
    },
    lacks: ({ settings }) => !settings.changesCostCenters,
    update: ({ store }, before, { value }) => store.costCenters.put({ ...before, value: value.trim() }),
  }),
  route({
    method: "GET",
    path: `${PATH}/{id}/resources`,
    operationId: "listCostCenterResources",
    summary: "List what is attributed to a cost center",
    area: "costCenters",
    query: z.object(paging),
    success: {
      200: named("ListCostCenterResourcesResponse", z.object({ resources: z.array(attached), pagination })),
    },
    errors: [404],
    handle: ({ service, params, query }) => {
      const { id, resources } = findCenter(service, params.id);
      const { page, pagination } = pageOf(present(service, resources), query, `listCostCenterResources ${id}`);
      return { resources: page, pagination };
    },
  }),
  ...attachmentRoutes({
    noun: "CostCenter",
    path: PATH,
    area: "costCenters",
    find: findCenter,
    put: ({ store }, record: CostCenterRecord) => void store.costCenters.put(record),
  }),
];
