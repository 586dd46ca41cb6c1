import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { type Route, route } from "../http/route";
import { newId } from "../ids";
import { find, list } from "../model/lookup";
import { Problem } from "../problem";
import type { Service } from "../service";
import type { CostCenterRecord } from "../store/records";
import { attached, attachedAtFirst, attachmentRoutes, checkPresent, present } from "./attachments";

const costCenter = named("CostCenter", z.object({ id: z.string(), value: z.string() }));
const value = z.string().max(50).regex(/\S/);
const createRequest = named("CreateCostCenterRequest", z.strictObject({ value, resources: attachedAtFirst }));
const updateRequest = named("UpdateCostCenterRequest", z.strictObject({ value }));

const shown = ({ id, value }: CostCenterRecord) => ({ id, value });

const findCenter = (service: Service, id: string) => find(service, service.store.costCenters, id, "cost center");

function findToChange(service: Service, id: string): CostCenterRecord {
  if (!service.settings.changesCostCenters) throw new Problem(405, "The requested method is not allowed.");
  return findCenter(service, id);
}

export const costCenterRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/cost-centers",
    operationId: "listCostCenters",
    summary: "List cost centers",
    area: "costCenters",
    query: z.object(paging),
    success: { 200: named("ListCostCentersResponse", z.object({ costCenters: z.array(costCenter), pagination })) },
    handle: ({ service, query }) => {
      const { page, pagination } = pageOf(list(service, service.store.costCenters), query, "listCostCenters");
      return { costCenters: page.map(shown), pagination };
    },
  }),
  route({
    method: "POST",
    path: "/v2/cost-centers",
    operationId: "createCostCenter",
    summary: "Create a cost center",
    area: "costCenters",
    body: createRequest,
    success: { 201: costCenter },
    errors: [400],
    handle: ({ service, body: { value, resources } }) => {
      checkPresent(service, resources);
      return shown(service.store.costCenters.put({ id: newId.costCenter(), value: value.trim(), resources }));
    },
  }),
  route({
    method: "GET",
    path: "/v2/cost-centers/{id}",
    operationId: "getCostCenter",
    summary: "Get a cost center",
    area: "costCenters",
    success: { 200: costCenter },
    errors: [404],
    handle: ({ service, params }) => shown(findCenter(service, params.id)),
  }),
  route({
    method: "PATCH",
    path: "/v2/cost-centers/{id}",
    operationId: "updateCostCenter",
    summary: "Rename a cost center",
    area: "costCenters",
    body: updateRequest,
    success: { 200: costCenter },
    errors: [404, 405],
    handle: ({ service, params, body }) =>
      shown(service.store.costCenters.put({ ...findToChange(service, params.id), value: body.value.trim() })),
  }),
  route({
    method: "DELETE",
    path: "/v2/cost-centers/{id}",
    operationId: "deleteCostCenter",
    summary: "Delete a cost center",
    area: "costCenters",
    success: { 204: null },
    errors: [404, 405],
    handle: ({ service, params }) => {
      service.store.costCenters.delete(findToChange(service, params.id).id);
    },
  }),
  route({
    method: "GET",
    path: "/v2/cost-centers/{id}/resources",
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
    path: "/v2/cost-centers",
    area: "costCenters",
    find: findCenter,
    put: ({ store }, record: CostCenterRecord) => void store.costCenters.put(record),
  }),
];
