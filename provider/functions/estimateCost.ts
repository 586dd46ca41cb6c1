import { z } from "../../common/zod";
import { estimate, HOURS_PER_MONTH } from "../cost/items";
import { Prices } from "../cost/prices";
import { costArguments, Item } from "../cost/subjects";
import { named } from "../lifecycle/fields/fields";
import { defineFunction } from "./definition";

export const estimateCost = defineFunction({
  description:
    "Estimates the cost of a pod, cluster, serverless endpoint or network volume, in USD, with the catalog's current prices. " +
    "Give the arguments of one such resource. Fails for a type that is not in the catalog or has no published price.",
  args: costArguments,
  result: named(
    "CostEstimate",
    z.object({
      hourly: z
        .number()
        .describe("USD an hour at least: for an endpoint, with `workersMin` workers in its first pool."),
      monthly: z.number().describe(`USD a month of ${HOURS_PER_MONTH} hours at least.`),
      hourlyMax: z
        .number()
        .describe("USD an hour at most: for an endpoint, with `workersMax` workers in its most expensive pool."),
      monthlyMax: z.number().describe(`USD a month of ${HOURS_PER_MONTH} hours at most.`),
      items: z.array(Item).describe("The items that add up to these amounts."),
    }),
  ),
  call: (client, subject, caller) => estimate(subject, new Prices(client, caller)),
});
