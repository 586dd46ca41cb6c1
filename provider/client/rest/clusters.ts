import { operation } from "../calls/operation";
import type { ClusterCalls } from "../nouns";
import type { CallOptions } from "../options";
import { Cluster, CreateClusterRequest, ListClusters, UpdateClusterRequest } from "../schemas/clusters";
import { ListPods } from "../schemas/pods";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

const KIND = "Cluster";
const PATH = "/v2/clusters";

export const clusterOperations = {
  ...collectionOperations({
    kind: KIND,
    path: PATH,
    list: ListClusters,
    item: Cluster,
    create: CreateClusterRequest,
    update: UpdateClusterRequest,
  }),
  pods: operation({ method: "GET", path: `${PATH}/{id}/pods`, kind: KIND, reply: ListPods }),
};

export function clusters(rest: Rest): ClusterCalls {
  return {
    ...collection(rest, "clusters", clusterOperations),
    pods: (id: string, options: CallOptions = {}) =>
      rest.listAll(clusterOperations.pods, "pods", { params: { id }, ...options }),
  };
}
