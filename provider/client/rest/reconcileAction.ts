import { type ComputeCloudError, NotFoundError } from "../errors";
import type { CallOptions, Clock } from "../options";
import type { Pod, PodAction } from "../schemas/pods";

/** Statuses that show that the action took effect. A pod that is restarted comes up again, or tells by its start time. */
const reached: Readonly<Record<PodAction, readonly string[]>> = {
  start: ["PROVISIONING", "STARTING", "RUNNING"],
  stop: ["EXITED"],
  terminate: ["TERMINATED"],
  restart: ["PROVISIONING", "STARTING"],
};

/** How long an effect is looked for. A second restart would reset the container again; the others do nothing twice. */
const lookForMs: Readonly<Record<PodAction, number>> = { start: 0, stop: 0, terminate: 0, restart: 30_000 };
const FIRST_PAUSE_MS = 1_000;
/** The service's clock is known to a second, and so is `startedAt`. */
const TOLERANCE_MS = 2_000;

/**
 * What became of an action whose answer was lost, by the pod's state: what the action would have answered, or
 * undefined when it had no effect and may be sent again.
 *
 * @param asked `at`: when the action was first sent, in the service's time
 */
export async function reconcileAction(
  get: (id: string, options: CallOptions) => Promise<Pod>,
  { id, action, at }: { id: string; action: PodAction; at: number },
  lost: ComputeCloudError,
  clock: Clock,
  { signal }: CallOptions,
): Promise<{ value: Pod | undefined } | undefined> {
  const until = clock.now() + lookForMs[action];
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      const pod = await get(id, { signal });
      const startedAt = Date.parse(pod.startedAt ?? "");
      const restarted = action === "restart" && startedAt >= at - TOLERANCE_MS;
      if (restarted || reached[action].includes(pod.status ?? "")) return { value: pod };
      // Nothing would show whether it was restarted.
      if (action === "restart" && Number.isNaN(startedAt) && clock.now() >= until) throw lost;
    } catch (error) {
      if (error instanceof NotFoundError && action === "terminate") return { value: undefined };
      throw error;
    }
    if (clock.now() >= until) return undefined;
    await clock.sleep(Math.min(pauseMs, until - clock.now()), signal);
  }
}
