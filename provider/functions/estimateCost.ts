import { z } from "zod";
import { named } from "../lifecycle/fields";
import { clusterItems, endpointItems, HOURS_PER_MONTH, networkVolumeItems, podItems } from "./costItems";
import { costArguments, Item } from "./costSubjects";
import { defineFunction } from "./definition";
import { Prices } from "./prices";

export const estimateCost = defineFunction({
  description:
    "What a pod, cluster, serverless endpoint or network volume costs, in USD, by the catalog's prices of today. Give " +
    "one of them, with the arguments that it is declared with.",
  args: costArguments,
  result: named(
    "CostEstimate",
    z.object({
      hourly: z.number().describe("USD an hour at least: for an endpoint, with `workersMin` workers."),
      monthly: z.number().describe(`USD a month of ${HOURS_PER_MONTH} hours at least.`),
      hourlyMax: z.number().describe("USD an hour at most: for an endpoint, with `workersMax` workers."),
      monthlyMax: z.number().describe(`USD a month of ${HOURS_PER_MONTH} hours at most.`),
      items: z.array(Item),
    }),
  ),
  call: async (client, given, caller) => {
    const prices = new Prices(client, caller);
    const items = [
      ...(given.pod === undefined ? [] : await podItems(given.pod, prices)),
      ...(given.cluster === undefined ? [] : await clusterItems(given.cluster, prices)),
      ...(given.endpoint === undefined ? [] : await endpointItems(given.endpoint, prices)),
      ...(given.networkVolume === undefined ? [] : networkVolumeItems(given.networkVolume)),
    ];
    const sum = (quantity: (item: Item) => number) =>
      items.reduce((total, item) => total + quantity(item) * item.unitPricePerHour, 0);
    const hourly = sum((item) => item.quantity);
    const hourlyMax = sum((item) => item.maxQuantity);
    return {
      hourly: round(hourly),
      monthly: round(hourly * HOURS_PER_MONTH),
      hourlyMax: round(hourlyMax),
      monthlyMax: round(hourlyMax * HOURS_PER_MONTH),
      items: items.map((item) => ({ ...item, unitPricePerHour: round(item.unitPricePerHour) })),
    };
  },
});

function round(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}
