import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { createdAt, idOf, name, Pagination } from "./common";

export const GlobalVolume = z.object({
  id: idOf("global volume", "`adoptId` of a GlobalVolume"),
  name,
  createdAt,
  createdByUserId: z.string().nullish().describe("Id of the user that made it; null if unknown."),
});
export type GlobalVolume = Tolerant<z.infer<typeof GlobalVolume>>;

export const ListGlobalVolumes = z.object({ globalVolumes: z.array(GlobalVolume), pagination: Pagination.optional() });

export const CreateGlobalVolumeRequest = z.strictObject({ name: z.string() });
export type CreateGlobalVolumeRequest = z.infer<typeof CreateGlobalVolumeRequest>;

export const UpdateGlobalVolumeRequest = z.strictObject({ name: z.string() });
export type UpdateGlobalVolumeRequest = z.infer<typeof UpdateGlobalVolumeRequest>;
