/** A GPU type in the catalog. Prices are in USD per hour for one GPU. */
export interface GpuFacts {
  readonly id: string;
  readonly name: string;
  readonly pool: string | null;
  readonly manufacturer: "NVIDIA" | "AMD";
  /** GB */
  readonly memory: number;
  readonly price: { readonly secure: number; readonly community: number; readonly serverless?: number | undefined };
  /** Most GPUs of this type in one pod; 0 = not offered in that cloud. */
  readonly maxCount: { readonly secure: number; readonly community: number };
}

/** Pool -> serverless USD per second. */
const POOLS: Readonly<Record<string, number>> = {
  AMPERE_16: 0.00016,
  AMPERE_24: 0.00019,
  ADA_24: 0.00031,
  ADA_32_PRO: 0.00044,
  AMPERE_48: 0.00034,
  ADA_48_PRO: 0.00053,
  AMPERE_80: 0.00076,
  ADA_80_PRO: 0.00116,
  BLACKWELL_96: 0.00111,
  HOPPER_141: 0.00155,
  BLACKWELL_180: 0.0024,
};

type Row = readonly [
  model: string,
  name: string,
  pool: string | null,
  memory: number,
  secure: number,
  community: number,
];

/** Model (after the maker's name), display name, pool, GB, USD/h secure, USD/h community; 0 = not offered in that cloud. */
const NVIDIA: readonly Row[] = [
  ["RTX A4000", "RTX A4000", "AMPERE_16", 16, 0.25, 0.17],
  ["RTX A4500", "RTX A4500", "AMPERE_16", 20, 0.25, 0.19],
  ["RTX 4000 Ada Generation", "RTX 4000 Ada", "AMPERE_16", 20, 0.26, 0.2],
  ["RTX 2000 Ada Generation", "RTX 2000 Ada", "AMPERE_16", 16, 0.24, 0],
  ["L4", "L4", "AMPERE_24", 24, 0.39, 0],
  ["RTX A5000", "RTX A5000", "AMPERE_24", 24, 0.27, 0.16],
  ["GeForce RTX 3090", "RTX 3090", "AMPERE_24", 24, 0.46, 0.22],
  ["GeForce RTX 4090", "RTX 4090", "ADA_24", 24, 0.44, 0.31],
  ["GeForce RTX 5090", "RTX 5090", "ADA_32_PRO", 32, 0.89, 0.69],
  ["RTX A6000", "RTX A6000", "AMPERE_48", 48, 0.49, 0.33],
  ["A40", "A40", "AMPERE_48", 48, 0.4, 0],
  ["L40", "L40", "ADA_48_PRO", 48, 0.99, 0],
  ["L40S", "L40S", "ADA_48_PRO", 48, 0.86, 0.79],
  ["RTX 6000 Ada Generation", "RTX 6000 Ada", "ADA_48_PRO", 48, 0.77, 0.74],
  ["A100 80GB PCIe", "A100 PCIe", "AMPERE_80", 80, 1.64, 1.19],
  ["A100-SXM4-80GB", "A100 SXM", "AMPERE_80", 80, 1.74, 0],
  ["H100 PCIe", "H100 PCIe", "ADA_80_PRO", 80, 2.39, 1.99],
  ["H100 80GB HBM3", "H100 SXM", "ADA_80_PRO", 80, 2.69, 0],
  ["H100 NVL", "H100 NVL", "ADA_80_PRO", 94, 2.79, 2.59],
  ["RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000", "BLACKWELL_96", 96, 1.79, 0],
  ["RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 WK", "BLACKWELL_96", 96, 1.79, 0],
  ["RTX PRO 6000 Blackwell Max-Q Workstation Edition", "RTX PRO 6000 Max-Q", "BLACKWELL_96", 96, 1.69, 0],
  ["H200", "H200 SXM", "HOPPER_141", 141, 3.59, 0],
  ["B200", "B200", "BLACKWELL_180", 180, 5.98, 0],
  ["B300 SXM6 AC", "B300", null, 288, 6.94, 0],
  ["A100-SXM4-40GB", "A100 SXM 40GB", null, 40, 1.1, 0],
  ["A30", "A30", null, 24, 0.22, 0.22],
  ["GeForce RTX 3070", "RTX 3070", null, 8, 0, 0.13],
  ["GeForce RTX 3080", "RTX 3080", null, 10, 0, 0.17],
  ["GeForce RTX 3080 Ti", "RTX 3080 Ti", null, 12, 0, 0.18],
  ["GeForce RTX 3090 Ti", "RTX 3090 Ti", null, 24, 0, 0.27],
  ["GeForce RTX 4070 Ti", "RTX 4070 Ti", null, 12, 0, 0.19],
  ["GeForce RTX 4080", "RTX 4080", null, 16, 0, 0.27],
  ["GeForce RTX 4080 SUPER", "RTX 4080 SUPER", null, 16, 0, 0.28],
  ["GeForce RTX 5080", "RTX 5080", null, 16, 0, 0.39],
  ["RTX 4000 SFF Ada Generation", "RTX 4000 Ada SFF", null, 20, 0, 0.18],
  ["RTX 5000 Ada Generation", "RTX 5000 Ada", null, 32, 0.78, 0],
  // Its price is unknown; this is a guess between its neighbours' prices.
  ["RTX PRO 4500 Blackwell", "RTX PRO 4500", null, 32, 0.69, 0],
  ["RTX A2000", "RTX A2000", null, 6, 0, 0.12],
  ["Tesla V100-FHHL-16GB", "Tesla V100 FHHL", null, 16, 0, 0.19],
  ["Tesla V100-PCIE-16GB", "Tesla V100", null, 16, 0, 0.19],
  ["Tesla V100-SXM2-16GB", "V100 SXM2", null, 16, 0, 0.19],
  ["Tesla V100-SXM2-32GB", "V100 SXM2 32GB", null, 32, 0, 0.23],
];

