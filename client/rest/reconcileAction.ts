import type { ComputeCloudError } from "../errors";
import type { CallOptions, Clock } from "../options";
import type { Pod, PodAction } from "../schemas/pods";

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
export async function reconcileAction(
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
