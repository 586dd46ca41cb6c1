import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import {
  CreateNetworkVolumeRequest,
  ListNetworkVolumes,
  NetworkVolume,
  UpdateNetworkVolumeRequest,
} from "../schemas/networkVolumes";
import type { Rest } from "./rest";

const KIND = "NetworkVolume";

export const networkVolumeOperations = {
  list: operation({ method: "GET", path: "/v2/network-volumes", kind: KIND, reply: ListNetworkVolumes }),
  get: operation({ method: "GET", path: "/v2/network-volumes/{id}", kind: KIND, reply: NetworkVolume }),
  create: operation({
    method: "POST",
    path: "/v2/network-volumes",
    kind: KIND,
    class: "create",
    body: CreateNetworkVolumeRequest,
    reply: NetworkVolume,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/network-volumes/{id}",
    kind: KIND,
    body: UpdateNetworkVolumeRequest,
    reply: NetworkVolume,
  }),
  delete: operation({ method: "DELETE", path: "/v2/network-volumes/{id}", kind: KIND }),
};

/** Network volumes: storage that outlives pods and workers. */
export function networkVolumes(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(networkVolumeOperations.list, "networkVolumes", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(networkVolumeOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(networkVolumeOperations.list, "networkVolumes"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(networkVolumeOperations.list, "networkVolumes", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateNetworkVolumeRequest, options: CreateOptions = {}) =>
      rest.create(networkVolumeOperations.create, body, list, { ...options }),
    update: (id: string, patch: UpdateNetworkVolumeRequest, options: CallOptions = {}) =>
      rest.call(networkVolumeOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(networkVolumeOperations.delete, id, options),
  };
}
