import { createEndpoint, removeEndpoint, updateEndpoint } from "../model/endpoints";
import { find } from "../model/lookup";
import { badRequest } from "../problem";
import type { Service } from "../service";
import type { EndpointRecord } from "../store/records";
import { gpuIdsOf, instanceIdOf } from "./compute";
import { containerOf, draftFrom, type EndpointInput, templateOf } from "./draft";
import { toList } from "./environment";
import { volumeShown } from "./storage";
import { templateShown } from "./templates";

/**
 * Creates an endpoint, or with an id replaces it as a whole. Omitted fields return to their default (idleTimeout, scaler,
 * workers, gpuCount) or to null (instanceIds, locations). Only template, volumes, type, models, execution timeout, CUDA and
 * FlashBoot stay as they were.
 */
export function saveEndpoint(service: Service, input: EndpointInput): EndpointRecord {
  const before = input.id == null ? undefined : findEndpoint(service, input.id);
  const draft = draftFrom(service, input, before);
  return before === undefined ? createEndpoint(service, draft) : updateEndpoint(service, before, draft);
}

/** Replaces an endpoint's template, and nothing else. */
export function updateEndpointTemplate(service: Service, endpointId: string, templateId: string): EndpointRecord {
  const before = findEndpoint(service, endpointId);
  const template = templateOf(service, { templateId }, before);
  return updateEndpoint(service, before, { ...before, ...containerOf(template, {}, before) });
}

/** Deletes an endpoint; by some documents only one whose workers are set to 0 and have all ended. */
export function deleteEndpoint(service: Service, id: string): null {
  const endpoint = findEndpoint(service, id);
  if (!service.settings.graphqlDeletesWithWorkers) {
    if (endpoint.workers.min > 0 || endpoint.workers.max > 0)
      throw badRequest("Please set workersMin and workersMax to 0 before deleting the endpoint");
    const left = service.store.workers.count("endpoint", id);
    if (left > 0) throw badRequest(`Endpoint still has ${left} active workers: try again when they have stopped`);
  }
  removeEndpoint(service, endpoint);
  return null;
}

export const findEndpoint = (service: Service, id: string): EndpointRecord =>
  find(service, service.store.endpoints, id, "endpoint");

/** An endpoint in GraphQL's fields; those of the record with the same names are unchanged. */
export function endpointShown(service: Service, endpoint: EndpointRecord) {
  const { store, clock, settings } = service;
  const { id, gpu, cpu, scaling, workers, networkVolumes } = endpoint;
  return {
    ...endpoint,
    gpuIds: gpu && gpuIdsOf(gpu),
    type: endpoint.type === "QUEUE" ? "QB" : "LB",
    instanceIds: cpu?.map(instanceIdOf) ?? null,
    networkVolumeId: networkVolumes[0] ?? null,
    networkVolumeIds: networkVolumes.map((networkVolumeId) => ({
      networkVolumeId,
      dataCenterId: store.networkVolumes.get(networkVolumeId)?.dataCenter ?? null,
    })),
    idleTimeout: workers.idleTimeout,
    scalerType: scaling.type,
    // GraphQL's value is an integer, REST's may be a fraction.
    scalerValue: scaling.type === "QUEUE_DELAY" ? Math.ceil(scaling.queueDelay) : scaling.requestCount,
    workersMax: workers.max,
    workersMin: workers.min,
    workersStandby: workers.max,
    gpuCount: gpu?.count ?? null,
    executionTimeoutMs: endpoint.timeout,
    flashBootType: endpoint.flashboot,
    allowedCudaVersions: gpu?.allowedCudaVersions.join(",") ?? null,
    minCudaVersion: gpu?.minCudaVersion ?? null,
    modelReferences: endpoint.modelReferences ?? [],
    env: toList(endpoint.env),
    pods: () =>
      store.workers
        .by("endpoint", id)
        .map((worker) => ({
          id: worker.id,
          name: endpoint.name,
          imageName: worker.image,
          gpuCount: worker.gpuCount,
          desiredStatus: "RUNNING",
          createdAt: clock.iso(worker.createdAt),
        })),
    computeType: gpu === null ? "CPU" : "GPU",
    userId: settings.account.id,
    networkVolume: () => {
      const volume = store.networkVolumes.get(networkVolumes[0] ?? "");
      return volume ? volumeShown(service, volume) : null;
    },
    template: () => {
      const template = store.templates.get(endpoint.templateId);
      return template ? templateShown(template) : null;
    },
    ...endpoint.deployment,
    createdAt: clock.iso(endpoint.createdAt),
  };
}
