import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { type Route, route } from "../http/route";
import { newId } from "../ids";
import { find, list } from "../model/lookup";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { GlobalVolumeRecord } from "../store/records";

const name = z.string().regex(/\S/).max(191);
const globalVolume = named(
  "GlobalVolume",
  z.object({
    id: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    createdByUserId: z.string().nullable(),
  }),
);
const createRequest = named("CreateGlobalVolumeRequest", z.strictObject({ name }));
const updateRequest = named(
  "UpdateGlobalVolumeRequest",
  z
    .strictObject({ name: name.optional() })
    .refine((patch) => Object.keys(patch).length > 0, "minProperties: got 0, want 1")
    .meta({ minProperties: 1 }),
);

const shown = ({ createdAt, ...rest }: GlobalVolumeRecord) => ({
  ...rest,
  createdAt: new Date(createdAt).toISOString(),
});

export const globalVolumeRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/global-volumes",
    operationId: "listGlobalVolumes",
    summary: "List global volumes",
    area: "globalVolumes",
    query: z.object(paging),
    success: {
      200: named("ListGlobalVolumesResponse", z.object({ globalVolumes: z.array(globalVolume), pagination })),
    },
    handle: ({ service, query }) => {
      const { page, pagination } = pageOf(list(service, service.store.globalVolumes), query, "listGlobalVolumes");
      return { globalVolumes: page.map(shown), pagination };
    },
  }),
  route({
    method: "POST",
    path: "/v2/global-volumes",
    operationId: "createGlobalVolume",
    summary: "Create a global volume",
    area: "globalVolumes",
    body: createRequest,
    success: { 201: globalVolume },
    handle: ({ service: { store, clock, settings }, body }) =>
      shown(
        store.globalVolumes.put({
          id: newId.globalVolume(),
          name: body.name.trim(),
          createdAt: clock.now(),
          createdByUserId: settings.account.id,
        }),
      ),
  }),
  route({
    method: "GET",
    path: "/v2/global-volumes/{id}",
    operationId: "getGlobalVolume",
    summary: "Get a global volume",
    area: "globalVolumes",
    success: { 200: globalVolume },
    errors: [404],
    handle: ({ service, params }) => shown(findVolume(service, params.id)),
  }),
  route({
    method: "PATCH",
    path: "/v2/global-volumes/{id}",
    operationId: "updateGlobalVolume",
    summary: "Rename a global volume",
    area: "globalVolumes",
    body: updateRequest,
    success: { 200: globalVolume },
    errors: [404],
    handle: ({ service, params, body }) => {
      const before = findVolume(service, params.id);
      return shown(service.store.globalVolumes.put({ ...before, name: body.name?.trim() ?? before.name }));
    },
  }),
  route({
    method: "DELETE",
    path: "/v2/global-volumes/{id}",
    operationId: "deleteGlobalVolume",
    summary: "Delete a global volume",
    area: "globalVolumes",
    success: { 204: null },
    errors: [400, 404],
    handle: ({ service, params }) => {
      const { id } = findVolume(service, params.id);
      const { pods, endpoints, globalVolumes } = service.store;
      const inUse =
        pods.by("globalVolume", id).length > 0 ||
        endpoints.by("globalVolume", id).some(({ workers }) => workers.max > 0);
      if (inUse) throw badRequest("global volume is in use: remove it from all pods and serverless workers first");
      globalVolumes.delete(id);
    },
  }),
];

const findVolume = (service: Service, id: string) => find(service, service.store.globalVolumes, id, "global volume");
