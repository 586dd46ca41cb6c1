import type { Bench } from "../bench";
import { expectStatus, field, listIn, needStatus, Untried } from "../verdict";
import type { Trials } from "./trial";

const SMALLEST_GB = 10;
/** An upper bound: ten times the present price of the most expensive tier. */
const USD_PER_GB_HOUR = 0.002;

/** The most that each costs, in USD, if everything that it makes exists for an hour. All other trials cost nothing. */
export const volumeUsd = {
  "volume-names-repeat": 2 * SMALLEST_GB * USD_PER_GB_HOUR,
  "volume-grows-only": (SMALLEST_GB + 1) * USD_PER_GB_HOUR,
};

/** Trials with the smallest possible volumes, for a moment. */
export const volumeTrials = {
  "volume-names-repeat": async (bench) => {
    const { name, dataCenter } = await volume(bench);
    expectStatus(await bench.create("volume", { name, dataCenter, size: SMALLEST_GB }), 200, 201);
  },
  "volume-grows-only": async (bench) => {
    const { id } = await volume(bench, SMALLEST_GB + 1);
    const body = { size: SMALLEST_GB };
    expectStatus(await bench.ask("PATCH /v2/network-volumes/{id}", { params: { id }, body }), 400, 422);
  },
} satisfies Trials;

async function volume(bench: Bench, size = SMALLEST_GB) {
  const centers = needStatus(await bench.ask("GET /v2/catalog/datacenters"), 200);
  const center = listIn(centers.body, "dataCenters").find((each) => listIn(each, "networkVolumeTypes").length > 0);
  const dataCenter = field(center, "id");
  if (typeof dataCenter !== "string") throw new Untried("no capacity: no data center offers network volumes");
  const name = bench.name();
  return { name, dataCenter, id: (await bench.make("volume", { name, dataCenter, size })).id };
}
