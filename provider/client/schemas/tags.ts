import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { AttachedResource } from "./attachments";
import { createdAt, idOf, Pagination } from "./common";

export const Tag = z.object({
  id: idOf("tag", "`adoptId` of a Tag"),
  key: z.string().describe("Its key."),
  value: z.string().describe("Its value; may be empty."),
  createdAt,
  updatedAt: z.string().describe("When its key or value was set last, RFC 3339."),
  resources: z
    .array(AttachedResource)
    .optional()
    .describe("The resources that carry it; absent where the service does not show them."),
});
export type Tag = Tolerant<z.infer<typeof Tag>>;

export const ListTags = z.object({ tags: z.array(Tag), pagination: Pagination.optional() });

export const TagQuery = z.strictObject({
  /** Includes the resources of each tag. Another version of the service may refuse this. */
  include: z.array(z.enum(["resources"])).optional(),
});
export type TagQuery = z.infer<typeof TagQuery>;

export const CreateTagRequest = z.strictObject({ key: z.string(), value: z.string() });
export type CreateTagRequest = z.infer<typeof CreateTagRequest>;

export const UpdateTagRequest = CreateTagRequest.partial();
export type UpdateTagRequest = z.infer<typeof UpdateTagRequest>;
