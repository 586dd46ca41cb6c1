import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { CreateTemplateRequest, ListTemplates, Template, UpdateTemplateRequest } from "../schemas/templates";
import type { Rest } from "./rest";

const KIND = "Template";

export const templateOperations = {
  list: operation({ method: "GET", path: "/v2/templates", kind: KIND, reply: ListTemplates }),
  get: operation({ method: "GET", path: "/v2/templates/{id}", kind: KIND, reply: Template }),
  create: operation({
    method: "POST",
    path: "/v2/templates",
    kind: KIND,
    class: "create",
    body: CreateTemplateRequest,
    reply: Template,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/templates/{id}",
    kind: KIND,
    body: UpdateTemplateRequest,
    reply: Template,
  }),
  delete: operation({ method: "DELETE", path: "/v2/templates/{id}", kind: KIND }),
};

/** Templates: what a container is made of. Names are unique within the account. */
export function templates(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(templateOperations.list, "templates", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(templateOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(templateOperations.list, "templates"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(templateOperations.list, "templates", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateTemplateRequest, options: CreateOptions = {}) =>
      rest.create(templateOperations.create, body, list, { ...options, namesAreUnique: true }),
    update: (id: string, patch: UpdateTemplateRequest, options: CallOptions = {}) =>
      rest.call(templateOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(templateOperations.delete, id, options),
  };
}
