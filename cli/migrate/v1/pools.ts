/**
 * The GPU types of each pool. Endpoints of v1 name types; those of v2 name pools and excluded types. The service may have
 * added types since, so the user must place a type that is in no pool here.
 */
export const gpuPools: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    AMPERE_16: [
      "NVIDIA RTX A4000",
      "NVIDIA RTX A4500",
      "NVIDIA RTX 4000 Ada Generation",
      "NVIDIA RTX 2000 Ada Generation",
    ],
    AMPERE_24: ["NVIDIA L4", "NVIDIA RTX A5000", "NVIDIA GeForce RTX 3090"],
    ADA_24: ["NVIDIA GeForce RTX 4090"],
    ADA_32_PRO: ["NVIDIA GeForce RTX 5090"],
    AMPERE_48: ["NVIDIA RTX A6000", "NVIDIA A40"],
    ADA_48_PRO: ["NVIDIA L40", "NVIDIA L40S", "NVIDIA RTX 6000 Ada Generation"],
    AMPERE_80: ["NVIDIA A100 80GB PCIe", "NVIDIA A100-SXM4-80GB"],
    ADA_80_PRO: ["NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3", "NVIDIA H100 NVL"],
    BLACKWELL_96: [
      "NVIDIA RTX PRO 6000 Blackwell Server Edition",
      "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
      "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
    ],
    HOPPER_141: ["NVIDIA H200"],
    BLACKWELL_180: ["NVIDIA B200"],
  }),
);

/** The pools with these types, in their order, and the pools' other types as exclusions. `unplaced` types are in no pool above. */
export function poolsOf(types: readonly string[]) {
  const poolOf = (type: string) => [...gpuPools].find(([, members]) => members.includes(type))?.[0];
  const pools = [...new Set(types.flatMap((type) => poolOf(type) ?? []))];
  return {
    pools,
    excludedTypes: pools.flatMap((pool) => gpuPools.get(pool) ?? []).filter((type) => !types.includes(type)),
    unplaced: types.filter((type) => poolOf(type) === undefined),
  };
}
