import { searchWithin, timeLeft } from "../calls/cancellation";
import { operation } from "../calls/operation";
import { clocksApart } from "../calls/shared";
import { type ComputeCloudError, ConflictError } from "../errors";
import type { CallOptions, Clock } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { LogLine, LogQuery } from "../schemas/logs";
import {
  CreatePodRequest,
  ListPodsQuery,
  Pod,
  type PodAction,
  PodActionRequest,
  UpdatePodRequest,
} from "../schemas/pods";
import { about } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import { followLogs, type LogOptions } from "./logs";
import type { Rest } from "./rest";

/** Pods: containers on GPU or CPU machines. `/v2/pods`. Lists omit members of clusters unless `includeClusterPods` is set. */
export interface PodCalls extends CollectionCalls<Pod, CreatePodRequest, UpdatePodRequest, ListPodsQuery> {
  /**
   * Creates a pod. `POST /v2/pods`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when no machine is free
   * @example
   * const pod = await client.pods.create({ name: "train", image: "busybox", disk: 10, gpu: { id: "NVIDIA L4" } });
   */
  create(body: CreatePodRequest, options?: CreateOptions): Promise<Pod>;
  /**
   * Changes a pod; a change of its container restarts it. `PATCH /v2/pods/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.pods.update("xedezhzb9la3ye", { locked: true });
   */
  update(id: string, patch: UpdatePodRequest, options?: CallOptions): Promise<Pod>;
  /**
   * Starts, stops, restarts or terminates a pod. When the answer is lost, the pod's state tells whether to send it again.
   * `POST /v2/pods/{id}/action`.
   *
   * @returns the pod as the service saw it, with a status that may still change; undefined once it is terminated
   * @throws NotFoundError; ConflictError (409) when its state or a lock does not allow it
   * @example
   * await client.pods.action("xedezhzb9la3ye", "stop");
   */
  action(id: string, action: PodAction, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "start")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.start("xedezhzb9la3ye");
   */
  start(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "stop")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.stop("xedezhzb9la3ye");
   */
  stop(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "restart")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.restart("xedezhzb9la3ye");
   */
  restart(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * `action(id, "terminate")`.
   *
   * @throws what {@link PodCalls.action} throws
   * @example
   * await client.pods.terminate("xedezhzb9la3ye");
   */
  terminate(id: string, options?: CallOptions): Promise<Pod | undefined>;
  /**
   * The pod's log, as it grows. It ends when the service ends it, `signal` or `timeoutMs` does, or the loop is left. A lost
   * connection resumes after the last line. A line is not guaranteed to come once: after a long outage old lines may come
   * again. `GET /v2/pods/{id}/logs`.
   *
   * @throws NotFoundError; TooLargeError for an event above 64 Mi characters (`limits.answerBytes`); TimeoutError after
   *   `timeoutMs`; ConnectionError after 8 connections in a row without a line
   * @example
   * for await (const { ts, line } of client.pods.logs("xedezhzb9la3ye", { tail: 20 })) console.log(ts, line);
   */
  logs(id: string, options?: LogOptions): AsyncGenerator<LogLine, void, undefined>;
}

const KIND = "Pod";
const PATH = "/v2/pods";

export const operations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    key: "pods",
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
const terminate = operation({ method: "POST", path: operations.action.path, kind: KIND, body: PodActionRequest });

export function calls(rest: Rest): PodCalls {
  const calls = collection(rest, "pods", operations, {
    reads: { listing: () => rest.listing(operations.list, "pods", { query: { includeClusterPods: true } }) },
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
      const at = () => {
        const there = rest.transport.serviceTime(askedAt);
        return clocksApart(askedAt, there) === undefined ? there : Number.NaN;
      };
      const sent = { id, action, at };
      return searchWithin(remaining, error, (signal) => reconcileAction(calls.get, sent, error, clock, { signal }));
    };
    try {
      const answer = await rest.call(operations.action, { ...options, params: { id }, body: { action }, reconcile });
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
    logs: (id: string, options?: LogOptions) => followLogs(rest, operations.logs, { id }, options),
  };
}

/** An action that a pod outlives. */
type Action = Exclude<PodAction, "terminate">;

/** Statuses that show that the action took effect. A restart also shows in the pod's start time. */
const reached: Readonly<Record<Action, readonly string[]>> = {
  start: ["PROVISIONING", "STARTING", "RUNNING"],
  stop: ["EXITED"],
  restart: ["PROVISIONING", "STARTING"],
};

/** How long to look for an effect. A second restart would reset the container again; the other actions are idempotent. */
const lookForMs: Readonly<Record<Action, number>> = { start: 0, stop: 0, restart: 30_000 };
const FIRST_PAUSE_MS = 1_000;
/** We know the service's clock only to a second, and `startedAt` has whole seconds too. */
const TOLERANCE_MS = 2_000;

/**
 * Finds out from the pod's state whether an action with a lost answer was done. Returns what the action would have answered,
 * or undefined when it had no effect so far and may be sent again.
 *
 * Not guaranteed: a state cannot tell our action from somebody else's. A `start` or `stop` that is still under way counts as
 * not done, which is harmless, because both are idempotent.
 *
 * @param asked `at`: when the action was first sent, by the service's clock; NaN if that is not known
 * @throws `lost` when no time could show a restart
 */
async function reconcileAction(
  get: (id: string, options: CallOptions) => Promise<Pod>,
  { id, action, at }: { id: string; action: Action; at: () => number },
  lost: ComputeCloudError,
  clock: Clock,
  { signal }: CallOptions,
): Promise<{ value: Pod } | undefined> {
  const until = clock.now() + lookForMs[action];
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const pod = await get(id, { signal });
    // The read has told the service's clock.
    const startedAfterMs = Date.parse(pod.startedAt ?? "") - at();
    const restarted = action === "restart" && startedAfterMs >= -TOLERANCE_MS;
    if (restarted || reached[action].includes(pod.status ?? "")) return { value: pod };
    // Without both times, nothing shows a restart. A second one could reset the container.
    if (action === "restart" && Number.isNaN(startedAfterMs) && clock.now() >= until) throw lost;
    if (clock.now() >= until) return undefined;
    await clock.sleep(Math.min(pauseMs, until - clock.now()), signal);
  }
}
