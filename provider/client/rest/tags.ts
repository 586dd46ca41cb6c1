import { operation } from "../calls/operation";
import { BadRequestError, ValidationError } from "../errors";
import type { TagCalls } from "../nouns";
import type { CallOptions } from "../options";
import { CreateTagRequest, ListTags, Tag, TagQuery, UpdateTagRequest } from "../schemas/tags";
import { attachments } from "./attachments";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const KIND = "Tag";
const PATH = "/v2/tags";

export const tagOperations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    list: ListTags,
    item: Tag,
    create: CreateTagRequest,
    update: UpdateTagRequest,
    query: TagQuery,
  }),
  get: operation({
    method: "GET",
    path: `${PATH}/{id}`,
    kind: KIND,
    query: TagQuery,
    reply: Tag,
  }),
};

export function tags(rest: Rest): TagCalls {
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
    ...collection(rest, "tags", tagOperations, {
      nameOf: ({ key, value }) => `${key}=${value}`,
      reads: {
        listing: () => inFull((query) => rest.listing(tagOperations.list, "tags", { query })),
        get: (id) => inFull((query) => rest.call(tagOperations.get, { params: { id }, query })),
      },
    }),
    listInFull: (options: CallOptions = {}) =>
      inFull((query) => rest.listAll(tagOperations.list, "tags", { query, ...options })),
    ...attachments(rest, KIND, PATH),
  };
}
