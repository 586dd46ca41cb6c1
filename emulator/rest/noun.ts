import { z } from "zod";
import { pageOf, pagination, paging } from "../http/paging";
import { named, type Route, type RouteContext, route } from "../http/route";
import { find, list } from "../model/lookup";
import type { Unchanged } from "../model/sent";
import { notFound, Problem } from "../problem";
import type { Service } from "../service";
import type { KeyRight } from "../settings";
import type { CollectionName } from "../store";
import type { Collection, Identified } from "../store/collection";

type Errors = NonNullable<Parameters<typeof route>[0]["errors"]>;
type NoParameters = Record<never, z.ZodType>;
type Query<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** What differs between nouns that can be listed and read. */
interface ReadFacts<R extends Identified, Both extends z.ZodRawShape, List extends z.ZodRawShape> {
  /** In operation ids, such as `CostCenter`. */
  readonly noun: string;
  /** The property of the list's answer, such as `costCenters`. */
  readonly many: string;
  /** The noun's plural in the list's operation id. Default: `many`. */
  readonly plural?: string;
  /** In texts, such as `cost center`. */
  readonly called: string;
  readonly path: `/v2/${string}`;
  readonly right: KeyRight;
  /** Its tag in the document. Default: the right. */
  readonly tag?: string;
  /** Schema of what is shown. */
  readonly item: z.ZodObject;
  /** Parameters of the list and of a read. */
  readonly query?: Both;
  /** Further parameters of the list. */
  readonly listQuery?: List;
  /** Whether the list comes in pages. Default: yes. */
  readonly hasPages?: boolean;
  /** Schema of the list's answer. Default: made from `item`. */
  readonly listAnswer?: z.ZodType;
  /** Refusals of the list and of a read besides the 404 for an unknown id. */
  readonly readErrors?: Errors;
  listed(service: Service, query: Query<Both> & Query<List>): readonly R[];
  /** Whether a record of a page is shown. The page is cut before, so that it may be short or empty. Default: each is. */
  onPage?(record: R, query: Query<Both> & Query<List>): boolean;
  /** The record of an id. Undefined is answered with 404. */
  recordOf(service: Service, id: string): R | undefined;
  /** @param query of a list or a read */
  toAnswer(service: Service, record: R, query: Partial<Query<Both>>): unknown;
}

export function readRoutes<
  R extends Identified,
  Both extends z.ZodRawShape = NoParameters,
  List extends z.ZodRawShape = NoParameters,
>(facts: ReadFacts<R, Both, List>): readonly Route[] {
  const { noun, many, called, path, item, query, readErrors, listed, recordOf, toAnswer } = facts;
  const shared = { right: facts.right, tag: facts.tag };
  const { plural = `${many.charAt(0).toUpperCase()}${many.slice(1)}`, hasPages = true } = facts;
  const listAnswer = z.object({ [many]: z.array(item), ...(hasPages && { pagination }) });
  // The schemas are types of their shapes only to the caller, who gets the parsed values.
  const listShape = { ...query, ...facts.listQuery, ...(hasPages && paging) };
  const listQuery: z.ZodType | undefined = Object.keys(listShape).length === 0 ? undefined : z.object(listShape);
  const readQuery: z.ZodType | undefined = query && z.object(query);
  const listKey = (parameters: Query<Both> & Query<List>) =>
    [`list${plural}`, ...Object.keys(facts.listQuery ?? {}).map((name) => Reflect.get(parameters, name))].join(" ");
  return [
    route({
      path,
      operationId: `list${plural}`,
      summary: `List ${called}s`,
      ...shared,
      ...(listQuery && { query: listQuery }),
      success: { 200: facts.listAnswer ?? named(`List${plural}Response`, listAnswer) },
      errors: readErrors,
      handle: ({ service, query }) => {
        const parameters = (query ?? {}) as Query<Both> & Query<List>;
        const records = listed(service, parameters);
        const { page, ...rest } = hasPages
          ? pageOf(records, query as PageQuery, listKey(parameters))
          : { page: records };
        const visible = page.filter((record) => facts.onPage?.(record, parameters) ?? true);
        return { [many]: visible.map((record) => toAnswer(service, record, parameters)), ...rest };
      },
    }),
    route({
      path: `${path}/{id}` as const,
      operationId: `get${noun}`,
      summary: `Get a ${called}`,
      ...shared,
      ...(readQuery && { query: readQuery }),
      success: { 200: item },
      errors: readErrors,
      handle: ({ service, params, query }) => {
        const record = recordOf(service, params.id);
        if (record === undefined) throw notFound(called);
        return toAnswer(service, record, (query ?? {}) as Query<Both>);
      },
    }),
  ];
}

export type PageQuery = z.output<z.ZodObject<typeof paging>>;

/** What differs between nouns with the usual list, create, read, update and delete. */
interface NounFacts<
  R extends Identified,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Both extends z.ZodRawShape,
  List extends z.ZodRawShape,
