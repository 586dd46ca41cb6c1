import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { CreateRegistryRequest, ListRegistries, Registry, UpdateRegistryRequest } from "../schemas/registries";
import type { Rest } from "./rest";

const KIND = "Registry";

export const registryOperations = {
  list: operation({ method: "GET", path: "/v2/registries", kind: KIND, reply: ListRegistries }),
  get: operation({ method: "GET", path: "/v2/registries/{id}", kind: KIND, reply: Registry }),
  create: operation({
    method: "POST",
    path: "/v2/registries",
    kind: KIND,
    class: "create",
    body: CreateRegistryRequest,
    reply: Registry,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/registries/{id}",
    kind: KIND,
    body: UpdateRegistryRequest,
    reply: Registry,
  }),
  delete: operation({ method: "DELETE", path: "/v2/registries/{id}", kind: KIND }),
};

/** Credentials of private image registries. Names are unique within the account; what was stored is never shown again. */
export function registries(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(registryOperations.list, "registries", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(registryOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(registryOperations.list, "registries"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(registryOperations.list, "registries", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateRegistryRequest, options: CreateOptions = {}) =>
      rest.create(registryOperations.create, body, list, { ...options, namesAreUnique: true }),
    /** Puts other credentials under the same id; the name stays. */
    update: (id: string, credentials: UpdateRegistryRequest, options: CallOptions = {}) =>
      rest.call(registryOperations.update, { params: { id }, body: credentials, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(registryOperations.delete, id, options),
  };
}
