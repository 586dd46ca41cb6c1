import { operation } from "../operation";
import { type CallOptions, splitOptions } from "../options";
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

export const catalogOperations = {
  gpus: operation({
    method: "GET",
    path: "/v2/catalog/gpus",
    kind: "GpuType",
    query: GpuQuery,
    reply: ListGpuTypes,
  }),
  gpu: operation({ method: "GET", path: "/v2/catalog/gpus/{id}", kind: "GpuType", query: GpuQuery, reply: GpuType }),
  cpus: operation({
    method: "GET",
    path: "/v2/catalog/cpus",
    kind: "CpuType",
    query: CpuQuery,
    reply: ListCpuTypes,
  }),
  cpu: operation({ method: "GET", path: "/v2/catalog/cpus/{id}", kind: "CpuType", query: CpuQuery, reply: CpuType }),
  dataCenters: operation({
    method: "GET",
    path: "/v2/catalog/datacenters",
    kind: "DataCenter",
    query: DataCenterQuery,
    reply: ListDataCenters,
  }),
  dataCenter: operation({
    method: "GET",
    path: "/v2/catalog/datacenters/{id}",
    kind: "DataCenter",
    query: DataCenterInclude,
    reply: DataCenter,
  }),
  templates: operation({
    method: "GET",
    path: "/v2/catalog/templates",
    kind: "Template",
    query: PublicTemplateQuery,
    reply: ListTemplates,
  }),
};

/** What the service offers, with prices and, on request, what is free now. */
export function catalog(rest: Rest) {
  return {
    gpus: (query: GpuQuery = {}, options?: CallOptions) =>
      rest.listAll(catalogOperations.gpus, "gpus", { query, ...options }),
    /** @throws NotFoundError */
    gpu: (id: string, query: GpuQuery = {}, options?: CallOptions) =>
      rest.call(catalogOperations.gpu, { params: { id }, query, ...options }),
    cpus: (query: CpuQuery = {}, options?: CallOptions) =>
      rest.listAll(catalogOperations.cpus, "cpus", { query, ...options }),
    /** @throws NotFoundError */
    cpu: (id: string, query: CpuQuery = {}, options?: CallOptions) =>
      rest.call(catalogOperations.cpu, { params: { id }, query, ...options }),
    dataCenters: (query: DataCenterQuery = {}, options?: CallOptions) =>
      rest.listAll(catalogOperations.dataCenters, "dataCenters", { query, ...options }),
    /** @throws NotFoundError */
    dataCenter: (id: string, query: DataCenterInclude = {}, options?: CallOptions) =>
      rest.call(catalogOperations.dataCenter, { params: { id }, query, ...options }),
    /** Public templates, at most 100. Default: the official ones. */
    templates: (given: PublicTemplateQuery & CallOptions = {}) => {
      const { options, query } = splitOptions(given);
      return rest.listAll(catalogOperations.templates, "templates", { query, ...options });
    },
  };
}
