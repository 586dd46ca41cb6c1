import type { NetworkVolumeRecord } from "../store/records";

export interface DataCenterFacts {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly region: "NORTH_AMERICA" | "EUROPE" | "ASIA" | "OCEANIA";
  readonly globalNetwork: boolean;
  /** Primary tier first; empty = no network volumes here. */
  readonly networkVolumeTypes: readonly NetworkVolumeRecord["type"][];
  readonly compliance: readonly string[];
}

/** Placement tries them in this order. */
export const DATA_CENTERS: ReadonlyMap<string, DataCenterFacts> = new Map(
  (
    [
      ["US-CA-2", "US California 2", "US", "NORTH_AMERICA", true, ["STANDARD"], ["SOC_2_TYPE_2"]],
      [
        "US-KS-2",
        "US Kansas 2",
        "US",
        "NORTH_AMERICA",
        true,
        ["STANDARD", "HIGH_PERFORMANCE"],
        ["SOC_2_TYPE_2", "HIPAA"],
      ],
      ["US-TX-3", "US Texas 3", "US", "NORTH_AMERICA", true, ["STANDARD"], ["SOC_2_TYPE_2"]],
      ["US-GA-1", "US Georgia 1", "US", "NORTH_AMERICA", false, [], []],
      ["CA-MTL-1", "Canada Montreal 1", "CA", "NORTH_AMERICA", true, ["STANDARD"], ["ISO_IEC_27001", "RENEWABLE"]],
      ["EU-RO-1", "EU Romania 1", "RO", "EUROPE", true, ["HIGH_PERFORMANCE", "STANDARD"], ["GDPR", "ISO_IEC_27001"]],
      ["EU-CZ-1", "EU Czechia 1", "CZ", "EUROPE", true, ["STANDARD"], ["GDPR"]],
      ["EU-SE-1", "EU Sweden 1", "SE", "EUROPE", false, ["STANDARD"], ["GDPR", "RENEWABLE"]],
      ["EUR-IS-1", "Europe Iceland 1", "IS", "EUROPE", true, ["STANDARD", "HIGH_PERFORMANCE"], ["GDPR", "RENEWABLE"]],
      ["AP-JP-1", "Asia Japan 1", "JP", "ASIA", false, ["STANDARD"], []],
    ] as const
  ).map(([id, name, country, region, globalNetwork, networkVolumeTypes, compliance]) => [
    id,
    { id, name, country, region, globalNetwork, networkVolumeTypes, compliance },
  ]),
);
