import type { z } from "zod";
import { type Operation, operation } from "../calls/operation";
import { type CallOptions, splitOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import type { Noun } from "../outcomes/statuses";
import { about, type Tolerant } from "../values/tolerant";
import type { Created, Listing, Rest } from "./rest";

/** What differs between nouns with the usual list, create, read, update and delete. */
interface Facts<List, Item, Create, Update, Query> {
  kind: Noun;
  /** Path of the list and of creates. An item's path appends its id. */
  path: string;
  list: z.ZodType<List>;
  item: z.ZodType<Item>;
  create: z.ZodType<Create>;
  update: z.ZodType<Update>;
  /** Schema of the list's query. */
  query?: z.ZodType<Query>;
}

export function collectionOperations<List, Item, Create, Update, Query = unknown>({
  kind,
  path,
  list,
  item,
  create,
  update,
  query,
}: Facts<List, Item, Create, Update, Query>) {
  const itemPath = `${path}/{id}`;
  return {
    list: operation<List, undefined, Query>({ method: "GET", path, kind, ...(query && { query }), reply: list }),
    get: operation({ method: "GET", path: itemPath, kind, reply: item }),
    create: operation({ method: "POST", path, kind, class: "create", body: create, reply: item }),
    update: operation({ method: "PATCH", path: itemPath, kind, body: update, reply: item }),
    delete: operation({ method: "DELETE", path: itemPath, kind }),
  };
}

interface Operations<Key extends string, Item, Create, Update, Query> {
  list: Operation<{ [K in Key]: Item[] }, undefined, Query>;
  get: Operation<Item, undefined, unknown>;
  create: Operation<Item, Create, undefined>;
  update: Operation<Item, Update, undefined>;
  delete: Operation<undefined, undefined, undefined>;
}

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
  const list = (given?: Query & CallOptions) => rest.listAll(operations.list, key, listArguments(given));
  const get = async (id: string, options: CallOptions = {}) =>
    about(kind, id, await rest.call(operations.get, { params: { id }, ...options }));
  const reads = rest.share(kind, inFull?.listing ?? (() => rest.listing(operations.list, key)), inFull?.get ?? get);
  return {
    list,
    iterate: (given?: Query & CallOptions) => rest.iterate(operations.list, key, listArguments(given)),
    get,
    read: (id: string, options?: CallOptions): Promise<Tolerant<Item> | undefined> => reads.read(id, options),
    create: (body: Create, options: CreateOptions = {}): Promise<Created<Item>> =>
      rest.create(operations.create, body, {
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

function listArguments<Given extends CallOptions>(given?: Given) {
  const { options, query } = splitOptions<CallOptions>(given ?? {});
  return { query, ...options };
}

function ownName(thing: object): string | undefined {
  return "name" in thing && typeof thing.name === "string" ? thing.name : undefined;
}
