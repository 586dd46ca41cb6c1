import type { z } from "zod";
import { operation } from "../calls/operation";
import { type CallOptions, splitOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import type { Subject } from "../outcomes/statuses";
import { listOf } from "../schemas/common";
import { about, type Tolerant } from "../values/tolerant";
import type { ListCall } from "./listCall";
import type { Created, Listing, Rest } from "./rest";

/**
 * The calls that most nouns of REST have. Their paths are the noun's own, such as `/v2/pods` and `/v2/pods/{id}`.
 *
 * Only `id` is certain to be in an item: any other field may be missing.
 */
export interface CollectionCalls<Item, Create, Update, Query = unknown> {
  /**
   * Every item of the account, all pages of the list. An item without a readable id is left out. Also for `for await`. `GET` of
   * the path.
   *
   * @throws ContractError when the answer has no list, TooLargeError above 1000 pages (`limits.pages`)
   * @example
   * for (const pod of await client.pods.list()) console.log(pod.id, pod.name);
   */
  list(queryOptions?: Query & CallOptions): ListCall<Item>;
  /**
   * The same items, one after another. A page is requested when the loop reaches it.
   *
   * @throws ContractError when the answer has no list, TooLargeError above 1000 pages (`limits.pages`)
   * @example
   * for await (const pod of client.pods.iterate()) console.log(pod.id, pod.name);
   */
  iterate(queryOptions?: Query & CallOptions): AsyncGenerator<Item, void, undefined>;
  /**
   * One item, by a request of its own. `GET` of the path with the id.
   *
   * @throws NotFoundError when the service has no such id
   * @example
   * const pod = await client.pods.get("xedezhzb9la3ye");
   */
  get(id: string, options?: CallOptions): Promise<Item>;
  /**
   * One item. Reads of the same moment share one list, so the answer may be 2 s old (`readWindowMs`).
   *
   * @returns undefined when the service says that it does not exist, and a list confirms it
   * @example
   * const pod = await client.pods.read("xedezhzb9la3ye");
   * if (pod === undefined) console.log("deleted");
   */
  read(id: string, options?: CallOptions): Promise<Item | undefined>;
  /**
   * Creates one item. It is sent again only when the service cannot have acted on it. When the answer is lost, the item is
   * searched for by its name for up to 90 s. Two items are not ruled out: something on the way may send the request twice.
   * `POST` to the path.
   *
   * @throws UsageError for an unknown field or a wrong type, before anything is sent; ValidationError (422) and
   *   BadRequestError (400) when the service refuses it; BalanceError (402); MayExistError when the answer was lost and no
   *   single item was found; AbortError when the signal ended it after it was sent
   * @example
   * const volume = await client.networkVolumes.create({ name: "models", size: 100, dataCenter: "EU-RO-1" });
   */
  create(body: Create, options?: CreateOptions): Promise<Item>;
  /**
   * Changes the given fields. It takes up to 90 s longer where an earlier change of one of them had no answer and may still
   * arrive: it is sent again then, so that it lasts. `PATCH` of the path with the id.
   *
   * @throws UsageError for an unknown field or a wrong type, before anything is sent; NotFoundError; ValidationError (422),
   *   BadRequestError (400) or ConflictError (409) when the service refuses the change
   * @example
   * await client.networkVolumes.update("vol_1a2b", { size: 200 });
   */
  update(id: string, patch: Update, options?: CallOptions): Promise<Item>;
  /**
   * Deletes one item. `DELETE` of the path with the id.
   *
   * @returns true; false when it was gone before, which a list has confirmed
   * @throws BadRequestError (400) or ConflictError (409) when it is in use
   * @example
   * await client.pods.delete("xedezhzb9la3ye");
   */
  delete(id: string, options?: CallOptions): Promise<boolean>;
}

/** What differs between nouns with the usual list, create, read, update and delete. */
interface Facts<Key, Item, Create, Update, Query> {
  kind: Subject;
  /** Path of the list and of creates. An item's path appends its id. */
  path: string;
  /** The property of the list's answer that holds the items. */
  key: Key;
  item: z.ZodType<Item>;
  create: z.ZodType<Create>;
  update: z.ZodType<Update>;
  /** Schema of the list's query. */
  query?: z.ZodType<Query>;
}

export function collectionOperations<Key extends string, Item, Create, Update, Query = unknown>({
  kind,
  path,
  key,
  item,
  create,
  update,
  query,
}: Facts<Key, Item, Create, Update, Query>) {
  const itemPath = `${path}/{id}`;
  return {
    list: operation<{ [K in Key]: Item[] }, undefined, Query>({
      method: "GET",
      path,
      kind,
      ...(query && { query }),
      reply: listOf(key, item),
    }),
    get: operation<Item, undefined, unknown>({ method: "GET", path: itemPath, kind, reply: item }),
    create: operation({ method: "POST", path, kind, class: "create", body: create, reply: item }),
    update: operation({ method: "PATCH", path: itemPath, kind, body: update, reply: item }),
    delete: operation({ method: "DELETE", path: itemPath, kind }),
  };
}

type Operations<Key extends string, Item, Create, Update, Query> = ReturnType<
  typeof collectionOperations<Key, Item, Create, Update, Query>
>;

interface Particulars<Create, Shown> {
  /** The service refuses a second item of the same name. Default: names may be shared. */
  namesAreUnique?: boolean;
  /** What the search for a lost create compares. Default: the name. */
  nameOf?: (thing: Create | Shown) => string | undefined;
  /** Requests of shared reads that need a query. Default: the plain list and read. */
  reads?: { listing?: () => Promise<Listing<Shown>>; get?: (id: string) => Promise<Shown> };
}

/**
 * The calls of one noun, as `CollectionCalls` in ../nouns describes them.
 *
 * @param key the property of the list's answer that holds the items
 */
export function collection<Key extends string, Item extends { id: string }, Create extends object, Update, Query>(
  rest: Rest,
  key: Key,
  operations: Operations<Key, Item, Create, Update, Query>,
  { namesAreUnique = false, nameOf = ownName, reads: inFull }: Particulars<Create, Tolerant<Item>> = {},
) {
  const { kind } = operations.list;
  const named = (item: Tolerant<Item>) => ({ ...item, name: nameOf(item) });
  const list = (queryOptions?: Query & CallOptions) => rest.listAll(operations.list, key, listArguments(queryOptions));
  const get = async (id: string, options: CallOptions = {}) =>
    about(kind, id, await rest.call(operations.get, { params: { id }, ...options }));
  const reads = rest.share(kind, inFull?.listing ?? (() => rest.listing(operations.list, key)), inFull?.get ?? get);
  return {
    list,
    iterate: (queryOptions?: Query & CallOptions) => rest.iterate(operations.list, key, listArguments(queryOptions)),
    get,
    read: (id: string, options?: CallOptions): Promise<Tolerant<Item> | undefined> => reads.read(id, options),
    create: (body: Create, options: CreateOptions = {}): Promise<Created<Item>> =>
      rest.create<Item, Create>(operations.create, body, {
        ...options,
        name: nameOf(body) ?? "",
        nameIdentifies: options.uniqueName === true || namesAreUnique,
        list: async (remaining) => (await rest.listAll(operations.list, key, remaining)).map(named),
      }),
    update: async (id: string, patch: Update, options: CallOptions = {}) =>
      about(kind, id, await rest.call(operations.update, { params: { id }, body: patch, ...options })),
    delete: (id: string, options?: CallOptions) =>
      rest.remove(operations.delete, id, (left) => rest.find(kind, id, (each) => get(id, each), left), options),
  };
}

function listArguments<Given extends CallOptions>(queryOptions?: Given) {
  const { options, query } = splitOptions<CallOptions>(queryOptions ?? {});
  return { query, ...options };
}

function ownName(thing: object): string | undefined {
  return "name" in thing && typeof thing.name === "string" ? thing.name : undefined;
}
