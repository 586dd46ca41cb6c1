import { CreateTemplateRequest, ListTemplates, Template, UpdateTemplateRequest } from "../schemas/templates";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const templateOperations = collectionOperations({
  kind: "Template",
  path: "/v2/templates",
  list: ListTemplates,
  item: Template,
  create: CreateTemplateRequest,
  update: UpdateTemplateRequest,
});

/** Templates: what a container is made of. Names are unique within the account. */
export const templates = (rest: Rest) => collection(rest, "templates", templateOperations, { namesAreUnique: true });
