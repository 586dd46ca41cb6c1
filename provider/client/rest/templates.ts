import type { TemplateCalls } from "../nouns";
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

export const templates = (rest: Rest): TemplateCalls =>
  collection(rest, "templates", templateOperations, { namesAreUnique: true });
