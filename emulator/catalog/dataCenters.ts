import type { NetworkVolumeRecord } from "../store/records";

export const REGIONS = [
  "NORTH_AMERICA",
  "SOUTH_AMERICA",
  "EUROPE",
  "ASIA",
  "MIDDLE_EAST",
  "AFRICA",
  "OCEANIA",
  "ANTARCTICA",
  "UNKNOWN",
] as const;

export const COMPLIANCES = [
  "GDPR",
  "ISO_IEC_27001",
  "ISO_14001",
  "PCI_DSS",
  "HITRUST",
  "SOC_1_TYPE_2",
  "SOC_2_TYPE_2",
  "SOC_3_TYPE_2",
  "ITAR",
  "FISMA_HIGH",
  "HIPAA",
  "RENEWABLE",
] as const;

export interface DataCenterFacts {
  readonly id: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly region: (typeof REGIONS)[number];
  readonly globalNetwork: boolean;
  /** Primary tier first; empty = no network volumes here. */
  readonly networkVolumeTypes: readonly NetworkVolumeRecord["type"][];
  readonly compliance: readonly (typeof COMPLIANCES)[number][];
}

type Row = readonly [
  id: string,
  name: string,
  country: string,
  region: DataCenterFacts["region"],
  globalNetwork: boolean,
  networkVolumeTypes: DataCenterFacts["networkVolumeTypes"],
  compliance: DataCenterFacts["compliance"],
];

const BOTH_TIERS = ["STANDARD", "HIGH_PERFORMANCE"] as const;
const FAST_FIRST = ["HIGH_PERFORMANCE", "STANDARD"] as const;
const STANDARD_ONLY = ["STANDARD"] as const;

/** Placement tries them in this order. */
const ROWS: readonly Row[] = [
  ["US-CA-2", "US California 2", "US", "NORTH_AMERICA", true, STANDARD_ONLY, ["SOC_2_TYPE_2"]],
  ["US-KS-2", "US Kansas 2", "US", "NORTH_AMERICA", true, BOTH_TIERS, ["SOC_2_TYPE_2", "ISO_IEC_27001", "HIPAA"]],
  ["US-TX-3", "US Texas 3", "US", "NORTH_AMERICA", true, STANDARD_ONLY, ["SOC_2_TYPE_2"]],
  ["US-GA-1", "US Georgia 1", "US", "NORTH_AMERICA", false, [], []],
  ["CA-MTL-1", "Canada Montreal 1", "CA", "NORTH_AMERICA", true, STANDARD_ONLY, ["ISO_IEC_27001", "RENEWABLE"]],
  ["EU-RO-1", "EU Romania 1", "RO", "EUROPE", true, FAST_FIRST, ["GDPR", "ISO_IEC_27001", "SOC_2_TYPE_2"]],
  ["EU-CZ-1", "EU Czechia 1", "CZ", "EUROPE", true, STANDARD_ONLY, ["GDPR"]],
  ["EU-FR-1", "EU France 1", "FR", "EUROPE", false, STANDARD_ONLY, ["GDPR", "ISO_14001"]],
  ["EU-SE-1", "EU Sweden 1", "SE", "EUROPE", false, STANDARD_ONLY, ["GDPR", "RENEWABLE"]],
  ["EUR-IS-1", "Europe Iceland 1", "IS", "EUROPE", true, BOTH_TIERS, ["GDPR", "RENEWABLE"]],
  ["EUR-NO-1", "Europe Norway 1", "NO", "EUROPE", true, STANDARD_ONLY, ["GDPR", "RENEWABLE"]],
  ["AP-JP-1", "Asia Japan 1", "JP", "ASIA", false, STANDARD_ONLY, []],
  ["OC-AU-1", "Oceania Australia 1", "AU", "OCEANIA", false, [], ["PCI_DSS"]],
  // Only the ids of these are known, from the vendor's examples.
  ["US-OR-1", "US Oregon 1", "US", "NORTH_AMERICA", false, STANDARD_ONLY, []],
  ["US-CA-1", "US California 1", "US", "NORTH_AMERICA", false, STANDARD_ONLY, []],
  ["CA-MTL-2", "Canada Montreal 2", "CA", "NORTH_AMERICA", false, STANDARD_ONLY, []],
  ["CA-MTL-3", "Canada Montreal 3", "CA", "NORTH_AMERICA", false, STANDARD_ONLY, []],
  ["EUR-IS-2", "Europe Iceland 2", "IS", "EUROPE", false, STANDARD_ONLY, []],
  ["AP-IN-2", "Asia India 2", "IN", "ASIA", false, STANDARD_ONLY, []],
  ["SEA-SG-1", "Southeast Asia Singapore 1", "SG", "ASIA", false, STANDARD_ONLY, []],
];

export const DATA_CENTERS: ReadonlyMap<string, DataCenterFacts> = new Map(
  ROWS.map(([id, name, country, region, globalNetwork, networkVolumeTypes, compliance]) => [
    id,
    { id, name, country, region, globalNetwork, networkVolumeTypes, compliance },
  ]),
);
