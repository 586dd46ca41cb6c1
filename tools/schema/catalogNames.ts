import type { CatalogKind } from "../../provider/catalog/catalogued";

const GPU_TYPES = [
  "AMD Instinct MI300X OAM",
  "NVIDIA A100 80GB PCIe",
  "NVIDIA A100-SXM4-40GB",
  "NVIDIA A100-SXM4-80GB",
  "NVIDIA A30",
  "NVIDIA A40",
  "NVIDIA B200",
  "NVIDIA B300 SXM6 AC",
  "NVIDIA GeForce RTX 3070",
  "NVIDIA GeForce RTX 3080",
  "NVIDIA GeForce RTX 3080 Ti",
  "NVIDIA GeForce RTX 3090",
  "NVIDIA GeForce RTX 3090 Ti",
  "NVIDIA GeForce RTX 4070 Ti",
  "NVIDIA GeForce RTX 4080",
  "NVIDIA GeForce RTX 4080 SUPER",
  "NVIDIA GeForce RTX 4090",
  "NVIDIA GeForce RTX 5080",
  "NVIDIA GeForce RTX 5090",
  "NVIDIA H100 80GB HBM3",
  "NVIDIA H100 NVL",
  "NVIDIA H100 PCIe",
  "NVIDIA H200",
  "NVIDIA L4",
  "NVIDIA L40",
  "NVIDIA L40S",
  "NVIDIA RTX 2000 Ada Generation",
  "NVIDIA RTX 4000 Ada Generation",
  "NVIDIA RTX 4000 SFF Ada Generation",
  "NVIDIA RTX 5000 Ada Generation",
  "NVIDIA RTX 6000 Ada Generation",
  "NVIDIA RTX A2000",
  "NVIDIA RTX A4000",
  "NVIDIA RTX A4500",
  "NVIDIA RTX A5000",
  "NVIDIA RTX A6000",
  "NVIDIA RTX PRO 4500 Blackwell",
  "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
  "NVIDIA RTX PRO 6000 Blackwell Server Edition",
  "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
  "Tesla V100-FHHL-16GB",
  "Tesla V100-PCIE-16GB",
  "Tesla V100-SXM2-16GB",
  "Tesla V100-SXM2-32GB",
];

const GPU_POOLS = [
  "ADA_24",
  "ADA_32_PRO",
  "ADA_48_PRO",
  "ADA_80_PRO",
  "AMPERE_16",
  "AMPERE_24",
  "AMPERE_48",
  "AMPERE_80",
  "BLACKWELL_180",
  "BLACKWELL_96",
  "HOPPER_141",
];

const DATA_CENTERS = [
  "AP-IN-2",
  "AP-JP-1",
  "CA-MTL-1",
  "CA-MTL-2",
  "CA-MTL-3",
  "EU-CZ-1",
  "EU-FR-1",
  "EU-RO-1",
  "EU-SE-1",
  "EUR-IS-1",
  "EUR-IS-2",
  "EUR-NO-1",
  "OC-AU-1",
  "SEA-SG-1",
  "US-CA-1",
  "US-CA-2",
  "US-GA-1",
  "US-KS-2",
  "US-OR-1",
  "US-TX-3",
];

interface Names {
  readonly type: string;
  readonly suggestions: readonly string[];
}

const byKind: Readonly<Partial<Record<CatalogKind, Names>>> = {
  gpuType: { type: "GpuTypeId", suggestions: GPU_TYPES },
  excludedType: { type: "GpuTypeId", suggestions: GPU_TYPES },
  pool: { type: "GpuPoolId", suggestions: GPU_POOLS },
  poolList: { type: "GpuPoolList", suggestions: GPU_POOLS },
  dataCenter: { type: "DataCenterId", suggestions: DATA_CENTERS },
  placeList: { type: "PlaceList", suggestions: DATA_CENTERS },
  cpu: { type: "CpuFlavorId", suggestions: ["cpu3c", "cpu3g", "cpu3m", "cpu5c", "cpu5g"] },
};

/**
 * Names of the catalog that editors suggest, by their kind. The service may have others, which are accepted too. Of an account's
 * own resources editors know no ids.
 */
export const catalogNames: ReadonlyMap<string, Names> = new Map(Object.entries(byKind));
