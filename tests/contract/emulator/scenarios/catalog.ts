import { expect } from "@jest/globals";
import type { Scenarios } from "../conversation";

const AVAILABLE = { include: "AVAILABILITY", product: "POD,SERVERLESS" };

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

/** Comes last, because it reports what ran before. */
export const catalog: Scenarios = {
  async "the catalog shows GPU types and CPU flavors with and without availability"(talk) {
    const gpu = { id: "NVIDIA GeForce RTX 4090" };
    const narrowed = { ...AVAILABLE, count: "2", cloud: "SECURE", countryCodes: "RO,US", cudaVersions: "12.8,13.0" };
    for (const [list, get, params] of [
      ["listGpuTypes", "getGpuType", gpu],
      ["listCpuTypes", "getCpuType", { id: "cpu5c" }],
    ] as const) {
      await talk.call(list, 200);
      await talk.call(list, 200, { query: AVAILABLE });
      await talk.call(list, 400, { query: { product: "POD" } });
      await talk.call(list, 422, { query: { include: "PRICES" } });
      await talk.call(get, 200, { params });
      await talk.call(get, 200, { params, query: AVAILABLE });
      await talk.call(get, 400, { params, query: { include: "AVAILABILITY" } });
      await talk.call(get, 422, { params, query: { include: "PRICES" } });
      await talk.call(get, 404);
    }
    await talk.call("listGpuTypes", 200, { query: narrowed });
    await talk.call("getGpuType", 200, { params: gpu, query: { ...AVAILABLE, minCudaVersion: "12" } });
    await talk.call("listCpuTypes", 200, { query: { ...AVAILABLE, vcpuCount: "8" } });
  },
  async "the catalog shows data centers, filtered, with their stock, and public templates by source"(talk) {
    const stock = { include: "GPU_AVAILABILITY,CPU_AVAILABILITY" };
    const filter = {
      regions: "EUROPE,ASIA",
      networkVolumeTypes: "STANDARD",
      compliance: "GDPR",
      globalNetwork: "true",
    };
    await talk.call("listDataCenters", 200, { query: { ...stock, ...filter } });
    await talk.call("listDataCenters", 422, { query: { regions: "MOON" } });
    await talk.call("getDataCenter", 200, { params: { id: "US-CA-2" }, query: stock });
    await talk.call("getDataCenter", 422, { params: { id: "US-CA-2" }, query: { include: "AVAILABILITY" } });
    await talk.call("getDataCenter", 404);
    for (const source of ["official", "verified", "community"])
      await talk.call("listPublicTemplates", 200, { query: { source } });
    await talk.call("listPublicTemplates", 422, { query: { source: "mine" } });
  },
  async "billing reports what ran before, in every bucket size, range and filter"(talk) {
    const range = { startTime: "2026-05-01T00:00:00Z", endTime: "2026-06-01T00:00:00Z" };
    for (const [operation, filter] of Object.entries(FILTERS)) {
      for (const bucketSize of ["hour", "day", "week", "month", "year"]) {
        const { records } = await talk.call(operation, 200, { query: { bucketSize, lastN: "2" } });
        // Everything but the vendor's public endpoints has run in the scenarios before this one.
        const empty = operation === "listEndpointBilling";
        expect({ operation, empty: records.length === 0 }).toEqual({ operation, empty });
      }
      await talk.call(operation, 200, { query: range });
      if (filter !== undefined) await talk.call(operation, 200, { query: { [filter]: "nobody" } });
      for (const [status, query] of REFUSED) await talk.call(operation, status, { query });
    }
  },
};
