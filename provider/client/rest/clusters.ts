import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import { Cluster, CreateClusterRequest, ListClusters, UpdateClusterRequest } from "../schemas/clusters";
import { ListPods } from "../schemas/pods";
import type { Rest } from "./rest";

const KIND = "Cluster";

export const clusterOperations = {
  list: operation({ method: "GET", path: "/v2/clusters", kind: KIND, reply: ListClusters }),
  get: operation({ method: "GET", path: "/v2/clusters/{id}", kind: KIND, reply: Cluster }),
  create: operation({
    method: "POST",
    path: "/v2/clusters",
    kind: KIND,
    class: "create",
    body: CreateClusterRequest,
    reply: Cluster,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/clusters/{id}",
    kind: KIND,
    body: UpdateClusterRequest,
    reply: Cluster,
  }),
  delete: operation({ method: "DELETE", path: "/v2/clusters/{id}", kind: KIND }),
  pods: operation({ method: "GET", path: "/v2/clusters/{id}/pods", kind: KIND, reply: ListPods }),
};

/** Clusters: pods on one fast network. */
export function clusters(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(clusterOperations.list, "clusters", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(clusterOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(clusterOperations.list, "clusters"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(clusterOperations.list, "clusters", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateClusterRequest, options: CreateOptions = {}) =>
      rest.create(clusterOperations.create, body, list, { ...options }),
    update: (id: string, patch: UpdateClusterRequest, options: CallOptions = {}) =>
      rest.call(clusterOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(clusterOperations.delete, id, options),
    /** Member pods, which the list of pods does not show. */
    pods: (id: string, options: CallOptions = {}) =>
      rest.listAll(clusterOperations.pods, "pods", { params: { id }, ...options }),
  };
}
