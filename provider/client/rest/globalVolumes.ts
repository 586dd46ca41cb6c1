import { operation } from "../operation";
import type { CallOptions } from "../options";
import type { CreateOptions } from "../outcomes/create";
import {
  CreateGlobalVolumeRequest,
  GlobalVolume,
  ListGlobalVolumes,
  UpdateGlobalVolumeRequest,
} from "../schemas/globalVolumes";
import type { Rest } from "./rest";

const KIND = "GlobalVolume";

export const globalVolumeOperations = {
  list: operation({ method: "GET", path: "/v2/global-volumes", kind: KIND, reply: ListGlobalVolumes }),
  get: operation({ method: "GET", path: "/v2/global-volumes/{id}", kind: KIND, reply: GlobalVolume }),
  create: operation({
    method: "POST",
    path: "/v2/global-volumes",
    kind: KIND,
    class: "create",
    body: CreateGlobalVolumeRequest,
    reply: GlobalVolume,
  }),
  update: operation({
    method: "PATCH",
    path: "/v2/global-volumes/{id}",
    kind: KIND,
    body: UpdateGlobalVolumeRequest,
    reply: GlobalVolume,
  }),
  delete: operation({ method: "DELETE", path: "/v2/global-volumes/{id}", kind: KIND }),
};

/** Global volumes: storage that no data center holds. */
export function globalVolumes(rest: Rest) {
  const list = (options: CallOptions = {}) => rest.listAll(globalVolumeOperations.list, "globalVolumes", options);
  const get = (id: string, options: CallOptions = {}) =>
    rest.call(globalVolumeOperations.get, { params: { id }, ...options });
  const reads = rest.share(KIND, () => rest.listing(globalVolumeOperations.list, "globalVolumes"), get);
  return {
    list,
    /** The same, page by page. */
    iterate: (options: CallOptions = {}) => rest.iterate(globalVolumeOperations.list, "globalVolumes", options),
    /** A read of its own. @throws NotFoundError */
    get,
    /** A shared read; undefined when the service says that it does not exist. */
    read: (id: string, options?: CallOptions) => reads.read(id, options),
    create: (body: CreateGlobalVolumeRequest, options: CreateOptions = {}) =>
      rest.create(globalVolumeOperations.create, body, list, { ...options }),
    update: (id: string, patch: UpdateGlobalVolumeRequest, options: CallOptions = {}) =>
      rest.call(globalVolumeOperations.update, { params: { id }, body: patch, ...options }),
    /** Resolves when it is gone; to false when it was gone before. */
    delete: (id: string, options?: CallOptions) => rest.remove(globalVolumeOperations.delete, id, options),
  };
}
