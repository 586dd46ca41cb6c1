import { flag } from "../http/query";
import { type Route, route } from "../http/route";
import { MOST } from "../model/bounds";
import { list } from "../model/lookup";
import { createPod, findStandalone, orderPod, updatePod } from "../model/podRules";
import { createPodRequest, listPodsResponse, pod, podActionRequest, updatePodRequest } from "../model/podSchemas";
import { removePod } from "../model/pods";
import { nounRoutes } from "./noun";
import { podShown } from "./podView";

export const routes: readonly Route[] = [
  ...nounRoutes({
    noun: "Pod",
    many: "pods",
    called: "pod",
    path: "/v2/pods",
    right: "pods",
    item: pod,
    createBody: createPodRequest,
    mostBytes: MOST.podBytes,
    updateBody: updatePodRequest,
    errors: { create: [400, 402, 404, 413], update: [400, 409], delete: [409] },
    listQuery: { includeClusterPods: flag.default(false) },
    listAnswer: listPodsResponse,
    listed: (service) => list(service, service.store.pods).toReversed(),
    onPage: ({ cluster }, { includeClusterPods }) => cluster === null || includeClusterPods,
    changeable: findStandalone,
    toAnswer: podShown,
    create: ({ service, body, call }) => createPod(service, call, body),
    update: updatePod,
    remove: removePod,
  }),
  route({
    method: "POST",
    path: "/v2/pods/{id}/action",
    operationId: "podAction",
    summary: "Start, stop, restart or terminate a pod",
    right: "pods",
    body: podActionRequest,
    success: { 200: pod, 204: null },
    errors: [400, 409],
    handle: ({ service, params, body, call }) => {
      const after = orderPod(service, call, findStandalone(service, params.id), body.action);
      return after && podShown(service, after);
    },
  }),
];
