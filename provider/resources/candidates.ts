import { BadRequestError } from "../client/errors";
import type { Context } from "../lifecycle/definition";

/** Where a pod or cluster may be placed, in order of preference. */
export interface Candidate {
  readonly gpuTypeId: string | undefined;
  /** Undefined: anywhere. */
  readonly dataCenterId: string | undefined;
}

/** Every GPU type in every data center that the program lists, in its order; GPU types come first. */
export function candidates(gpuTypeIds: readonly string[], dataCenterIds: readonly string[] = []): Candidate[] {
  const gpus = gpuTypeIds.length === 0 ? [undefined] : gpuTypeIds;
  const places = dataCenterIds.length === 0 ? [undefined] : dataCenterIds;
  return gpus.flatMap((gpuTypeId) => places.map((dataCenterId) => ({ gpuTypeId, dataCenterId })));
}

/**
 * Creates with the first candidate that the service has room for. A lack of capacity has no code of its own: it is a
 * 400 without `errors`, as are broken rules, which every further candidate would meet as well. The last refusal is
 * therefore thrown with all that was tried.
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
      if (!(error instanceof BadRequestError) || (last && list.length === 1)) throw error;
      refusals.push(`${name(candidate)}: ${error.detail ?? error.message}`);
      if (last) {
        throw new Error(
          `${kind} could not be placed. Tried in order: ${refusals.join("; ")}. ` +
            "Add other types to gpuAlternatives or other data centers to dataCenterIds, or try again later.",
          { cause: error },
        );
      }
      log.status(`${kind}: no room for ${name(candidate)}; trying the next candidate`);
    }
  }
  throw new TypeError("there is always a candidate");
}

function name({ gpuTypeId, dataCenterId }: Candidate): string {
  return [gpuTypeId, dataCenterId].filter((part) => part !== undefined).join(" in ") || "any place";
}
