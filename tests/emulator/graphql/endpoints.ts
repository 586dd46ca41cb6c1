import { createEndpoint, type EndpointDraft, removeEndpoint, updateEndpoint } from "../endpoints";
import { badRequest, notFound } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord, FlashBoot } from "../store/records";

/** `EndpointInput` after the schema filled its defaults in. */
export interface EndpointInput {
  readonly id?: string | null;
  readonly name: string;
  readonly gpuIds?: string | null;
  readonly templateId?: string | null;
  readonly type?: string | null;
  readonly locations?: string | null;
  readonly networkVolumeId?: string | null;
  readonly idleTimeout: number;
  readonly scalerType: string;
  readonly scalerValue: number;
  readonly workersMax: number;
  readonly workersMin: number;
  readonly gpuCount: number;
  readonly executionTimeoutMs?: number | null;
  readonly flashBootType?: FlashBoot | null;
}

/** Creates, or with an id replaces: what the input leaves out goes back to its default. */
export function saveEndpoint(service: Service, input: EndpointInput): unknown {
  const before = input.id == null ? undefined : service.store.endpoints.get(input.id);
  if (input.id != null && before === undefined) throw notFound("endpoint");
  const template = service.store.templates.get(input.templateId ?? before?.templateId ?? "");
  if (template === undefined) throw notFound("template");
  if (input.gpuIds == null) throw badRequest("GPU ids are required");
  const gpuIds = input.gpuIds.split(",").map((id) => id.trim());
  const { image, args, disk, ports, env, registry } = template;
  const draft: EndpointDraft = {
    image,
    args,
    disk,
    ports,
    env,
    registry,
    name: input.name,
    type: input.type === "LB" ? "LOAD_BALANCER" : "QUEUE",
    templateId: template.id,
    gpu: {
      pools: gpuIds.filter((id) => !id.startsWith("-")),
      excludedTypes: gpuIds.filter((id) => id.startsWith("-")).map((id) => id.slice(1)),
      count: input.gpuCount,
      allowedCudaVersions: before?.gpu?.allowedCudaVersions ?? [],
      minCudaVersion: before?.gpu?.minCudaVersion ?? null,
    },
    cpu: null,
    workers: { min: input.workersMin, max: input.workersMax, idleTimeout: input.idleTimeout },
    scaling:
      input.scalerType === "REQUEST_COUNT"
        ? { type: "REQUEST_COUNT", requestCount: input.scalerValue }
        : { type: "QUEUE_DELAY", queueDelay: input.scalerValue },
    dataCenterIds: before?.dataCenterIds ?? [],
    locations: input.locations ?? null,
    networkVolumes: input.networkVolumeId ? [input.networkVolumeId] : (before?.networkVolumes ?? []),
    timeout: input.executionTimeoutMs ?? before?.timeout ?? 0,
    flashboot: input.flashBootType ?? before?.flashboot ?? "OFF",
  };
  return endpointShown(before === undefined ? createEndpoint(service, draft) : updateEndpoint(service, before, draft));
}

export function deleteEndpoint(service: Service, id: string): null {
  const endpoint = service.store.endpoints.get(id);
  if (endpoint === undefined) throw notFound("endpoint");
  if (endpoint.workers.min > 0 || endpoint.workers.max > 0)
    throw badRequest("Please set workersMin and workersMax to 0 before deleting the endpoint");
  removeEndpoint(service, endpoint);
  return null;
}

/** An endpoint in GraphQL's words. */
export function endpointShown(endpoint: EndpointRecord): unknown {
  const { gpu, scaling, workers } = endpoint;
  return {
    id: endpoint.id,
    name: endpoint.name,
    gpuIds: gpu && [...gpu.pools, ...gpu.excludedTypes.map((type) => `-${type}`)].join(","),
    templateId: endpoint.templateId,
    type: endpoint.type === "QUEUE" ? "QB" : "LB",
    locations: endpoint.locations,
    networkVolumeId: endpoint.networkVolumes[0] ?? null,
    idleTimeout: workers.idleTimeout,
    scalerType: scaling.type,
    scalerValue: scaling.type === "QUEUE_DELAY" ? scaling.queueDelay : scaling.requestCount,
    workersMax: workers.max,
    workersMin: workers.min,
    gpuCount: gpu?.count,
    executionTimeoutMs: endpoint.timeout,
    flashBootType: endpoint.flashboot,
    version: endpoint.version,
    createdAt: new Date(endpoint.createdAt).toISOString(),
  };
}
