import { NotFoundError } from "../errors";
import type { Pod, PodAction } from "../schemas/pods";

/** Statuses that show that the action took effect. A restart leaves no status of its own: its start time tells. */
const reached: Readonly<Record<PodAction, readonly (string | undefined)[]>> = {
  start: ["PROVISIONING", "STARTING", "RUNNING"],
  stop: ["EXITED"],
  terminate: ["TERMINATED"],
  restart: [],
};

/**
 * What became of an action whose answer was lost, by the pod's state: what the action would have answered, or
 * undefined when it had no effect and may be sent again.
 *
 * @param askedAt when the action was first sent, in the service's time
 */
export async function settleAction(
  get: (id: string) => Promise<Pod>,
  id: string,
  action: PodAction,
  askedAt: number,
): Promise<{ value: Pod | undefined } | undefined> {
  try {
    const pod = await get(id);
    const restarted = action === "restart" && Date.parse(pod.startedAt ?? "") >= askedAt;
    return restarted || reached[action].includes(pod.status) ? { value: pod } : undefined;
  } catch (error) {
    if (error instanceof NotFoundError && action === "terminate") return { value: undefined };
    throw error;
  }
}
