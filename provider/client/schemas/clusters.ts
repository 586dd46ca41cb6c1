import { z } from "zod";
import type { Tolerant } from "../tolerant";
import { baseContainerFields, Mounts, Pagination } from "./common";
import { PodStatus } from "./pods";

const ClusterType = z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"]);

const Compute = z.strictObject({ gpuTypeId: z.string(), gpuCountPerPod: z.int(), podCount: z.int() });

export const Cluster = z.object({
  id: z.string(),
  name: z.string(),
  type: ClusterType,
  compute: Compute,
  template: z.string().nullish(),
  dataCenterId: z.string().nullish().describe("Where the first pod was placed."),
  pods: z.object({ total: z.int(), byStatus: z.partialRecord(PodStatus, z.int()) }),
  network: z.object({ cidr: z.string(), vxlanId: z.int().optional(), vxlanPort: z.int().optional() }).optional(),
  primary: z.object({ podId: z.string(), status: PodStatus, sshEndpoint: z.string().optional() }).optional(),
  createdAt: z.string().describe("RFC 3339."),
});
export type Cluster = Tolerant<z.infer<typeof Cluster>>;

export const ListClusters = z.object({ clusters: z.array(Cluster), pagination: Pagination.optional() });

export const CreateClusterRequest = z.strictObject({
  name: z.string(),
  type: ClusterType,
  compute: Compute,
  ...baseContainerFields,
  dataCenterIds: z.array(z.string()).optional(),
  mounts: Mounts.optional(),
  startSsh: z.boolean().optional(),
  startJupyter: z.boolean().optional(),
});
export type CreateClusterRequest = z.infer<typeof CreateClusterRequest>;

export const UpdateClusterRequest = z.strictObject({ name: z.string().optional() });
export type UpdateClusterRequest = z.infer<typeof UpdateClusterRequest>;
