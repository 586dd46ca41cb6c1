import type { Input } from "@pulumi/pulumi";

/** Storage of one machine, under a path in the container. */
export interface PersistentMountArgs {
  /** GB, at least 10. Grows in place; a smaller one replaces. */
  size: Input<number>;
  path: Input<string>;
}

export interface NetworkMountArgs {
  /** Id of a NetworkVolume in the same data center. Changing it replaces. */
  volumeId: Input<string>;
  /** Updates in place. */
  path: Input<string>;
}

/** At most one of the two; setting or removing one replaces. */
export interface MountsArgs {
  /** Not offered on CPU pods. */
  persistent?: Input<PersistentMountArgs>;
  /** At most one. */
  network?: Input<Input<NetworkMountArgs>[]>;
}

export interface Mounts {
  persistent?: { size: number; path: string };
  network?: { volumeId: string; path: string }[];
}
