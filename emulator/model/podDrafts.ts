import { isDeepStrictEqual } from "node:util";
import type { Matchable } from "../http/faults";
import { badRequest, conflict, noCapacity, tooLarge } from "../problem";
import type { Service } from "../service";
import type { PodRecord } from "../store/records";
import { checkName, MOST } from "./bounds";
import { CONTAINER_DEFAULTS, checkContainer, containerFrom, containerPart, resolveTemplate } from "./container";
import { checkRegistry, find } from "./lookup";
import { computeOf, place } from "./placement";
import {
  checkBalance,
  checkGlobalNetworking,
  checkVolumePlace,
  chooseCompute,
  chooseMounts,
  patchedMounts,
} from "./podRules";
import type { createPodRequest, updatePodRequest } from "./podSchemas";
import { actOnPod, injectedEnv, type PodAction, resetContainer, startPod } from "./pods";
import { type Received, sent } from "./sent";

/** A request for a new pod, from either interface: what REST's create takes. */
export type PodDraft = Received<typeof createPodRequest>;
type PodPatch = Received<typeof updatePodRequest>;

/** Container disk in GB, if neither the draft nor its template sets it. */
const DEFAULT_DISK = 50;

/** What only GraphQL's creates say. */
export type PodTerms = Pick<PodRecord, "bid" | "stopsAt" | "terminatesAt">;

export function createPod(service: Service, call: Matchable, body: PodDraft, terms: PodTerms = {}): PodRecord {
  const template = resolveTemplate(service, body.templateId, "pod");
  const container = {
    ...CONTAINER_DEFAULTS,
    disk: DEFAULT_DISK,
    ...sent(containerPart(containerFrom(template, body))),
  };
  checkName(body.name);
  checkContainer(container);
  checkRegistry(service, body.registry);
  if (Buffer.byteLength(JSON.stringify({ ...body, ...container })) > MOST.podBytes) throw tooLarge(MOST.podBytes);
  const { cloud, dataCenterIds, globalNetworking } = body;
  const compute = chooseCompute(service, body, template);
  checkGlobalNetworking(service, globalNetworking, compute.gpu);
  const templateMounts = compute.cpu === null ? template?.mounts : undefined;
  const wanted = body.mounts ?? templateMounts;
  const { mounts, volume } = chooseMounts(service, wanted, { cpu: compute.cpu !== null, cloud });
  checkVolumePlace(volume, dataCenterIds);
  checkBalance(service, { ...compute, cloud, ...terms });
  const wish = { cloud, dataCenterIds, volumeDataCenter: volume?.dataCenter, globalNetworking };
  if (wish.cloud === "COMMUNITY" && wish.dataCenterIds.length > 0) throw noCapacity();
  const dataCenter = place(service, call, wish, computeOf(service, compute));
  const started = {
    startSsh: body.startSsh ?? template?.startSsh ?? false,
    startJupyter: body.startJupyter ?? template?.startJupyter ?? false,
  };
  return startPod(service, {
    ...container,
    ...compute,
    ...started,
    name: body.name,
    cloud,
    dataCenterId: dataCenter.id,
    dataCenterIds,
    mounts,
    globalNetworking,
    injectedEnv: injectedEnv(service, started),
    templateId: body.templateId ?? null,
    cluster: null,
    ...terms,
  });
}

export function updatePod(service: Service, before: PodRecord, body: PodPatch): PodRecord {
  const template = resolveTemplate(service, body.templateId, "pod");
  const container = sent(containerPart(containerFrom(template, body, before.args)));
  checkName(body.name ?? before.name);
  checkContainer(container);
  checkRegistry(service, body.registry);
  if (body.globalNetworking === true) {
    checkGlobalNetworking(service, true, before.gpu);
    if (!service.catalog.dataCenters.get(before.dataCenterId)?.globalNetwork)
      throw badRequest(`data center ${before.dataCenterId} does not support global networking`);
  }
  const podChanges = sent({ name: body.name, locked: body.locked, globalNetworking: body.globalNetworking });
  const record = { ...before, ...container, ...podChanges, mounts: patchedMounts(before, body.mounts) };
  // A change of the container's settings resets a running container.
  const resets = before.status === "RUNNING" && !isDeepStrictEqual(containerPart(before), containerPart(record));
  if (resets && before.locked) throw conflict("pod is locked: unlock it before changing its container");
  const after = service.store.pods.put(record);
  return resets ? resetContainer(service, after) : after;
}

/** Carries out an action; returns undefined when that deleted the pod. */
export function orderPod(service: Service, call: Matchable, pod: PodRecord, action: PodAction): PodRecord | undefined {
  // A start returns to the pod's former host, whose GPUs may be taken.
  if (action === "start" && pod.status === "EXITED")
    place(service, call, { cloud: pod.cloud, dataCenterIds: [pod.dataCenterId] }, computeOf(service, pod));
  return actOnPod(service, pod, action);
}

/** A pod that is not a member of a cluster. Members are managed through the cluster: 409. */
export function findStandalone(service: Service, id: string): PodRecord {
  const record = find(service, service.store.pods, id, "pod");
  if (record.cluster !== null)
    throw conflict(`pod belongs to cluster ${record.cluster.id}: manage it through /v2/clusters/${record.cluster.id}`);
  return record;
}
