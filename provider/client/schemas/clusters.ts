import { z } from "zod";
import type { Tolerant } from "../values/tolerant";
import { baseContainerFields, createdAt, idOf, Mounts, name, Pagination } from "./common";
import { PodStatus } from "./pods";

const ClusterType = z.enum(["APPLICATION", "TRAINING", "SLURM", "RAY"]);

const Compute = z.strictObject({
  gpuTypeId: z.string().describe("GPU type of each pod, as `getGpuType` takes it."),
  gpuCountPerPod: z.int().describe("GPUs of each pod."),
  podCount: z.int().describe("Pods of the cluster when all are there."),
});

export const Cluster = z.object({
  id: idOf("cluster", "`getCluster`"),
  name,
  type: ClusterType.describe("What is set up on its pods: nothing (APPLICATION), a training network, Slurm or Ray."),
  compute: Compute.describe("Its hardware: pods that are all alike."),
  template: z.string().nullish().describe("Template that its pods were made from; absent where there was none."),
  dataCenterId: z.string().nullish().describe("Data center of all its pods; absent until the first is placed."),
  pods: z
    .object({
      total: z.int().describe("Pods that are there already."),
      byStatus: z.partialRecord(PodStatus, z.int()).describe("Pods in each status; one that no pod has is absent."),
    })
    .describe("How many pods there are; `getClusterPods` tells which."),
  network: z
    .object({
      cidr: z.string().describe("Its IP addresses, such as `10.65.0.0/16`."),
      vxlanId: z.int().optional().describe("Number of the VXLAN; absent until it has one."),
      vxlanPort: z.int().optional().describe("UDP port of the VXLAN; absent until it has one."),
    })
    .optional()
    .describe("The private network between its pods; absent until it is set up."),
  primary: z
    .object({
      podId: idOf("pod", "`getPod`"),
      status: PodStatus.describe("What the pod does now, as `getPod` tells it."),
      sshEndpoint: z
        .string()
        .optional()
        .describe("Address for SSH, as `host:port`; absent unless the pod runs with `22/tcp` among its ports."),
    })
    .optional()
    .describe("The pod of rank 0, from which a cluster is worked with; absent until it is placed."),
  createdAt,
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
  templateId: z.string().optional(),
});
export type CreateClusterRequest = z.infer<typeof CreateClusterRequest>;

export const UpdateClusterRequest = z.strictObject({ name: z.string().optional() });
export type UpdateClusterRequest = z.infer<typeof UpdateClusterRequest>;
