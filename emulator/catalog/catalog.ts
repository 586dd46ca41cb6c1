import type { CpuFacts } from "./cpus";
import { DATA_CENTERS, type DataCenterFacts } from "./dataCenters";
import { GPU_TYPES, type GpuFacts } from "./gpus";
import { type AvailabilityLevel, type Shelf, stockOf } from "./stock";

/** Additions of the settings to the tables. An entry with a known id replaces it. */
export interface Additions {
  readonly gpus: readonly (GpuFacts & { readonly stock: Readonly<Record<string, AvailabilityLevel>> })[];
  readonly dataCenters: readonly (DataCenterFacts & { readonly stock: Shelf })[];
}

/** The catalog: the tables of this folder, and the additions of the settings. */
export class Catalog {
  readonly gpuTypes: ReadonlyMap<string, GpuFacts>;
  /** Pool id -> its GPU types. */
  readonly gpuPools: ReadonlyMap<string, readonly GpuFacts[]>;
  /** Placement tries them in this order. */
  readonly dataCenters: ReadonlyMap<string, DataCenterFacts>;
  readonly #gpuStock: ReadonlyMap<string, Readonly<Record<string, AvailabilityLevel>>>;
  readonly #shelves: ReadonlyMap<string, Shelf>;

  constructor({ gpus, dataCenters }: Additions) {
    this.gpuTypes = new Map([...GPU_TYPES, ...gpus.map(({ stock: _, ...gpu }) => [gpu.id, gpu] as const)]);
    this.gpuPools = Map.groupBy(
      [...this.gpuTypes.values()].filter(({ pool }) => pool !== null),
      ({ pool }) => pool ?? "",
    );
    this.dataCenters = new Map([
      ...DATA_CENTERS,
      ...dataCenters.map(({ stock: _, ...each }) => [each.id, each] as const),
    ]);
    this.#gpuStock = new Map(gpus.map(({ id, stock }) => [id, stock]));
    this.#shelves = new Map(dataCenters.map(({ id, stock }) => [id, stock]));
  }

  /** How much of a GPU type or CPU flavor is free in a data center; NONE = not offered there. */
  stockOf(dataCenterId: string, item: GpuFacts | CpuFacts): AvailabilityLevel {
    return this.#gpuStock.get(item.id)?.[dataCenterId] ?? stockOf(dataCenterId, item, this.#shelves.get(dataCenterId));
  }
}
