import { z } from "zod";
import { csv } from "../http/query";
import { named, type Route } from "../http/route";
import { newId } from "../ids";
import { invalid } from "../problem";
import type { TagRecord } from "../store/records";
import { attached, attachedAtFirst, attachmentRoutes, checkPresent, present } from "./attachments";
import { answerOf, nounRoutes, patchOf } from "./noun";

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

/** What all of its routes say of it. */
const NOUN = { noun: "Tag", many: "tags", called: "tag", path: "/v2/tags", right: "tags" } as const;

export const routes: readonly Route[] = [
  ...nounRoutes({
    ...NOUN,
    item: tag,
    createBody: named("CreateTagRequest", z.strictObject({ key, value, resources: attachedAtFirst })),
    updateBody: named("UpdateTagRequest", patchOf({ key, value })),
    errors: { create: [400] },
    query: { include },
    toAnswer: (service, { resources, ...rest }: TagRecord, { include = [] }) => {
      if (include.length > 0 && !service.settings.tagsShowResources)
        throw invalid(["query.include: unknown parameter"]);
      return answerOf(tag, { ...rest, ...(include.length > 0 && { resources: present(service, resources) }) });
    },
    create: ({ service, body: { key, value, resources } }) => {
      checkPresent(service, resources);
      const now = service.clock.now();
      return service.store.tags.put({
        id: newId.tag(),
        key: key.trim(),
        value,
        createdAt: now,
        updatedAt: now,
        resources,
      });
    },
    update: (service, before, { key = before.key, value = before.value }) =>
      service.store.tags.put({ ...before, key: key.trim(), value, updatedAt: service.clock.now() }),
  }),
  ...attachmentRoutes(NOUN),
];
