import type { z } from "zod";
import { type Operation, operation } from "../calls/operation";
import type { CatalogCalls } from "../nouns";
import { type CallOptions, splitOptions } from "../options";
import type { Noun } from "../outcomes/statuses";
import {
  CpuQuery,
  CpuType,
  DataCenter,
  DataCenterInclude,
  DataCenterQuery,
  GpuQuery,
  GpuType,
  ListCpuTypes,
  ListDataCenters,
  ListGpuTypes,
  PublicTemplateQuery,
} from "../schemas/catalog";
import { ListTemplates } from "../schemas/templates";
import type { Rest } from "./rest";

const PATH = "/v2/catalog";

/** A GET with a query. */
const asked = <Reply, Query>(path: string, kind: Noun, query: z.ZodType<Query>, reply: z.ZodType<Reply>) =>
  operation({ method: "GET", path: `${PATH}/${path}`, kind, query, reply });

export const catalogOperations = {
  gpus: asked("gpus", "GpuType", GpuQuery, ListGpuTypes),
  gpu: asked("gpus/{id}", "GpuType", GpuQuery, GpuType),
  cpus: asked("cpus", "CpuType", CpuQuery, ListCpuTypes),
  cpu: asked("cpus/{id}", "CpuType", CpuQuery, CpuType),
  dataCenters: asked("datacenters", "DataCenter", DataCenterQuery, ListDataCenters),
  dataCenter: asked("datacenters/{id}", "DataCenter", DataCenterInclude, DataCenter),
  templates: asked("templates", "Template", PublicTemplateQuery, ListTemplates),
};

export function catalog(rest: Rest): CatalogCalls {
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
  const templates = list(catalogOperations.templates, "templates");
  return {
    gpus: list(catalogOperations.gpus, "gpus"),
    gpu: one(catalogOperations.gpu),
    cpus: list(catalogOperations.cpus, "cpus"),
    cpu: one(catalogOperations.cpu),
    dataCenters: list(catalogOperations.dataCenters, "dataCenters"),
    dataCenter: one(catalogOperations.dataCenter),
    templates: (given: PublicTemplateQuery & CallOptions = {}) => {
      const { options, query } = splitOptions(given);
      return templates(query, options);
    },
  };
}
