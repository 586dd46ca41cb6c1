import { z } from "zod";
import { named } from "../http/openapi";
import { pageOf, pagination, paging } from "../http/paging";
import { type Asked, type Route, route } from "../http/route";
import { find, list } from "../model/lookup";
import { Problem } from "../problem";
import type { Service } from "../service";
import type { KeyRight } from "../settings";
import type { Collection, Identified } from "../store/collection";

type Errors = readonly (400 | 402 | 404 | 405 | 409)[];

/** What differs between nouns with the usual list, create, read, update and delete. */
interface NounFacts<R extends Identified, Create extends z.ZodType, Update extends z.ZodType> {
  /** In operation ids, such as `CostCenter`. */
  readonly noun: string;
  /** The property of the list's answer, such as `costCenters`. */
  readonly many: string;
  /** In texts, such as `cost center`. */
  readonly called: string;
  readonly path: `/v2/${string}`;
  readonly right: KeyRight;
  /** Its tag in the document. Default: the right. */
  readonly tag?: string;
  /** Schema of what is shown. */
  readonly item: z.ZodType;
  readonly createBody: Create;
  readonly updateBody: Update;
  /** Refusals besides the 404 for an unknown id. */
  readonly errors?: { readonly create?: Errors; readonly update?: Errors; readonly delete?: Errors };
  /** Replaces the list that comes in pages. */
  readonly list?: Route;
  /** Replaces the plain read. */
  readonly get?: Route;
  records(service: Service): Pick<Collection<R>, "name" | "get" | "values" | "delete">;
  /** The record of an id, to be changed or deleted. Default: the one in `records`. */
  found?(service: Service, id: string): R;
  /** Whether the service is too old for this method: it is refused whatever the id. Default: it has both. */
  lacks?(service: Service, method: "PATCH" | "DELETE"): boolean;
  shown(service: Service, record: R): unknown;
  create(asked: Asked<unknown, unknown, z.output<Create>>): R;
  update(service: Service, before: R, patch: z.output<Update>): R;
  /** Default: only the record goes. */
  remove?(service: Service, record: R): void;
}

/** The five operations of a noun. */
export function nounRoutes<R extends Identified, Create extends z.ZodType, Update extends z.ZodType>(
  facts: NounFacts<R, Create, Update>,
): readonly Route[] {
  const { noun, many, called, path, right, tag, item, errors = {}, records, shown } = facts;
  const itemPath = `${path}/{id}` as const;
  const listId = `list${many.charAt(0).toUpperCase()}${many.slice(1)}`;
  const { found = (service: Service, id: string) => find(service, records(service), id, called) } = facts;
  const toChange = (service: Service, id: string, method: "PATCH" | "DELETE") => {
    if (facts.lacks?.(service, method)) throw new Problem(405, "The requested method is not allowed.");
    return found(service, id);
  };
  return [
    facts.list ??
      route({
        method: "GET",
        path,
        operationId: listId,
        summary: `List ${called}s`,
        right,
        tag,
        query: z.object(paging),
        success: { 200: named(`List${listId.slice(4)}Response`, z.object({ [many]: z.array(item), pagination })) },
        handle: ({ service, query }) => {
          const { page, pagination } = pageOf(list(service, records(service)), query, listId);
          return { [many]: page.map((record) => shown(service, record)), pagination };
        },
      }),
    route({
      method: "POST",
      path,
      operationId: `create${noun}`,
      summary: `Create a ${called}`,
      right,
      tag,
      body: facts.createBody,
      success: { 201: item },
      ...(errors.create && { errors: errors.create }),
      handle: (asked) => shown(asked.service, facts.create(asked)),
    }),
    facts.get ??
      route({
        method: "GET",
        path: itemPath,
        operationId: `get${noun}`,
        summary: `Get a ${called}`,
        right,
        tag,
        success: { 200: item },
        errors: [404],
        handle: ({ service, params }) => shown(service, found(service, params.id)),
      }),
    route({
      method: "PATCH",
      path: itemPath,
      operationId: `update${noun}`,
      summary: `Change a ${called}`,
      right,
      tag,
      body: facts.updateBody,
      success: { 200: item },
      errors: [404, ...(errors.update ?? [])],
      handle: ({ service, params, body }) =>
        shown(service, facts.update(service, toChange(service, params.id, "PATCH"), body)),
    }),
    route({
      method: "DELETE",
      path: itemPath,
      operationId: `delete${noun}`,
      summary: `Delete a ${called}`,
      right,
      tag,
      success: { 204: null },
      errors: [404, ...(errors.delete ?? [])],
      handle: ({ service, params }) => {
        const record = toChange(service, params.id, "DELETE");
        if (facts.remove === undefined) records(service).delete(record.id);
        else facts.remove(service, record);
      },
    }),
  ];
}

/** A change of some of these fields. */
export const patchOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .partial()
    .refine((patch) => Object.keys(patch).length > 0, "minProperties: got 0, want 1")
    .meta({ minProperties: 1 });
