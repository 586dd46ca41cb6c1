import { NotFoundError, needed, type Pod } from "../../../client";
import { inSeconds, milliseconds } from "../../../common/duration";
import type { Context } from "../../lifecycle/definition";
import { waitUntil } from "../../lifecycle/make/wait";
import { unseenForMs } from "../../lifecycle/state/age";
import { logTail } from "../logTail";

interface Wanted {
  readonly desiredStatus: "RUNNING" | "EXITED";
  readonly awaitRunning: boolean;
  readonly createTimeout: string;
}

/** Statuses that a pod does not leave by itself. */
export const DEAD: ReadonlySet<string> = new Set(["ERROR", "EXITED", "TERMINATED"]);

/** How long an action may take to show. Until then the status from before it is not a failure. */
const SHOWN_LATE_MS = 15_000;

/** Whether a pod is stopped or has failed, and is not starting. */
export const isStopped = ({ status }: Pod): boolean => status !== undefined && DEAD.has(status);

/**
 * Starts or stops the pod as declared, and waits for that if asked to.
 *
 * @throws Error if the pod fails, or does not get there in time: it exists and is billed
 */
export async function reachStatus(context: Context, pod: Pod, wanted: Wanted): Promise<Pod> {
  const { client } = context;
  if (wanted.desiredStatus === "EXITED") {
    if (isStopped(pod)) return pod;
    await client.pods.action(pod.id, "stop");
    return awaitStatus(context, pod, wanted);
  }
  if (pod.status === "RUNNING") return pod;
  const started = isStopped(pod) ? ((await client.pods.action(pod.id, "start")) ?? pod) : pod;
  return wanted.awaitRunning ? awaitStatus(context, started, wanted) : started;
}

function awaitStatus(context: Context, pod: Pod, { desiredStatus: goal, createTimeout }: Wanted): Promise<Pod> {
  const { client, log } = context;
  const { id, status: before, createdAt } = pod;
  const logs = () => logTail(context, (options) => client.pods.logs(id, options));
  const began = client.clock.now();
  return waitUntil(context, {
    poll: async () => {
      const live = await client.pods.get(id).catch((error: unknown) => {
        if (error instanceof NotFoundError && unseenForMs(context, id, { createdAt }) > 0) return pod;
        throw error;
      });
      const status = needed("Pod", live, "status");
      const late = status === before && client.clock.now() - began < SHOWN_LATE_MS;
      if (status === goal || late || !isStopped(live)) return live;
      throw new Error(`Pod ${id} is ${live.status} and will not become ${goal}.${await logs()}`);
    },
    done: (live) => live.status === goal,
    progress: (live, elapsed, isLast) =>
      log.status(`Pod ${id}`, `${live.status} ${isLast ? "after" : "for"} ${inSeconds(elapsed)}`, isLast),
    timeoutMs: milliseconds(createTimeout),
    late: async () =>
      `Pod ${id} did not become ${goal} within createTimeout (${createTimeout}). It exists, is billed and stays in ` +
      `the state: \`pulumi up\` keeps waiting, \`pulumi destroy\` removes it.${await logs()}`,
  });
}
