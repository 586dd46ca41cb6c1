import { z } from "zod";
import { pageOf, paging } from "../http/paging";
import { flag } from "../http/query";
import { type Route, route } from "../http/route";
import { MOST } from "../model/bounds";
import { find, list } from "../model/lookup";
import { createPod, findStandalone, orderPod, updatePod } from "../model/podDrafts";
import { removePod } from "../model/pods";
import { createPodRequest, listPodsResponse, pod, podActionRequest, updatePodRequest } from "./podSchemas";
import { podShown } from "./podView";

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/pods",
    operationId: "listPods",
    summary: "List pods, newest first",
    right: "pods",
    query: z.object({ ...paging, includeClusterPods: flag.default(false) }),
    success: { 200: listPodsResponse },
    // Members of clusters are removed after the page is cut, so a page may be short or empty.
    handle: ({ service, query }) => {
      const shows = query.includeClusterPods;
      const { page, pagination } = pageOf(list(service, service.store.pods).toReversed(), query, `listPods ${shows}`);
      const pods = page.filter(({ cluster }) => cluster === null || shows);
      return { pods: pods.map((record) => podShown(service, record)), pagination };
    },
  }),
  route({
    method: "POST",
    path: "/v2/pods",
    operationId: "createPod",
    summary: "Create a pod",
    right: "pods",
    body: createPodRequest,
    mostBytes: MOST.podBytes,
    success: { 201: pod },
    errors: [400, 402, 404, 413],
    handle: ({ service, body, call }) => podShown(service, createPod(service, call, body)),
  }),
  route({
    method: "GET",
    path: "/v2/pods/{id}",
    operationId: "getPod",
    summary: "Get a pod",
    right: "pods",
    success: { 200: pod },
    errors: [404],
    handle: ({ service, params }) => podShown(service, find(service, service.store.pods, params.id, "pod")),
  }),
  route({
    method: "PATCH",
    path: "/v2/pods/{id}",
    operationId: "updatePod",
    summary: "Update a pod",
    right: "pods",
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
    right: "pods",
    success: { 204: null },
    errors: [404, 409],
    handle: ({ service, params }) => removePod(service, findStandalone(service, params.id)),
  }),
  route({
    method: "POST",
    path: "/v2/pods/{id}/action",
    operationId: "podAction",
    summary: "Start, stop, restart or terminate a pod",
    right: "pods",
    body: podActionRequest,
    success: { 200: pod, 204: null },
    errors: [400, 404, 409],
    handle: ({ service, params, body, call }) => {
      const after = orderPod(service, call, findStandalone(service, params.id), body.action);
      return after && podShown(service, after);
    },
  }),
];