const AMD: readonly Row[] = [["Instinct MI300X OAM", "MI300X", null, 192, 2.49, 0]];

const facts =
  (manufacturer: GpuFacts["manufacturer"]) =>
  ([model, name, pool, memory, secure, community]: Row): GpuFacts => ({
    // The service names only these oldest types by their series, without the maker.
    id: model.startsWith("Tesla ") ? model : `${manufacturer} ${model}`,
    name,
    pool,
    manufacturer,
    memory,
    price: { secure, community, ...(pool !== null && { serverless: perHour(POOLS[pool] ?? 0) }) },
    maxCount: { secure: secure > 0 ? 8 : 0, community: community > 0 ? 8 : 0 },
  });

const perHour = (perSecond: number): number => Math.round(perSecond * 3600 * 1e4) / 1e4;

export const GPU_TYPES: ReadonlyMap<string, GpuFacts> = new Map(
  [...NVIDIA.map(facts("NVIDIA")), ...AMD.map(facts("AMD"))].map((gpu) => [gpu.id, gpu]),
);

/** A pod's share of its machine for all its GPUs: vCPUs, and memory in GB. */
export function hostShare({ memory }: Pick<GpuFacts, "memory">, count: number) {
  return { vcpuCount: (memory < 80 ? 8 : 16) * count, memory: Math.max(24, Math.round(memory * 1.25)) * count };
}

/** USD per hour of one, in the cheapest cloud that offers it. */
export function lowestPrice(gpu: GpuFacts | undefined): number | null {
  const clouds = (["secure", "community"] as const).filter((cloud) => (gpu?.maxCount[cloud] ?? 0) > 0);
  return clouds.length === 0 ? null : Math.min(...clouds.map((cloud) => gpu?.price[cloud] ?? 0));
}

/** What others offer for one that may be interrupted. */
export function leastBid(gpu: GpuFacts | undefined): number | null {
  const price = lowestPrice(gpu);
  return price === null ? null : price / 2;
}

/** CUDA versions of the hosts, newest last. */
export const CUDA_VERSIONS = ["12.1", "12.2", "12.4", "12.6", "12.8", "12.9", "13.0"] as const;

/** A version whose hosts have no capacity. */
const FULL_CUDA_VERSION = "12.2";

/** The first CUDA version that supports a pool's architecture. Default: the oldest version. */
const FIRST_CUDA_VERSION: Readonly<Record<string, (typeof CUDA_VERSIONS)[number]>> = {
  ADA_32_PRO: "12.8",
  BLACKWELL_96: "12.8",
  BLACKWELL_180: "12.8",
};

/** The CUDA versions of this GPU type's hosts, and whether a host with the version has capacity. None for AMD. */
export function hostCudaVersions({ manufacturer, pool }: GpuFacts): { version: string; available: boolean }[] {
  if (manufacturer !== "NVIDIA") return [];
  const first = CUDA_VERSIONS.indexOf(FIRST_CUDA_VERSION[pool ?? ""] ?? CUDA_VERSIONS[0]);
  return CUDA_VERSIONS.slice(first).map((version) => ({ version, available: version !== FULL_CUDA_VERSION }));
}

/** Orders CUDA versions by number, part by part: 12.11 is newer than 12.2, and 12 means 12.0. */
export function compareVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}
