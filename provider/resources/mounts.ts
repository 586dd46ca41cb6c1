import { z } from "zod";
import type { CheckFailure } from "../lifecycle/definition";
import { replaces, replacesWhenSwitched, shrinkReplaces } from "../lifecycle/fields";

/** GB. */
const persistentSize = z.int().min(10);

export const persistentMount = z.strictObject({ size: shrinkReplaces(persistentSize), path: z.string().min(1) });

/** Storage of a pod: on its machine, or a network volume. Their kind and the volume are fixed; paths are not. */
export const mounts = z.strictObject({
  persistent: replacesWhenSwitched(persistentMount.optional()),
  network: replacesWhenSwitched(
    z
      .array(z.strictObject({ volumeId: replaces(z.string().min(1)), path: z.string().min(1) }))
      .length(1, "must name one volume; leave it out for none")
      .optional(),
  ),
});

export type Mounts = z.output<typeof mounts>;

export function oneKindOfMount(given: Mounts | undefined): CheckFailure[] {
  return given?.persistent !== undefined && given.network !== undefined
    ? [{ property: "mounts.network", reason: "can't be combined with mounts.persistent; remove one of them" }]
    : [];
}

/** An empty object would count as a choice, against a template's storage say. */
export function isMounted({ persistent, network }: Mounts): boolean {
  return persistent !== undefined || network !== undefined;
}

/** The mounts as the service shows them, without the empty list that some answers hold. */
export function shownMounts({
  persistent,
  network,
}: {
  persistent?: unknown;
  network?: readonly unknown[] | undefined;
}) {
  return { persistent, network: network === undefined || network.length === 0 ? undefined : network };
}
