import { searchWithin, timeLeft } from "../calls/deadline";
import { operation } from "../calls/operation";
import { type ComputeCloudError, ConflictError } from "../errors";
import type { PodCalls } from "../nouns";
import type { CallOptions } from "../options";
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
import { about } from "../values/tolerant";
import { collection, collectionOperations } from "./collection";
import { followLogs, type LogOptions } from "./logs";
import { reconcileAction } from "./reconcileAction";
import type { Rest } from "./rest";

const KIND = "Pod";
const PATH = "/v2/pods";

export const podOperations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    list: ListPods,
    item: Pod,
    create: CreatePodRequest,
    update: UpdatePodRequest,
    query: ListPodsQuery,
  }),
  action: operation({
    method: "POST",
    path: `${PATH}/{id}/action`,
    kind: KIND,
    class: "action",
    body: PodActionRequest,
    reply: Pod,
  }),
  logs: operation({ method: "GET", path: `${PATH}/{id}/logs`, kind: KIND, query: LogQuery, stream: LogLine }),
};

/** Answered without a pod, as a DELETE is. */
const terminate = operation({ method: "POST", path: podOperations.action.path, kind: KIND, body: PodActionRequest });

export function pods(rest: Rest): PodCalls {
  const calls = collection(rest, "pods", podOperations, {
    reads: { listing: () => rest.listing(podOperations.list, "pods", { query: { includeClusterPods: true } }) },
  });
  const action = async (id: string, action: PodAction, options: CallOptions = {}) => {
    if (action === "terminate") {
      const find = (left: CallOptions) => rest.find(KIND, id, (each) => calls.get(id, each), left);
      await rest.remove(terminate, id, find, { body: { action }, ...options });
      return undefined;
    }
    const { clock } = rest.transport;
    const askedAt = clock.now();
    const remaining = timeLeft(options, clock, { kind: KIND, id });
    let lost: ComputeCloudError | undefined;
    const reconcile = (error: ComputeCloudError) => {
      lost = error;
      const asked = { id, action, at: rest.transport.serviceTime(askedAt) };
      return searchWithin(remaining, error, (signal) => reconcileAction(calls.get, asked, error, clock, { signal }));
    };
    try {
      const answer = await rest.call(podOperations.action, {
        ...options,
        params: { id },
        body: { action },
        reconcile,
      });
      return about(KIND, id, answer);
    } catch (error) {
      // A repeat may be refused because the first request took effect after all. Only the pod's state can tell.
      const done = lost !== undefined && error instanceof ConflictError ? await reconcile(lost) : undefined;
      if (done === undefined) throw error;
      return done.value;
    }
  };
  const named = (name: PodAction) => (id: string, options?: CallOptions) => action(id, name, options);
  return {
    ...calls,
    action,
    start: named("start"),
    stop: named("stop"),
    restart: named("restart"),
    terminate: named("terminate"),
    logs: (id: string, options?: LogOptions) => followLogs(rest, podOperations.logs, { id }, options),
  };
}
