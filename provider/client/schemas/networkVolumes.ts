import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { idOf, name, Pagination } from "./common";

const VolumeType = z.enum(["STANDARD", "HIGH_PERFORMANCE"]);

export const NetworkVolume = z.object({
  id: idOf("volume", "`volumeId` of a pod's mount"),
  name,
  size: z.int().describe("Size in GB."),
  dataCenter: z.string().describe("Data center that holds it, as `getDataCenter` takes it."),
  type: VolumeType.describe("Its storage tier."),
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
