import { z } from "../../common/zod";
import { operation } from "../calls/operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { baseContainerFields, createdAt, idOf, listOf, Mounts, name } from "../schemas/common";
import { Pod, PodStatus } from "../schemas/pods";
import type { Tolerant } from "../values/tolerant";
import { type CollectionCalls, collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

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
  template: z.string().nullish().describe("Template that its pods were created from; absent where there was none."),
  dataCenterId: z.string().nullish().describe("Data center of all its pods; absent until the first is placed."),
  pods: z
    .object({
      total: z.int().describe("Pods that are there already."),
      byStatus: z.partialRecord(PodStatus, z.int()).describe("Pods in each status; one that no pod has is absent."),
    })
    .describe("How many pods there are; `getClusterPods` lists them."),
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
      status: PodStatus.describe("What the pod does now, as `getPod` shows it."),
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

/** Clusters: pods on one fast network. `/v2/clusters`. */
export interface ClusterCalls extends CollectionCalls<Cluster, CreateClusterRequest, UpdateClusterRequest> {
  /**
   * Creates a cluster. `POST /v2/clusters`.
   *
   * @throws what {@link CollectionCalls.create} throws; BadRequestError also when no machines are free
   * @example
   * const compute = { gpuTypeId: "NVIDIA H100 80GB HBM3", gpuCountPerPod: 8, podCount: 2 };
   * const cluster = await client.clusters.create({ name: "train", type: "TRAINING", image: "busybox", compute });
   */
  create(body: CreateClusterRequest, options?: CreateOptions): Promise<Cluster>;
  /**
   * Renames a cluster. `PATCH /v2/clusters/{id}`.
   *
   * @throws what {@link CollectionCalls.update} throws
   * @example
   * await client.clusters.update("cl_1a2b", { name: "train-2" });
   */
  update(id: string, patch: UpdateClusterRequest, options?: CallOptions): Promise<Cluster>;
  /**
   * The member pods, which `client.pods.list()` omits. `GET /v2/clusters/{id}/pods`.
   *
   * @throws NotFoundError
   * @example
   * const members = await client.clusters.pods("cl_1a2b");
   */
  pods(id: string, options?: CallOptions): Promise<Pod[]>;
}

const KIND = "Cluster";
const PATH = "/v2/clusters";

export const operations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    key: "clusters",
    item: Cluster,
    create: CreateClusterRequest,
    update: UpdateClusterRequest,
  }),
  pods: operation({ method: "GET", path: `${PATH}/{id}/pods`, kind: KIND, reply: listOf("pods", Pod) }),
};

export function calls(rest: Rest): ClusterCalls {
  return {
    ...collection(rest, "clusters", operations),
    pods: (id: string, options: CallOptions = {}) =>
      rest.listAll(operations.pods, "pods", { params: { id }, ...options }),
  };
}
