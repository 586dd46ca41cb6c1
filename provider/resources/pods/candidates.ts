import { BadRequestError, PermissionError } from "../../../client";
import type { Context } from "../../lifecycle/definition";
import type { Properties } from "../../lifecycle/fields/values";
import type { Difference } from "../../lifecycle/plan/diff";

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

/**
 * Creates with the first candidate that the service has room for. Each attempt is a create of its own, and the next one
 * starts only after a refusal, so at most one resource is created.
 *
 * A lack of capacity has no code: it is a 400 without `errors`. So is a broken rule, which every other candidate meets
 * too. That is why the last error lists all attempts. A 403 concerns the one candidate only.
 *
 * @throws Error after the last refusal, with all attempts
 */
export async function createWithFirst<T>(
  { log }: Context,
  kind: string,
  list: readonly Candidate[],
  create: (candidate: Candidate) => Promise<T>,
): Promise<T> {
  const refusals: string[] = [];
  for (const [index, candidate] of list.entries()) {
    try {
      return await create(candidate);
    } catch (error) {
      const last = index === list.length - 1;
      const refused = error instanceof BadRequestError || error instanceof PermissionError;
      // A request that is too large is too large for every candidate.
      if (!refused || error.status === 413 || list.length === 1) throw error;
      refusals.push(`${name(candidate)}: ${error.detail ?? error.message}`);
      if (last) {
        throw new Error(
          `${kind} could not be placed. Tried in order: ${refusals.join("; ")}. ` +
            "Add other types to gpuAlternatives or other data centers to dataCenterIds, or try again later.",
          { cause: error },
        );
      }
      log.status(`${kind} on ${name(candidate)}`, "no room; trying the next candidate");
    }
  }
  throw new TypeError("there is always a candidate");
}

function name({ gpuTypeId, dataCenterId }: Candidate): string {
  return [gpuTypeId, dataCenterId].filter((part) => part !== undefined).join(" in ") || "any place";
}
