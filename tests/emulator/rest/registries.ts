import { z } from "zod";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";
import { find, list } from "../model/lookup";
import { createRegistry, removeRegistry } from "../model/registries";
import { Problem } from "../problem";
import type { RegistryRecord } from "../store/records";

const registry = named("Registry", z.object({ id: z.string(), name: z.string() }));
const text = z.string().min(1);
const createRequest = named("CreateRegistryRequest", z.strictObject({ name: text, username: text, password: text }));
const updateRequest = named(
  "UpdateRegistryRequest",
  z.strictObject({ username: text.max(191), password: text.max(16_384) }),
);

/** No answer shows the credentials. */
const shown = ({ id, name }: RegistryRecord) => ({ id, name });

export const registryRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/registries",
    operationId: "listRegistries",
    summary: "List container registry credentials",
    area: "registries",
    success: { 200: named("ListRegistriesResponse", z.object({ registries: z.array(registry) })) },
    handle: ({ service }) => ({ registries: list(service, service.store.registries).map(shown) }),
  }),
  route({
    method: "POST",
    path: "/v2/registries",
    operationId: "createRegistry",
    summary: "Create a container registry credential",
    area: "registries",
    body: createRequest,
    success: { 201: registry },
    errors: [400],
    handle: ({ service, body }) => shown(createRegistry(service, body)),
  }),
  route({
    method: "GET",
    path: "/v2/registries/{id}",
    operationId: "getRegistry",
    summary: "Get a container registry credential",
    area: "registries",
    success: { 200: registry },
    errors: [404],
    handle: ({ service, params }) => shown(find(service, service.store.registries, params.id, "registry")),
  }),
  route({
    method: "PATCH",
    path: "/v2/registries/{id}",
    operationId: "updateRegistry",
    summary: "Change a container registry credential",
    area: "registries",
    body: updateRequest,
    success: { 200: registry },
    errors: [404],
    handle: ({ service, params, body }) => {
      if (!service.settings.restPatchesRegistries) throw new Problem(405, "The requested method is not allowed.");
      const before = find(service, service.store.registries, params.id, "registry");
      return shown(service.store.registries.put({ ...before, ...body }));
    },
  }),
  route({
    method: "DELETE",
    path: "/v2/registries/{id}",
    operationId: "deleteRegistry",
    summary: "Delete a container registry credential",
    area: "registries",
    success: { 204: null },
    errors: [400, 404],
    handle: ({ service, params }) =>
      removeRegistry(service, find(service, service.store.registries, params.id, "registry")),
  }),
];
