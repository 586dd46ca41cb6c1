import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { csv } from "../http/query";
import { type Route, route } from "../http/route";
import { newId } from "../ids";
import { find, list } from "../model/lookup";
import { invalid } from "../problem";
import type { Service } from "../service";
import { recordsOf } from "../store";
import type { Attached } from "../store/records";
import { attached, attachedAtFirst, attachmentRoutes, checkPresent, present } from "./attachments";
import { nounRoutes, patchOf } from "./noun";

interface TagRecord {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resources: readonly Attached[];
}
const tags = recordsOf<TagRecord>("tags");

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

const findTag = (service: Service, id: string) => find(service, tags(service), id, "tag");

export const routes: readonly Route[] = [
  ...nounRoutes({
    noun: "Tag",
    many: "tags",
    called: "tag",
    path: "/v2/tags",
    right: "tags",
    item: tag,
    createBody: named("CreateTagRequest", z.strictObject({ key, value, resources: attachedAtFirst })),
    updateBody: named("UpdateTagRequest", patchOf({ key, value })),
    errors: { create: [400] },
    list: route({
      method: "GET",
      path: "/v2/tags",
      operationId: "listTags",
      summary: "List tags",
      right: "tags",
      query: z.object({ ...paging, include }),
      success: { 200: named("ListTagsResponse", z.object({ tags: z.array(tag), pagination })) },
      handle: ({ service, query }) => {
        const { page, pagination } = pageOf(list(service, tags(service)), query, "listTags");
        return { tags: page.map((each) => shown(service, each, query.include)), pagination };
      },
    }),
    get: route({
      method: "GET",
      path: "/v2/tags/{id}",
      operationId: "getTag",
      summary: "Get a tag",
      right: "tags",
      query: z.object({ include }),
      success: { 200: tag },
      errors: [404],
      handle: ({ service, params, query }) => shown(service, findTag(service, params.id), query.include),
    }),
    records: tags,
    shown: (service, record: TagRecord) => shown(service, record),
    create: ({ service, body: { key, value, resources } }) => {
      checkPresent(service, resources);
      const now = service.clock.now();
      return tags(service).put({ id: newId.tag(), key: key.trim(), value, createdAt: now, updatedAt: now, resources });
    },
    update: (service, before, { key = before.key, value = before.value }) =>
      tags(service).put({ ...before, key: key.trim(), value, updatedAt: service.clock.now() }),
  }),
  ...attachmentRoutes({
    noun: "Tag",
    path: "/v2/tags",
    right: "tags",
    find: findTag,
    put: (service, record: TagRecord) => void tags(service).put(record),
  }),
];
