import type { GlobalVolumeCalls } from "../nouns";
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

export const globalVolumes = (rest: Rest): GlobalVolumeCalls =>
  collection(rest, "globalVolumes", globalVolumeOperations);
