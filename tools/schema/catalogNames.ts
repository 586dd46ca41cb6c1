import { CPU_FLAVORS } from "../../emulator/catalog/cpus";
import { DATA_CENTERS } from "../../emulator/catalog/dataCenters";
import { GPU_TYPES } from "../../emulator/catalog/gpus";
import type { CatalogKind } from "../../provider/catalog/catalogued";

const gpuTypes = [...GPU_TYPES.keys()].sort();
const gpuPools = [...new Set([...GPU_TYPES.values()].flatMap(({ pool }) => pool ?? []))].sort();
const dataCenters = [...DATA_CENTERS.keys()].sort();

interface Names {
  readonly type: string;
  readonly suggestions: readonly string[];
}

const byKind: Readonly<Partial<Record<CatalogKind, Names>>> = {
  gpuType: { type: "GpuTypeId", suggestions: gpuTypes },
  excludedType: { type: "GpuTypeId", suggestions: gpuTypes },
  pool: { type: "GpuPoolId", suggestions: gpuPools },
  poolList: { type: "GpuPoolList", suggestions: gpuPools },
  dataCenter: { type: "DataCenterId", suggestions: dataCenters },
  placeList: { type: "PlaceList", suggestions: dataCenters },
  cpu: { type: "CpuFlavorId", suggestions: [...CPU_FLAVORS.keys()].sort() },
};

/**
 * Names that editors suggest, by their kind: those of the emulator's catalog. The service may have others, which are accepted
 * too. Of an account's own resources editors know no ids.
 */
export const catalogNames: ReadonlyMap<string, Names> = new Map(Object.entries(byKind));
