import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { AttachedResource } from "./attachments";
import { idOf, Pagination } from "./common";

export const CostCenter = z.object({
  id: idOf("cost center", "`adoptId` of a CostCenter"),
  value: z.string().describe("Its name."),
});
export type CostCenter = Tolerant<z.infer<typeof CostCenter>>;

export const ListCostCenters = z.object({ costCenters: z.array(CostCenter), pagination: Pagination.optional() });

export const ListCostCenterResources = z.object({
  resources: z.array(AttachedResource),
  pagination: Pagination.optional(),
});

/** How many resources a create takes. */
export const MOST_AT_CREATE = 100;

export const CreateCostCenterRequest = z.strictObject({
  value: z.string(),
  resources: z.array(AttachedResource).max(MOST_AT_CREATE).optional(),
});
export type CreateCostCenterRequest = z.infer<typeof CreateCostCenterRequest>;

export const UpdateCostCenterRequest = z.strictObject({ value: z.string() });
export type UpdateCostCenterRequest = z.infer<typeof UpdateCostCenterRequest>;
