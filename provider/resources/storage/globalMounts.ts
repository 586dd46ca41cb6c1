import { isRefusal, ValidationError } from "../../../client";
import type { CheckFailure, Context } from "../../lifecycle/definition";

/** Warns that a refusal may be about a global volume. No page of the service shows how one is attached everywhere. */
export function warnAboutGlobalVolume({ log }: Context, error: unknown, argument: string, isDeclared: boolean): void {
  if (!isDeclared || !(isRefusal(error) || error instanceof ValidationError)) return;
  log.warn(
    `${argument}: this package knows only by inference how the service takes a global volume. If the refusal is about it, leave ` +
      "it out and attach the volume in the service's console.",
  );
}

/** Mistakes for the global volume of an endpoint. */
export function globalVolumeMistakes(
  property: string,
  id: string | undefined,
  beside: { readonly cpu?: boolean; readonly networkVolumes: boolean },
): CheckFailure[] {
  if (id === undefined) return [];
  if (beside.cpu) return [{ property, reason: "is not offered to CPU workers; use a network volume" }];
  return beside.networkVolumes
    ? [{ property, reason: "can't be combined with a network volume: both would be at /runpod-volume; remove one" }]
    : [];
}
