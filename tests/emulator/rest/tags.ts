import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { csv } from "../http/query";
import { type Route, route } from "../http/route";
import { newId } from "../ids";
import { find, list } from "../model/lookup";
import { invalid } from "../problem";
import type { Service } from "../service";
import type { TagRecord } from "../store/records";
import { attached, attachedAtFirst, attachmentRoutes, checkPresent, present } from "./attachments";

const key = z
  .string()
  .max(191)
  .regex(/\S/)
  .regex(/^(?!\s*[Rr][Uu][Nn][Pp][Oo][Dd]:)/);
const value = z.string().max(191);

const tag = named(
  "Tag",
  z.object({
    id: z.string(),
    key: z.string(),
    value: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    resources: z.array(attached).optional(),
  }),
);
const createRequest = named("CreateTagRequest", z.strictObject({ key, value, resources: attachedAtFirst }));
const updateRequest = named(
  "UpdateTagRequest",
  z
    .strictObject({ key: key.optional(), value: value.optional() })
    .refine((patch) => Object.keys(patch).length > 0, "minProperties: got 0, want 1")
    .meta({ minProperties: 1 }),
);

const include = csv(z.array(z.enum(["resources"]))).optional();

/** A tag in an answer. Its resources are shown only on request. */
function shown(service: Service, { resources, createdAt, updatedAt, ...rest }: TagRecord, asked: string[] = []) {
  if (asked.length > 0 && !service.settings.tagsShowResources) throw invalid(["query.include: unknown parameter"]);
  return {
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(asked.length > 0 && { resources: present(service, resources) }),
  };
}

const findTag = (service: Service, id: string) => find(service, service.store.tags, id, "tag");

export const tagRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/tags",
    operationId: "listTags",
    summary: "List tags",
    area: "tags",
    query: z.object({ ...paging, include }),
    success: { 200: named("ListTagsResponse", z.object({ tags: z.array(tag), pagination })) },
    handle: ({ service, query }) => {
      const { page, pagination } = pageOf(list(service, service.store.tags), query, "listTags");
      return { tags: page.map((each) => shown(service, each, query.include)), pagination };
    },
  }),
  route({
    method: "POST",
    path: "/v2/tags",
    operationId: "createTag",
    summary: "Create a tag",
    area: "tags",
    body: createRequest,
    success: { 201: tag },
    errors: [400],
    handle: ({ service, body: { key, value, resources } }) => {
      checkPresent(service, resources);
      const now = service.clock.now();
      const made = { id: newId.tag(), key: key.trim(), value, createdAt: now, updatedAt: now, resources };
      return shown(service, service.store.tags.put(made));
    },
  }),
  route({
    method: "GET",
    path: "/v2/tags/{id}",
    operationId: "getTag",
    summary: "Get a tag",
    area: "tags",
    query: z.object({ include }),
    success: { 200: tag },
    errors: [404],
    handle: ({ service, params, query }) => shown(service, findTag(service, params.id), query.include),
  }),
  route({
    method: "PATCH",
    path: "/v2/tags/{id}",
    operationId: "updateTag",
    summary: "Change the key or the value of a tag, wherever it is",
    area: "tags",
    body: updateRequest,
    success: { 200: tag },
    errors: [404],
    handle: ({ service, params, body }) => {
      const before = findTag(service, params.id);
      const changed = { key: body.key?.trim() ?? before.key, value: body.value ?? before.value };
      return shown(service, service.store.tags.put({ ...before, ...changed, updatedAt: service.clock.now() }));
    },
  }),
  route({
    method: "DELETE",
    path: "/v2/tags/{id}",
    operationId: "deleteTag",
    summary: "Delete a tag, and take it off all that bears it",
    area: "tags",
    success: { 204: null },
    errors: [404],
    handle: ({ service, params }) => {
      service.store.tags.delete(findTag(service, params.id).id);
    },
  }),
  ...attachmentRoutes({
    noun: "Tag",
    path: "/v2/tags",
    area: "tags",
    find: findTag,
    put: ({ store }, record: TagRecord) => void store.tags.put(record),
  }),
];
