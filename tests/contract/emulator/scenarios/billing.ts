import { expect } from "@jest/globals";
import type { Scenario } from "./scenario";

const FILTERS: Readonly<Record<string, string | undefined>> = {
  listBilling: undefined,
  listPodBilling: "podId",
  listServerlessBilling: "serverlessId",
  listEndpointBilling: undefined,
  listNetworkVolumeBilling: "networkVolumeId",
  listClusterBilling: "clusterId",
};

const REFUSED = [
  [400, { lastN: "3", startTime: "2026-05-01T00:00:00Z" }],
  [400, { lastN: "3", endTime: "2026-05-01T00:00:00Z" }],
  [400, { startTime: "2026-06-01T00:00:00Z", endTime: "2026-05-01T00:00:00Z" }],
  [422, { lastN: "0" }],
  [422, { lastN: "few" }],
  [422, { bucketSize: "decade" }],
  [422, { startTime: "yesterday" }],
] as const;

export const billing: readonly Scenario[] = [
  {
    name: "billing reports what ran before, in every bucket size, range and filter",
    async run(talk) {
      const range = { startTime: "2026-05-01T00:00:00Z", endTime: "2026-06-01T00:00:00Z" };
      for (const [operation, filter] of Object.entries(FILTERS)) {
        for (const bucketSize of ["hour", "day", "week", "month", "year"]) {
          const { records } = await talk.call(operation, 200, { query: { bucketSize, lastN: "2" } });
          // Everything but the vendor's public endpoints has run in the scenarios before this one.
          expect({ operation, empty: records.length === 0 }).toEqual({
            operation,
            empty: operation === "listEndpointBilling",
          });
        }
        await talk.call(operation, 200, { query: range });
        if (filter !== undefined) await talk.call(operation, 200, { query: { [filter]: "nobody" } });
        for (const [status, query] of REFUSED) await talk.call(operation, status, { query });
      }
    },
  },
];
