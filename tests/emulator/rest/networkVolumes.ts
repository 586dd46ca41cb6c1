import { z } from "zod";
import { DATA_CENTERS } from "../catalog/dataCenters";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";
import { newId } from "../ids";
import { badRequest } from "../problem";
import { sent } from "./container";
import { find, list } from "./lookup";

export const volumeType = named("VolumeType", z.enum(["STANDARD", "HIGH_PERFORMANCE"]));
const size = z.int().min(10).max(4096);
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
const listResponse = named("ListNetworkVolumesResponse", z.object({ networkVolumes: z.array(networkVolume) }));

const offering = Array.from(DATA_CENTERS.values()).filter(({ networkVolumeTypes }) => networkVolumeTypes.length > 0);

export const networkVolumeRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/network-volumes",
    operationId: "listNetworkVolumes",
    summary: "List network volumes",
    area: "networkVolumes",
    success: { 200: listResponse },
    handle: ({ service }) => ({ networkVolumes: list(service, service.store.networkVolumes) }),
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
    handle: ({ service, body }) => {
      const dataCenter = offering.find(({ id }) => id === body.dataCenter);
      if (dataCenter === undefined)
        throw badRequest(
          `data center '${body.dataCenter}' does not support network volumes; supported data centers: ${offering.map(({ id }) => id).join(", ")}`,
        );
      const type = body.type ?? dataCenter.networkVolumeTypes[0];
      if (type === undefined || !dataCenter.networkVolumeTypes.includes(type))
        throw badRequest(`data center '${body.dataCenter}' does not offer ${body.type} network volumes`);
      return service.store.networkVolumes.put({ ...body, id: newId.networkVolume(), type });
    },
  }),
  route({
    method: "GET",
    path: "/v2/network-volumes/{id}",
    operationId: "getNetworkVolume",
    summary: "Get a network volume",
    area: "networkVolumes",
    success: { 200: networkVolume },
    errors: [404],
    handle: ({ service, params }) => find(service, service.store.networkVolumes, params.id, "network volume"),
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
    handle: ({ service, params, body }) => {
      const volume = find(service, service.store.networkVolumes, params.id, "network volume");
      if (body.size !== undefined && body.size < volume.size)
        throw badRequest(`network volume size can only grow: it is ${volume.size} GB`);
      return service.store.networkVolumes.put({ ...volume, ...sent(body) });
    },
  }),
  route({
    method: "DELETE",
    path: "/v2/network-volumes/{id}",
    operationId: "deleteNetworkVolume",
    summary: "Delete a network volume",
    area: "networkVolumes",
    success: { 204: null },
    errors: [400, 404],
    handle: ({ service, params }) => {
      const { store } = service;
      const { id } = find(service, store.networkVolumes, params.id, "network volume");
      const inUse =
        store.pods.by("volume", id).length > 0 ||
        store.endpoints.by("volume", id).some(({ workers }) => workers.max > 0);
      if (inUse) throw badRequest("network volume is in use: remove it from all pods and serverless workers first");
      store.networkVolumes.delete(id);
    },
  }),
];
