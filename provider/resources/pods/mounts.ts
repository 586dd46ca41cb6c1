import { z } from "zod";
import type { CheckFailure } from "../../lifecycle/definition";
import { named, replaces, replacesWhenSwitched, shrinkReplaces } from "../../lifecycle/fields";

const path = z.string().min(1).describe("Path in the container.");

export const persistentMount = named(
  "PersistentMount",
  z
    .strictObject({ size: shrinkReplaces(z.int().min(10)).describe("GB, at least 10."), path })
    .describe("Storage of one machine, under a path in the container."),
);

const networkMount = named(
  "NetworkMount",
  z
    .strictObject({
      volumeId: replaces(z.string().min(1)).describe("Id of a NetworkVolume in the same data center."),
      path,
    })
    .describe("A network volume, under a path in the container."),
);

/** A template's mount for a pod's own storage. A template holds no data, so the size may shrink. */
export const templateMount = named(
  "TemplateMount",
  z
    .strictObject({ size: z.int().min(10).describe("GB, at least 10."), path })
    .describe("Storage of a pod's machine, under a path in the container."),
);

/** Storage of a pod, on its machine or on a network volume. The choice and the volume are fixed; paths are not. */
export const mounts = named(
  "Mounts",
  z
    .strictObject({
      persistent: replacesWhenSwitched(persistentMount.optional()).describe(
        "Storage of the pod's machine. Not offered on CPU pods.",
      ),
      network: replacesWhenSwitched(
        z.array(networkMount).length(1, "must name one volume; leave it out for none").optional(),
      ).describe("A network volume: at most one."),
    })
    .describe("Storage that outlives a restart: at most one of the two."),
);

export type Mounts = z.output<typeof mounts>;

export function oneKindOfMount(given: Mounts | undefined): CheckFailure[] {
  return given?.persistent !== undefined && given.network !== undefined
    ? [{ property: "mounts.network", reason: "can't be combined with mounts.persistent; remove one of them" }]
    : [];
}

/** Whether any storage is declared. An empty object in a request would override a template's storage. */
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
