import type { CpuFacts } from "./cpus";
import type { GpuFacts } from "./gpus";

export const AVAILABILITY_LEVELS = ["NONE", "LOW", "MEDIUM", "HIGH"] as const;
export type AvailabilityLevel = (typeof AVAILABILITY_LEVELS)[number];

/** Level -> pools, GPU types without a pool, and CPU flavors. */
export type Shelf = Readonly<Partial<Record<AvailabilityLevel, readonly string[]>>>;

/** Data center -> how much is free there, by pool (by id where a GPU type has none) and CPU flavor. */
const STOCK: Readonly<Record<string, Shelf>> = {
  "US-CA-2": {
    HIGH: ["AMPERE_16", "AMPERE_24", "ADA_24", "AMPERE_48", "cpu3c", "cpu5c"],
    MEDIUM: ["ADA_48_PRO", "AMPERE_80", "ADA_80_PRO", "cpu3g", "cpu3m"],
    LOW: ["ADA_32_PRO", "HOPPER_141", "BLACKWELL_180"],
  },
  "US-KS-2": {
    HIGH: ["AMPERE_16", "AMPERE_24", "ADA_24", "ADA_48_PRO", "AMPERE_80", "ADA_80_PRO", "HOPPER_141"],
    MEDIUM: ["AMPERE_48", "ADA_32_PRO", "BLACKWELL_96", "cpu3c", "cpu3g", "cpu3m", "cpu5c", "cpu5g"],
    LOW: ["BLACKWELL_180"],
  },
  "US-TX-3": {
    HIGH: ["AMPERE_24", "ADA_24", "ADA_48_PRO", "ADA_80_PRO", "cpu3c", "cpu5c", "cpu5g"],
    MEDIUM: ["AMPERE_16", "AMPERE_48", "AMPERE_80", "HOPPER_141", "BLACKWELL_180"],
    LOW: ["ADA_32_PRO", "BLACKWELL_96", "AMD Instinct MI300X OAM"],
  },
  "US-GA-1": { HIGH: ["ADA_24"], MEDIUM: ["AMPERE_24", "AMPERE_48"], LOW: ["AMPERE_16", "ADA_48_PRO", "cpu3c"] },
  "CA-MTL-1": {
    HIGH: ["AMPERE_16", "AMPERE_24", "AMPERE_48"],
    MEDIUM: ["ADA_24", "AMPERE_80", "cpu3c", "cpu3g"],
    LOW: ["ADA_48_PRO", "ADA_80_PRO"],
  },
  "EU-RO-1": {
    HIGH: ["AMPERE_16", "AMPERE_24", "ADA_24", "ADA_32_PRO", "cpu3c", "cpu3g", "cpu5c"],
    MEDIUM: ["AMPERE_48", "ADA_48_PRO", "AMPERE_80", "ADA_80_PRO", "BLACKWELL_96", "cpu3m", "cpu5g"],
    LOW: ["HOPPER_141", "BLACKWELL_180", "AMD Instinct MI300X OAM"],
  },
  "EU-CZ-1": {
    HIGH: ["ADA_24", "ADA_32_PRO"],
    MEDIUM: ["AMPERE_16", "AMPERE_24", "AMPERE_48", "cpu3c", "cpu5c"],
    LOW: ["ADA_48_PRO", "BLACKWELL_96"],
  },
  "EU-FR-1": { MEDIUM: ["AMPERE_24", "AMPERE_80", "HOPPER_141"], LOW: ["ADA_24", "ADA_80_PRO", "cpu3c"] },
  "EU-SE-1": {
    HIGH: ["AMPERE_48", "AMPERE_16"],
    MEDIUM: ["AMPERE_24", "ADA_24", "cpu3g"],
    LOW: ["AMPERE_80", "ADA_48_PRO"],
  },
  "EUR-IS-1": {
    HIGH: ["ADA_80_PRO", "HOPPER_141"],
    MEDIUM: ["AMPERE_24", "ADA_24", "ADA_48_PRO", "AMPERE_80", "cpu3c", "cpu5c"],
    LOW: ["BLACKWELL_180", "BLACKWELL_96"],
  },
  "EUR-NO-1": { HIGH: ["ADA_24", "ADA_48_PRO"], MEDIUM: ["AMPERE_24", "ADA_80_PRO", "cpu5c"], LOW: ["AMPERE_16"] },
  "AP-JP-1": { MEDIUM: ["ADA_80_PRO", "HOPPER_141", "AMPERE_80"], LOW: ["ADA_24", "AMPERE_24", "cpu3c"] },
  "OC-AU-1": { LOW: ["ADA_24", "AMPERE_24"] },
  "US-OR-1": { LOW: ["ADA_24", "AMPERE_80", "ADA_80_PRO", "cpu3c"] },
  "US-CA-1": { LOW: ["ADA_24", "AMPERE_48", "cpu3c"] },
  "CA-MTL-2": { LOW: ["AMPERE_24", "AMPERE_48", "cpu3c"] },
  "CA-MTL-3": { LOW: ["AMPERE_24", "AMPERE_80", "cpu3c"] },
  "EUR-IS-2": { LOW: ["ADA_24", "ADA_80_PRO", "cpu3c"] },
  "AP-IN-2": { LOW: ["ADA_24", "ADA_80_PRO", "cpu3c"] },
  "SEA-SG-1": { LOW: ["ADA_24", "AMPERE_24", "cpu3c"] },
};

/** Data centers with GPU types without a pool: older and consumer cards, a few of each. */
const WITHOUT_POOL: Readonly<Record<string, AvailabilityLevel>> = {
  "US-CA-2": "LOW",
  "US-TX-3": "MEDIUM",
  "CA-MTL-1": "MEDIUM",
  "EU-RO-1": "LOW",
  "EU-SE-1": "LOW",
};

/** How much of a GPU type or CPU flavor is free in a data center. @param replacement for the shelf of the table */
export function stockOf(dataCenterId: string, item: GpuFacts | CpuFacts, replacement?: Shelf): AvailabilityLevel {
  const shelved = "pool" in item && item.pool !== null ? item.pool : item.id;
  const shelf = replacement ?? STOCK[dataCenterId] ?? {};
  const level = AVAILABILITY_LEVELS.find((each) => shelf[each]?.includes(shelved));
  if (level !== undefined) return level;
  const isLoose = "pool" in item && item.pool === null && item.manufacturer === "NVIDIA";
  return (isLoose ? WITHOUT_POOL[dataCenterId] : undefined) ?? "NONE";
}

export const highest = (levels: readonly AvailabilityLevel[]): AvailabilityLevel =>
  AVAILABILITY_LEVELS.findLast((level) => levels.includes(level)) ?? "NONE";

/** One level lower, but still offered. */
export function scarcer(level: AvailabilityLevel): AvailabilityLevel {
  const lower = AVAILABILITY_LEVELS[AVAILABILITY_LEVELS.indexOf(level) - 1];
  return lower === undefined || lower === "NONE" ? level : lower;
}
