import { z } from "zod";
import { named } from "../http/route";
import { createRegistry, removeRegistry } from "../model/registries";
import { badRequest } from "../problem";
import { nounRoutes } from "./noun";

/** No answer shows the credentials. */
const registry = named("Registry", z.object({ id: z.string(), name: z.string() }));
const text = z.string().min(1);
const updateRequest = z.strictObject({ username: text.max(191), password: text.max(16_384) });

export const routes = nounRoutes({
  noun: "Registry",
  many: "registries",
  called: "registry credential",
  path: "/v2/registries",
  right: "secrets",
  tag: "registries",
  item: registry,
  createBody: named("CreateRegistryRequest", z.strictObject({ name: text, username: text, password: text })),
  updateBody: named("UpdateRegistryRequest", updateRequest),
  errors: { create: [400], delete: [400] },
  hasPages: false,
  create: ({ service, body }) => createRegistry(service, body),
  lacks: ({ settings }, method) => method === "PATCH" && !settings.restPatchesRegistries,
  update: (service, before, credentials) => service.store.registries.put({ ...before, ...credentials }),
  // As measured.
  unknownToDelete: badRequest("Registry auth not found"),
  remove: removeRegistry,
});
