import { z } from "zod";
import { named } from "../lifecycle/fields";
import { estimate, HOURS_PER_MONTH } from "./costItems";
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
      items: z.array(Item).describe("What the amounts are the sums of."),
    }),
  ),
  call: (client, given, caller) => estimate(given, new Prices(client, caller)),
});
