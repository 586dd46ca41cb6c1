import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { DATA_CENTERS } from "../catalog/dataCenters";
import { flag } from "../http/query";
import { type Asked, type Route, route } from "../http/route";
import { newId } from "../ids";
import { computeOf, place } from "../placement";
import { actOnPod, bootPod, injectedEnv, removePod, resetContainer } from "../pods";
import { badRequest, conflict } from "../problem";
import type { Service } from "../service";
import type { PodRecord } from "../store/records";
import { CONTAINER_DEFAULTS, checkContainer, containerFrom, resolveTemplate, sent } from "./container";
import { checkRegistry, find, list } from "./lookup";
import {
  checkBalance,
  checkGlobalNetworking,
  checkVolumePlace,
  chooseCompute,
  chooseMounts,
  patchedMounts,
} from "./podRules";
import {
  type CreatePodRequest,
  createPodRequest,
  listPodsResponse,
  pod,
  podActionRequest,
  type UpdatePodRequest,
  updatePodRequest,
} from "./podSchemas";
import { podShown } from "./podView";

/** GB of container disk when neither body nor template says. */
const DEFAULT_DISK = 50;

export const podRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/pods",
    operationId: "listPods",
    summary: "List pods",
    area: "pods",
    query: z.object({ includeClusterPods: flag.default(false) }),
    success: { 200: listPodsResponse },
    handle: ({ service, query }) => ({
      pods: list(service, service.store.pods)
        .filter(({ cluster }) => cluster === null || query.includeClusterPods)
        .map((record) => podShown(service, record)),
    }),
  }),
  route({
    method: "POST",
    path: "/v2/pods",
    operationId: "createPod",
    summary: "Create a pod",
    area: "pods",
    body: createPodRequest,
    success: { 201: pod },
    errors: [400, 402, 404],
    handle: (asked) => podShown(asked.service, createPod(asked)),
  }),
  route({
    method: "GET",
    path: "/v2/pods/{id}",
    operationId: "getPod",
    summary: "Get a pod",
    area: "pods",
    success: { 200: pod },
    errors: [404],
    handle: ({ service, params }) => podShown(service, find(service, service.store.pods, params.id, "pod")),
  }),
  route({
    method: "PATCH",
    path: "/v2/pods/{id}",
    operationId: "updatePod",
    summary: "Update a pod",
    area: "pods",
    body: updatePodRequest,
    success: { 200: pod },
    errors: [400, 404, 409],
    handle: ({ service, params, body }) =>
      podShown(service, updatePod(service, findStandalone(service, params.id), body)),
  }),
  route({
    method: "DELETE",
    path: "/v2/pods/{id}",
    operationId: "deletePod",
    summary: "Terminate and delete a pod",
    area: "pods",
    success: { 204: null },
    errors: [404, 409],
    handle: ({ service, params }) => removePod(service, findStandalone(service, params.id)),
  }),
  route({
    method: "POST",
    path: "/v2/pods/{id}/action",
    operationId: "podAction",
    summary: "Start, stop, restart or terminate a pod",
    area: "pods",
    body: podActionRequest,
    success: { 200: pod, 204: null },
    errors: [400, 404, 409],
    handle: ({ service, params, body, call }) => {
      const before = findStandalone(service, params.id);
      // A start goes back to the host that the pod was on, which may have given its GPUs away.
      if (body.action === "start" && before.status === "EXITED")
        place(service, call, { cloud: before.cloud, dataCenterIds: [before.dataCenterId] }, computeOf(before));
      const after = actOnPod(service, before, body.action);
      return after && podShown(service, after);
    },
  }),
];

function createPod({ service, body, call }: Asked<unknown, unknown, CreatePodRequest>): PodRecord {
  const template = resolveTemplate(service, body.templateId, "pod");
  const container = {
    ...CONTAINER_DEFAULTS,
    disk: DEFAULT_DISK,
    ...sent(containerFields(containerFrom(template, body))),
  };
  checkContainer(container);
  checkRegistry(service, body.registry);
  const { cloud, dataCenterIds, globalNetworking } = body;
  const compute = chooseCompute(body, template);
  checkGlobalNetworking(globalNetworking, compute.gpu);
  const templateMounts = compute.cpu === null ? template?.mounts : undefined;
  const wanted = body.mounts ?? templateMounts;
  const { mounts, volume } = chooseMounts(service, wanted, { cpu: compute.cpu !== null, cloud });
  checkVolumePlace(volume, dataCenterIds);
  checkBalance(service, { ...compute, cloud });
  const wish = { cloud, dataCenterIds, volumeDataCenter: volume?.dataCenter, globalNetworking };
  const dataCenter = place(service, call, wish, computeOf(compute));
  const started = {
    startSsh: body.startSsh ?? template?.startSsh ?? false,
    startJupyter: body.startJupyter ?? template?.startJupyter ?? false,
  };
  return bootPod(service, {
    ...container,
    ...compute,
    ...started,
    id: newId.pod(),
    name: body.name,
    status: "PROVISIONING",
    bootsAt: null,
    cloud,
    dataCenterId: dataCenter.id,
    dataCenterIds,
    mounts,
    globalNetworking,
    globalNetworkIp: null,
    injectedEnv: injectedEnv(service, started),
    locked: false,
    templateId: body.templateId ?? null,
    cluster: null,
    machine: null,
    publicIp: null,
    publicPorts: {},
    createdAt: service.clock.now(),
    startedAt: null,
  });
}

function updatePod(service: Service, before: PodRecord, body: UpdatePodRequest): PodRecord {
  const template = resolveTemplate(service, body.templateId, "pod");
  const container = sent(containerFields(containerFrom(template, body)));
  checkContainer(container);
  checkRegistry(service, body.registry);
  if (body.globalNetworking === true) {
    checkGlobalNetworking(true, before.gpu);
    if (!DATA_CENTERS.get(before.dataCenterId)?.globalNetwork)
      throw badRequest(`data center ${before.dataCenterId} does not support global networking`);
  }
  const own = sent({ name: body.name, locked: body.locked, globalNetworking: body.globalNetworking });
  const record = { ...before, ...container, ...own, mounts: patchedMounts(before, body.mounts) };
  const after = service.store.pods.put(record);
  // What the container was made from has changed, so a running one is made anew.
  return after.status === "RUNNING" && !isDeepStrictEqual(containerFields(before), containerFields(after))
    ? resetContainer(service, after)
    : after;
}

const containerFields = <T extends Parameters<typeof checkContainer>[0]>({
  image,
  args,
  disk,
  ports,
  env,
  registry,
}: T) => ({
  image,
  args,
  disk,
  ports,
  env,
  registry,
});

/** Cluster members are the cluster's business. */
function findStandalone(service: Service, id: string): PodRecord {
  const record = find(service, service.store.pods, id, "pod");
  if (record.cluster !== null)
    throw conflict(`pod belongs to cluster ${record.cluster.id}: manage it through /v2/clusters/${record.cluster.id}`);
  return record;
}
