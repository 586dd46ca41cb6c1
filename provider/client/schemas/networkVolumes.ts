import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { Pagination } from "./common";

const VolumeType = z.enum(["STANDARD", "HIGH_PERFORMANCE"]);

export const NetworkVolume = z.object({
  id: z.string(),
  name: z.string(),
  size: z.int().describe("GB."),
  dataCenter: z.string(),
  type: VolumeType,
});
export type NetworkVolume = Tolerant<z.infer<typeof NetworkVolume>>;

export const ListNetworkVolumes = z.object({
  networkVolumes: z.array(NetworkVolume),
  pagination: Pagination.optional(),
});

export const CreateNetworkVolumeRequest = z.strictObject({
  name: z.string(),
  size: z.int(),
  dataCenter: z.string(),
  type: VolumeType.optional(),
});
export type CreateNetworkVolumeRequest = z.infer<typeof CreateNetworkVolumeRequest>;

export const UpdateNetworkVolumeRequest = z.strictObject({ name: z.string().optional(), size: z.int().optional() });
export type UpdateNetworkVolumeRequest = z.infer<typeof UpdateNetworkVolumeRequest>;
