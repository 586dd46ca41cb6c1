import { z } from "../../../common/zod";
import { catalogued } from "../../catalog/catalogued";
import type { CheckFailure } from "../../lifecycle/definition";
import { named, replaces, replacesWhenSwitched, shrinkReplaces } from "../../lifecycle/fields/fields";
import { type Properties, valueAt } from "../../lifecycle/fields/values";

const path = z.string().min(1).describe("Path in the container.");

const persistentMount = named(
  "PersistentMount",
  z
    .strictObject({
      size: shrinkReplaces(z.int().min(10)).describe(
        "GB, at least 10. The pod sees a grown size after a stop and a start.",
      ),
      path,
    })
    .describe("Storage of one machine, under a path in the container."),
);

const networkMount = named(
  "NetworkMount",
  z
    .strictObject({
      volumeId: replaces(catalogued("networkVolume", z.string().min(1), { dataCenters: "dataCenterIds" })).describe(
        "Id of a NetworkVolume in the same data center.",
      ),
      path,
    })
    .describe("A network volume, under a path in the container."),
);

// No page shows that a path can change.
const globalMount = named(
  "GlobalMount",
  z
    .strictObject({ volumeId: replaces(z.string().min(1)).describe("Id of a GlobalVolume."), path: replaces(path) })
    .describe("A global volume, under a path in the container."),
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
      global: replacesWhenSwitched(
        z.array(globalMount).length(1, "must name one volume; leave it out for none").optional(),
      ).describe(
        "A global volume: at most one, on pods with GPUs, alone or beside another mount. How the service takes it is " +
          "inferred; the error of a refusal says what to do.",
      ),
    })
    .describe("Storage that outlives a restart: at most one of `persistent` and `network`, and a global volume."),
);

export type Mounts = z.output<typeof mounts>;

export function oneKindOfMount(declared: Mounts | undefined): CheckFailure[] {
  return declared?.persistent !== undefined && declared.network !== undefined
    ? [{ property: "mounts.network", reason: "can't be combined with mounts.persistent; remove one of them" }]
    : [];
}

/** Mistakes in the mount of a global volume. */
export function globalMountMistakes(declared: Mounts | undefined, cpu: unknown): CheckFailure[] {
  const property = "mounts.global";
  const [mount] = declared?.global ?? [];
  if (mount === undefined) return [];
  if (cpu !== undefined) return [{ property, reason: "is not offered on CPU pods; use a network volume" }];
  const others = [declared?.persistent?.path, declared?.network?.[0]?.path];
  return others.includes(mount.path)
    ? [{ property: `${property}[0].path`, reason: `is the path of another mount, ${mount.path}; choose another` }]
    : [];
}

export const volumeOf = (state: Properties) => valueAt(state, ["mounts", "network", "0", "volumeId"]);

/** Whether a replacement that is created first would write to the same network volume at the same time. */
export function sharesVolume(old: Properties, next: Properties): boolean {
  // mutant two-write-to-one-volume: false
  return volumeOf(old) !== undefined && volumeOf(old) === volumeOf(next);
}

/** Whether any storage is declared. An empty object in a request would override a template's storage. */
export function isMounted({ persistent, network, global }: Mounts): boolean {
  return persistent !== undefined || network !== undefined || global !== undefined;
}

/**
 * The mounts as the service shows them, without the empty list that some answers hold. A global volume can't leave its pod,
 * so one that is not shown is taken as declared.
 */
export function shownMounts({ persistent, network, global }: ShownMounts, declared: unknown) {
  return { persistent, network: filled(network), global: filled(global) ?? valueAt(declared, ["global"]) };
}

interface ShownMounts {
  persistent?: unknown;
  network?: readonly unknown[] | undefined;
  global?: readonly unknown[] | undefined;
}

const filled = (list: readonly unknown[] | undefined) => (list === undefined || list.length === 0 ? undefined : list);