> extends Omit<ReadFacts<R, Both, List>, "many" | "listed" | "recordOf" | "toAnswer"> {
  /** The property of the list's answer, and the collection's name. */
  readonly many: CollectionName;
  readonly createBody: Create;
  readonly updateBody: Update;
  /** Largest body of a create, in bytes. Default: any. */
  readonly mostBytes?: number;
  /** Refusals besides the 404 for an unknown id. */
  readonly errors?: { readonly create?: Errors; readonly update?: Errors; readonly delete?: Errors };
  /** Default: all records, oldest first. */
  listed?(service: Service, query: Query<Both> & Query<List>): readonly R[];
  /** Default: the one in the collection. */
  recordOf?(service: Service, id: string): R;
  /** The record of an id, to be changed or deleted. Default: `recordOf`. */
  changeable?(service: Service, id: string): R;
  /** The refusal to delete an unknown id. Default: that of `changeable`. */
  readonly unknownToDelete?: Problem;
  /** Whether the service is too old for this method: it is refused whatever the id. Default: it has both. */
  lacks?(service: Service, method: "PATCH" | "DELETE"): boolean;
  /** Default: the fields that `item` names. */
  toAnswer?(service: Service, record: R, query: Partial<Query<Both>>): unknown;
  create(context: RouteContext<unknown, unknown, z.output<Create>>): R;
  update(service: Service, before: R, patch: z.output<Update>): R;
  /** Default: only the record goes. */
  remove?(service: Service, record: R): void;
}

/** The five operations of a noun. */
export function nounRoutes<
  R extends Identified,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Both extends z.ZodRawShape = NoParameters,
  List extends z.ZodRawShape = NoParameters,
>(facts: NounFacts<R, Create, Update, Both, List>): readonly Route[] {
  const { noun, called, path, item, errors = {} } = facts;
  const shared = { right: facts.right, tag: facts.tag };
  const records = ({ store }: Service) => store.collections[facts.many] as Collection<R>;
  const { toAnswer = (_service: Service, record: R) => fieldsOf(item, record) } = facts;
  const { listed = (service) => list(service, records(service)) } = facts;
  const { recordOf = (service: Service, id: string) => find(service, records(service), id, called) } = facts;
  const toChange = (service: Service, id: string, method: "PATCH" | "DELETE") => {
    if (facts.lacks?.(service, method)) throw new Problem(405, "The requested method is not allowed.");
    const isUnknown = method === "DELETE" && records(service).get(id) === undefined;
    if (isUnknown && facts.unknownToDelete !== undefined) throw facts.unknownToDelete;
    return (facts.changeable ?? recordOf)(service, id);
  };
  const itemPath = `${path}/{id}` as const;
  return [
    ...readRoutes({ ...facts, listed, recordOf, toAnswer }),
    route({
      method: "POST",
      path,
      operationId: `create${noun}`,
      summary: `Create a ${called}`,
      ...shared,
      body: facts.createBody,
      mostBytes: facts.mostBytes,
      success: { 201: item },
      errors: errors.create,
      handle: (context) => toAnswer(context.service, facts.create(context), {}),
    }),
    route({
      method: "PATCH",
      path: itemPath,
      operationId: `update${noun}`,
      summary: `Change a ${called}`,
      ...shared,
      body: facts.updateBody,
      success: { 200: item },
      errors: errors.update,
      handle: ({ service, params, body }) =>
        toAnswer(service, facts.update(service, toChange(service, params.id, "PATCH"), body), {}),
    }),
    route({
      method: "DELETE",
      path: itemPath,
      operationId: `delete${noun}`,
      summary: `Delete a ${called}`,
      ...shared,
      success: { 204: null },
      errors: errors.delete,
      handle: ({ service, params }) => {
        const record = toChange(service, params.id, "DELETE");
        if (facts.remove === undefined) records(service).delete(record.id);
        else facts.remove(service, record);
      },
    }),
  ];
}

/** A record with the fields of a schema. Its times, such as `createdAt`, may be numbers. */
type Stored<T> = { readonly [K in keyof T]: Unchanged<T[K]> | (K extends `${string}At` ? number : never) };

/** A record as a schema shows it: no fields but the schema's, and times as RFC 3339. */
export const answerOf = <S extends z.ZodObject>(schema: S, record: Stored<z.output<S>>) => fieldsOf(schema, record);

function fieldsOf({ shape }: z.ZodObject, record: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const isTime = name.endsWith("At") && typeof value === "number";
    if (Object.hasOwn(shape, name)) fields[name] = isTime ? new Date(value).toISOString() : value;
  }
  return fields;
}

/** A change of some of these fields. */
export const patchOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((patch) => Object.keys(patch).length > 0, "minProperties: got 0, want 1")
    .meta({ minProperties: 1 });
