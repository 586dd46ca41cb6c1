import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { type Route, route } from "../http/route";
import { LEAST, MOST } from "../model/bounds";
import { find, list } from "../model/lookup";
import { createVolume, removeVolume, updateVolume } from "../model/networkVolumes";
import { sent } from "../model/sent";
import type { Service } from "../service";

export const volumeType = named("VolumeType", z.enum(["STANDARD", "HIGH_PERFORMANCE"]));
const size = z.int().min(LEAST.volumeGb).max(MOST.volumeGb);
const name = z.string().min(1);

const networkVolume = named(
  "NetworkVolume",
  z.object({ id: z.string(), name: z.string(), size, dataCenter: z.string(), type: volumeType }),
);
const createRequest = named(
  "CreateNetworkVolumeRequest",
  z.strictObject({ name, size, dataCenter: z.string().min(1), type: volumeType.optional() }),
);
const updateRequest = named(
  "UpdateNetworkVolumeRequest",
  z
    .strictObject({ name: name.optional(), size: size.optional() })
    .refine((patch) => Object.keys(patch).length > 0, "minProperties: got 0, want 1")
    .meta({ minProperties: 1 }),
);
const listResponse = named(
  "ListNetworkVolumesResponse",
  z.object({ networkVolumes: z.array(networkVolume), pagination }),
);

export const networkVolumeRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/network-volumes",
    operationId: "listNetworkVolumes",
    summary: "List network volumes",
    area: "networkVolumes",
    query: z.object(paging),
    success: { 200: listResponse },
    handle: ({ service, query }) => {
      const { page, pagination } = pageOf(list(service, service.store.networkVolumes), query, "listNetworkVolumes");
      return { networkVolumes: page, pagination };
    },
  }),
  route({
    method: "POST",
    path: "/v2/network-volumes",
    operationId: "createNetworkVolume",
    summary: "Create a network volume",
    area: "networkVolumes",
    body: createRequest,
    success: { 201: networkVolume },
    errors: [400],
    handle: ({ service, body }) => createVolume(service, body),
  }),
  route({
    method: "GET",
    path: "/v2/network-volumes/{id}",
    operationId: "getNetworkVolume",
    summary: "Get a network volume",
    area: "networkVolumes",
    success: { 200: networkVolume },
    errors: [404],
    handle: ({ service, params }) => findVolume(service, params.id),
  }),
  route({
    method: "PATCH",
    path: "/v2/network-volumes/{id}",
    operationId: "updateNetworkVolume",
    summary: "Rename or grow a network volume",
    area: "networkVolumes",
    body: updateRequest,
    success: { 200: networkVolume },
    errors: [400, 404],
    handle: ({ service, params, body }) => updateVolume(service, findVolume(service, params.id), sent(body)),
  }),
  route({
    method: "DELETE",
    path: "/v2/network-volumes/{id}",
    operationId: "deleteNetworkVolume",
    summary: "Delete a network volume",
    area: "networkVolumes",
    success: { 204: null },
    errors: [400, 404],
    handle: ({ service, params }) => removeVolume(service, findVolume(service, params.id)),
  }),
];

const findVolume = (service: Service, id: string) => find(service, service.store.networkVolumes, id, "network volume");
