import type { z } from "zod";
import { type Operation, operation } from "../calls/operation";
import { type CallOptions, splitOptions } from "../options";
import type { Subject } from "../outcomes/statuses";
import * as schemas from "../schemas/catalog";
import { listOf } from "../schemas/common";
import type { Rest } from "./rest";
import { Template } from "./templates";

/**
 * What the service offers, with list prices in USD an hour. `/v2/catalog`. With `include`, and `product`, an answer also tells
 * what is free now: that is not reserved, and may be gone at the next call.
 */
export interface CatalogCalls {
  /**
   * GPU types. `GET /v2/catalog/gpus`.
   *
   * @example
   * const gpus = await client.catalog.gpus({ include: ["AVAILABILITY"], product: ["SERVERLESS"] });
   */
  gpus(query?: schemas.GpuQuery, options?: CallOptions): Promise<schemas.GpuType[]>;
  /**
   * One GPU type. `GET /v2/catalog/gpus/{id}`.
   *
   * @throws NotFoundError
   * @example
   * const { memory, price } = await client.catalog.gpu("NVIDIA L4");
   */
  gpu(id: string, query?: schemas.GpuQuery, options?: CallOptions): Promise<schemas.GpuType>;
  /**
   * CPU flavors. `GET /v2/catalog/cpus`.
   *
   * @example
   * const cpus = await client.catalog.cpus();
   */
  cpus(query?: schemas.CpuQuery, options?: CallOptions): Promise<schemas.CpuType[]>;
  /**
   * One CPU flavor. `GET /v2/catalog/cpus/{id}`.
   *
   * @throws NotFoundError
   * @example
   * const flavor = await client.catalog.cpu("cpu5c");
   */
  cpu(id: string, query?: schemas.CpuQuery, options?: CallOptions): Promise<schemas.CpuType>;
  /**
   * Data centers. `GET /v2/catalog/datacenters`.
   *
   * @example
   * const places = await client.catalog.dataCenters({ include: ["GPU_AVAILABILITY"] });
   */
  dataCenters(query?: schemas.DataCenterQuery, options?: CallOptions): Promise<schemas.DataCenter[]>;
  /**
   * One data center. `GET /v2/catalog/datacenters/{id}`.
   *
   * @throws NotFoundError
   * @example
   * const { networkVolumeTypes } = await client.catalog.dataCenter("EU-RO-1");
   */
  dataCenter(id: string, query?: schemas.DataCenterInclude, options?: CallOptions): Promise<schemas.DataCenter>;
  /**
   * Public templates, at most 100. `GET /v2/catalog/templates`. Default: the official ones.
   *
   * @example
   * const templates = await client.catalog.templates({ source: "verified" });
   */
  templates(queryOptions?: schemas.PublicTemplateQuery & CallOptions): Promise<Template[]>;
}

const PATH = "/v2/catalog";

/** A GET with a query. */
const lookup = <Reply, Query>(path: string, kind: Subject, query: z.ZodType<Query>, reply: z.ZodType<Reply>) =>
  operation({ method: "GET", path: `${PATH}/${path}`, kind, query, reply });

export const operations = {
  gpus: lookup("gpus", "GpuType", schemas.GpuQuery, listOf("gpus", schemas.GpuType)),
  gpu: lookup("gpus/{id}", "GpuType", schemas.GpuQuery, schemas.GpuType),
  cpus: lookup("cpus", "CpuType", schemas.CpuQuery, listOf("cpus", schemas.CpuType)),
  cpu: lookup("cpus/{id}", "CpuType", schemas.CpuQuery, schemas.CpuType),
  dataCenters: lookup("datacenters", "DataCenter", schemas.DataCenterQuery, listOf("dataCenters", schemas.DataCenter)),
  dataCenter: lookup("datacenters/{id}", "DataCenter", schemas.DataCenterInclude, schemas.DataCenter),
  templates: lookup("templates", "Template", schemas.PublicTemplateQuery, listOf("templates", Template)),
};

export function calls(rest: Rest): CatalogCalls {
  const list =
    <Key extends string, Item, Query extends object>(
      operation: Operation<{ [K in Key]: Item[] }, undefined, Query>,
      key: Key,
    ) =>
    (query?: Query, options?: CallOptions) =>
      rest.listAll(operation, key, { query, ...options });
  const one =
    <Item, Query>(operation: Operation<Item, undefined, Query>) =>
    (id: string, query?: Query, options?: CallOptions) =>
      rest.call(operation, { params: { id }, query, ...options });
  const templates = list(operations.templates, "templates");
  return {
    gpus: list(operations.gpus, "gpus"),
    gpu: one(operations.gpu),
    cpus: list(operations.cpus, "cpus"),
    cpu: one(operations.cpu),
    dataCenters: list(operations.dataCenters, "dataCenters"),
    dataCenter: one(operations.dataCenter),
    templates: (queryOptions: schemas.PublicTemplateQuery & CallOptions = {}) => {
      const { options, query } = splitOptions(queryOptions);
      return templates(query, options);
    },
  };
}
