import { BadRequestError, PermissionError } from "../../../client";
import { inSeconds, milliseconds } from "../../../common/duration";
import type { Context } from "../../lifecycle/definition";
import type { Difference } from "../../lifecycle/fields/difference";
import { control, duration } from "../../lifecycle/fields/fields";
import type { Properties } from "../../lifecycle/fields/values";

/** Where a pod or cluster may be placed, in order of preference. */
export interface Candidate {
  readonly gpuTypeId: string | undefined;
  /** Undefined for any data center. */
  readonly dataCenterId: string | undefined;
}

/**
 * Every GPU type in every listed data center, in the program's order. The preferred GPU type is tried everywhere before
 * the next.
 */
export function candidates(gpuTypeIds: readonly string[], dataCenterIds: readonly string[] = []): Candidate[] {
  const gpus = gpuTypeIds.length === 0 ? [undefined] : gpuTypeIds;
  const places = dataCenterIds.length === 0 ? [undefined] : dataCenterIds;
  return gpus.flatMap((gpuTypeId) => places.map((dataCenterId) => ({ gpuTypeId, dataCenterId })));
}

/**
 * Whether the changed lists still allow the current place. Then there is no reason to move the resource.
 *
 * @param gpuPath the argument that names the preferred GPU type
 */
export function keepsPlacement({ path, next }: Difference, old: Properties, gpuPath: string): boolean {
  if (path === gpuPath) return next === old.gpuTypeId;
  if (path !== "dataCenterIds" || !Array.isArray(next)) return false;
  const before = Array.isArray(old.dataCenterIds) ? old.dataCenterIds : [];
  const widened = before.length > 0 && before.every((id) => next.includes(id));
  return next.length === 0 || next.includes(old.dataCenterId) || widened;
}

/** Argument of what needs a machine that may not be free. */
export const waitForCapacity = control(duration.regex(/^(?!0+[a-z])/, "must be longer than 0").optional()).describe(
  'How long to wait for free hardware, such as "2h": the create is repeated with every GPU type and data center in turn until ' +
    "one has room. `createTimeout` begins once it is created. Default: not at all.",
);

/** How a create waits for free hardware. */
interface Waiting {
  /** Kind and name, for messages. */
  readonly subject: string;
  readonly waitForCapacity?: string | undefined;
  /** Called before each create but the first. */
  readonly onAgain?: (() => void) | undefined;
  /** Whether the catalog shows much free hardware for a candidate. Then a refusal has another reason. */
  readonly hasPlenty?: ((candidate: Candidate) => Promise<boolean>) | undefined;
}

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 120_000;
/** Stock comes and goes. What is refused so often although there is plenty is refused for another reason. */
const MOST_ODD_REFUSALS = 3;

/**
 * Creates with the first candidate that the service has room for. Each attempt is a create of its own, and the next one
 * starts only after a refusal, so at most one resource is created. With `waitForCapacity` it begins again after a pause,
 * until the time is over.
 *
 * A lack of capacity has no code: it is a 400 without `errors`. So is a broken rule, which every other candidate meets
 * too. That is why the last error lists all attempts, and why the catalog is asked during a wait. A 403 concerns the one
 * candidate only.
 *
 * @throws Error after the last refusal, with all attempts, or when the run is cancelled; nothing was created then
 */
export async function createWithFirst<T>(
  context: Pick<Context, "client" | "log" | "signal">,
  { subject, waitForCapacity: wait, onAgain, hasPlenty }: Waiting,
  list: readonly Candidate[],
  create: (candidate: Candidate) => Promise<T>,
): Promise<T> {
  const { clock } = context.client;
  const began = clock.now();
  const waitMs = wait === undefined ? 0 : milliseconds(wait);
  let oddRefusals = 0;
  let attempts = 0;
  const attempt = (candidate: Candidate) => {
    attempts += 1;
    if (attempts > 1) onAgain?.();
    return create(candidate);
  };
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const leftMs = began + waitMs - clock.now();
    const { created, refusals, isForbidden, error } = await tryAll(context, subject, list, attempt);
    if (created !== undefined) return created.value;
    const tried = refusals.join("; ");
    if (wait === undefined) {
      if (list.length === 1) throw error;
      throw new Error(
        `${subject} could not be placed. Tried in order: ${tried}. Add other types to gpuAlternatives or other data centers to ` +
          "dataCenterIds, set waitForCapacity, or try again later.",
        { cause: error },
      );
    }
    if (leftMs <= 0) {
      throw new Error(
        `${subject} could not be placed within waitForCapacity (${wait}), and nothing was created. Tried in order: ${tried}. Add ` +
          "other types to gpuAlternatives, or run it again: the wait begins anew.",
        { cause: error },
      );
    }
    const isOdd = !isForbidden && hasPlenty !== undefined && (await Promise.all(list.map(hasPlenty))).some(Boolean);
    oddRefusals = isOdd ? oddRefusals + 1 : 0;
    if (isForbidden || oddRefusals === MOST_ODD_REFUSALS) {
      const why = isForbidden ? "No candidate is allowed" : "The catalog shows much free hardware for it";
      throw new Error(
        `${subject} is refused. ${why}, so waiting would not help. Tried in order: ${tried}. Correct what the service names.`,
        { cause: error },
      );
    }
    context.log.status(subject, `waits for capacity for up to ${inMinutes(leftMs)} more: ${refusals.join("; ")}`);
    try {
      await clock.sleep(Math.min(pauseMs, leftMs), context.signal);
    } catch {
      throw new Error(`${subject}: the wait for capacity was cancelled. Nothing was created.`, { cause: error });
    }
  }
}

/** One create after another, until one is not refused. */
async function tryAll<T>(
  { log }: Pick<Context, "log">,
  subject: string,
  list: readonly Candidate[],
  create: (candidate: Candidate) => Promise<T>,
): Promise<{ created?: { value: T }; refusals: readonly string[]; isForbidden?: boolean; error?: Error }> {
  const refusals: string[] = [];
  let isForbidden = true;
  let last: Error | undefined;
  for (const [index, candidate] of list.entries()) {
    try {
      return { created: { value: await create(candidate) }, refusals };
    } catch (error) {
      const refused = error instanceof BadRequestError || error instanceof PermissionError;
      // A request that is too large is too large for every candidate.
      if (!refused || error.status === 413) throw error;
      last = error;
      isForbidden &&= error instanceof PermissionError;
      refusals.push(`${name(candidate)}: ${error.detail ?? error.message}`);
      if (index < list.length - 1) log.status(`${subject} on ${name(candidate)}`, "no room; trying the next candidate");
    }
  }
  return { refusals, isForbidden, ...(last && { error: last }) };
}

const inMinutes = (ms: number) => (ms < 120_000 ? inSeconds(ms) : `${Math.round(ms / 60_000)} min`);

function name({ gpuTypeId, dataCenterId }: Candidate): string {
  return [gpuTypeId, dataCenterId].filter((part) => part !== undefined).join(" in ") || "any place";
}
