import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { AttachedResource } from "./attachments";
import { createdAt, idOf, Pagination } from "./common";

export const Tag = z.object({
  id: idOf("tag", "`adoptId` of a Tag"),
  key: z.string().describe("What it tells."),
  value: z.string().describe("What it tells of it; may be empty."),
  createdAt,
  updatedAt: z.string().describe("When its key or value was set last, RFC 3339."),
  resources: z
    .array(AttachedResource)
    .optional()
    .describe("What bears it; absent where the service does not show that."),
});
export type Tag = Tolerant<z.infer<typeof Tag>>;

export const ListTags = z.object({ tags: z.array(Tag), pagination: Pagination.optional() });

export const TagQuery = z.strictObject({
  /** Shows the resources of each tag. An older or newer service may refuse to be asked. */
  include: z.array(z.enum(["resources"])).optional(),
});
export type TagQuery = z.infer<typeof TagQuery>;

export const CreateTagRequest = z.strictObject({ key: z.string(), value: z.string() });
export type CreateTagRequest = z.infer<typeof CreateTagRequest>;

export const UpdateTagRequest = CreateTagRequest.partial();
export type UpdateTagRequest = z.infer<typeof UpdateTagRequest>;
