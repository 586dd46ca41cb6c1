import type { NetworkVolumeCalls } from "../nouns";
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

export const networkVolumes = (rest: Rest): NetworkVolumeCalls =>
  collection(rest, "networkVolumes", networkVolumeOperations);
