import { searchWithin, timeLeft } from "../calls/deadline";
import { type ComputeCloudError, ConflictError } from "../errors";
import { operation } from "../operation";
import { type CallOptions, splitOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { LogLine, LogQuery } from "../schemas/logs";
import {
  CreatePodRequest,
  ListPods,
  ListPodsQuery,
  Pod,
  type PodAction,
  PodActionRequest,
  UpdatePodRequest,
} from "../schemas/pods";
import { followLogs, type LogOptions } from "./logs";
import { reconcileAction } from "./reconcileAction";
import type { Rest } from "./rest";

const KIND = "Pod";

export const podOperations = {
  list: operation({ method: "GET", path: "/v2/pods", kind: KIND, query: ListPodsQuery, reply: ListPods }),
  get: operation({ method: "GET", path: "/v2/pods/{id}", kind: KIND, reply: Pod }),
  create: operation({
    method: "POST",
    path: "/v2/pods",
    kind: KIND,
    class: "create",
    body: CreatePodRequest,
    reply: Pod,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/pods/{id}",
    kind: KIND,
    body: UpdatePodRequest,
    reply: Pod,
  }),
  delete: operation({ method: "DELETE", path: "/v2/pods/{id}", kind: KIND }),
  action: operation({
    method: "POST",
    path: "/v2/pods/{id}/action",
    kind: KIND,
    class: "action",
    body: PodActionRequest,
    reply: Pod.optional(),
  }),
  logs: operation({ method: "GET", path: "/v2/pods/{id}/logs", kind: KIND, query: LogQuery, stream: LogLine }),
};

/** Pods: containers on GPU or CPU machines. */
export function pods(rest: Rest) {
  /** Members of clusters are left out unless asked for. */
  const listArguments = (given: ListPodsQuery & CallOptions) => {
    const { options, query } = splitOptions(given);
    return [podOperations.list, "pods", { query, ...options }] as const;
  };
  const list = (given: ListPodsQuery & CallOptions = {}) => rest.listAll(...listArguments(given));
  const get = (id: string, options: CallOptions = {}) => rest.call(podOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(...listArguments({ includeClusterPods: true })), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (given: ListPodsQuery & CallOptions = {}) => rest.iterate(...listArguments(given)),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreatePodRequest, options: CreateOptions = {}) =>
      rest.create(podOperations.create, body, list, { ...options }),
    update: (id: string, patch: UpdatePodRequest, options: CallOptions = {}) =>
      rest.call(podOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(podOperations.delete, id, options),
    /**
     * Starts, stops, restarts or terminates. Resolves to the pod as the service saw it, undefined once terminated;
     * the status may still be on its way.
     */
    action: async (id: string, action: PodAction, options: CallOptions = {}) => {
      const { clock } = rest.transport;
      const askedAt = clock.now();
      const left = timeLeft(options, clock, { kind: KIND, id });
      let lost: ComputeCloudError | undefined;
      const reconcile = (error: ComputeCloudError) => {
        lost = error;
        const asked = { id, action, at: rest.transport.serviceTime(askedAt) };
        return searchWithin(left, error, (signal) => reconcileAction(get, asked, error, clock, { signal }));
      };
      try {
        return await rest.call(podOperations.action, { ...options, params: { id }, body: { action }, reconcile });
      } catch (error) {
        // What was sent first has taken effect meanwhile, and what was sent again finds it done.
        const done = lost !== undefined && error instanceof ConflictError ? await reconcile(lost) : undefined;
        if (done === undefined) throw error;
        return done.value;
      }
    },
    /** The pod's log, as it grows. */
    logs: (id: string, options?: LogOptions) => followLogs(rest, podOperations.logs, { id }, options),
  };
}
