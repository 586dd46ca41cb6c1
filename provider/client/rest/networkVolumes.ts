import {
  CreateNetworkVolumeRequest,
  ListNetworkVolumes,
  NetworkVolume,
  UpdateNetworkVolumeRequest,
} from "../schemas/networkVolumes";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const networkVolumeOperations = collectionOperations({
  kind: "NetworkVolume",
  path: "/v2/network-volumes",
  list: ListNetworkVolumes,
  item: NetworkVolume,
  create: CreateNetworkVolumeRequest,
  update: UpdateNetworkVolumeRequest,
});

/** Network volumes: storage that outlives pods and workers. */
export const networkVolumes = (rest: Rest) => collection(rest, "networkVolumes", networkVolumeOperations);
