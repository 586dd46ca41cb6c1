import {
  CreateGlobalVolumeRequest,
  GlobalVolume,
  ListGlobalVolumes,
  UpdateGlobalVolumeRequest,
} from "../schemas/globalVolumes";
import { collection, collectionOperations } from "./collection";
import type { Rest } from "./rest";

export const globalVolumeOperations = collectionOperations({
  kind: "GlobalVolume",
  path: "/v2/global-volumes",
  list: ListGlobalVolumes,
  item: GlobalVolume,
  create: CreateGlobalVolumeRequest,
  update: UpdateGlobalVolumeRequest,
});

/** Global volumes: storage that no data center holds. */
export const globalVolumes = (rest: Rest) => collection(rest, "globalVolumes", globalVolumeOperations);
