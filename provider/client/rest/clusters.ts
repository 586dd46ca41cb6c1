import { operation } from "../operation";
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

/** Clusters: pods on one fast network. */
export function clusters(rest: Rest) {
  return {
    ...collection(rest, "clusters", clusterOperations),
    /** Member pods, which the list of pods does not show. */
    pods: (id: string, options: CallOptions = {}) =>
      rest.listAll(clusterOperations.pods, "pods", { params: { id }, ...options }),
  };
}
