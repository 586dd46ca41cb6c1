import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { CreateSecretRequest, ListSecrets, Secret, UpdateSecretRequest } from "../schemas/secrets";
import type { Rest } from "./rest";

const KIND = "Secret";

export const secretOperations = {
  list: operation({ method: "GET", path: "/v2/account/secrets", kind: KIND, reply: ListSecrets }),
  get: operation({ method: "GET", path: "/v2/account/secrets/{id}", kind: KIND, reply: Secret }),
  create: operation({
    method: "POST",
    path: "/v2/account/secrets",
    kind: KIND,
    class: "create",
    body: CreateSecretRequest,
    reply: Secret,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/account/secrets/{id}",
    kind: KIND,
    body: UpdateSecretRequest,
    reply: Secret,
  }),
  delete: operation({ method: "DELETE", path: "/v2/account/secrets/{id}", kind: KIND }),
};

/** Secrets of the account. Names are unique within it; values are never shown. */
export function secrets(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(secretOperations.list, "secrets", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(secretOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(secretOperations.list, "secrets"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(secretOperations.list, "secrets", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateSecretRequest, options: CreateOptions = {}) =>
      rest.create(secretOperations.create, body, list, { ...options, namesAreUnique: true }),
    /** Sets the value, the description, or both: a failure may leave the new value and the old description. */
    update: (id: string, patch: UpdateSecretRequest, options: CallOptions = {}) =>
      rest.call(secretOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(secretOperations.delete, id, options),
  };
}
