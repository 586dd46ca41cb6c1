import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import { BadRequestError, ValidationError } from "../errors";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { createdAt, idOf } from "../schemas/common";
import type { Tolerant } from "../values/tolerant";
import { AttachedResource, type AttachmentCalls, attachments } from "./attachments";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

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

export const TagQuery = z.strictObject({
  /** Includes the resources of each tag. Another version of the service may refuse this. */
  include: z.array(z.enum(["resources"])).optional(),
});
export type TagQuery = z.infer<typeof TagQuery>;

export const CreateTagRequest = z.strictObject({ key: z.string(), value: z.string() });
export type CreateTagRequest = z.infer<typeof CreateTagRequest>;

export const UpdateTagRequest = CreateTagRequest.partial();
export type UpdateTagRequest = z.infer<typeof UpdateTagRequest>;

/** Tags: a key and a value, on pods, clusters, endpoints and volumes. `/v2/tags`. */
export interface TagCalls extends CollectionCalls<Tag, CreateTagRequest, UpdateTagRequest, TagQuery>, AttachmentCalls {
  /**
   * Creates a tag. `POST /v2/tags`. Two tags may have the same key and value.
   *
   * @throws what {@link CollectionCalls.create} throws; PermissionError without the right `tags:write`
   * @example
   * const tag = await client.tags.create({ key: "team", value: "research" });
   */
  create(body: CreateTagRequest, options?: CreateOptions): Promise<Tag>;
  /**
   * Changes a tag's key or value. `PATCH /v2/tags/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws; PermissionError without the right `tags:write`
   * @example
   * await client.tags.update("tag_1a2b", { value: "serving" });
   */
  update(id: string, patch: UpdateTagRequest, options?: CallOptions): Promise<Tag>;
  /**
   * Every tag with its resources, where the service shows these (`include=resources`).
   *
   * @example
   * for (const { key, value, resources = [] } of await client.tags.listInFull()) console.log(key, value, resources.length);
   */
  listInFull(options?: CallOptions): Promise<Tag[]>;
}

const KIND = "Tag";
const PATH = "/v2/tags";

export const operations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    key: "tags",
    item: Tag,
    create: CreateTagRequest,
    update: UpdateTagRequest,
    query: TagQuery,
  }),
  get: operation({ method: "GET", path: `${PATH}/{id}`, kind: KIND, query: TagQuery, reply: Tag }),
};

export function calls(rest: Rest): TagCalls {
  let shows: TagQuery = { include: ["resources"] };
  /** Includes the resources, unless the service has refused that before. */
  const inFull = async <T>(ask: (query: TagQuery) => Promise<T>): Promise<T> => {
    try {
      return await ask(shows);
    } catch (error) {
      const refused = error instanceof ValidationError || error instanceof BadRequestError;
      if (!refused || shows.include === undefined) throw error;
      shows = {};
      return ask(shows);
    }
  };
  return {
    ...collection(rest, "tags", operations, {
      nameOf: ({ key, value }) => `${key}=${value}`,
      reads: {
        listing: () => inFull((query) => rest.listing(operations.list, "tags", { query })),
        get: (id) => inFull((query) => rest.call(operations.get, { params: { id }, query })),
      },
    }),
    listInFull: (options: CallOptions = {}) =>
      inFull((query) => rest.listAll(operations.list, "tags", { query, ...options })),
    ...attachments(rest, KIND, PATH),
  };
}
