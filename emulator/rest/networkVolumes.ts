import { z } from "zod";
import { named } from "../http/route";
import { LEAST, MOST } from "../model/bounds";
import { createVolume, removeVolume, updateVolume } from "../model/networkVolumes";
import { sent } from "../model/sent";
import { nounRoutes, patchOf } from "./noun";

export const volumeType = named("VolumeType", z.enum(["STANDARD", "HIGH_PERFORMANCE"]));
const size = z.int().min(LEAST.volumeGb).max(MOST.volumeGb);
const name = z.string().min(1);

const networkVolume = named(
  "NetworkVolume",
  z.object({ id: z.string(), name: z.string(), size, dataCenter: z.string(), type: volumeType }),
);
const createRequest = z.strictObject({ name, size, dataCenter: z.string().min(1), type: volumeType.optional() });

export const routes = nounRoutes({
  noun: "NetworkVolume",
  many: "networkVolumes",
  called: "network volume",
  path: "/v2/network-volumes",
  right: "volumes",
  tag: "networkVolumes",
  item: networkVolume,
  createBody: named("CreateNetworkVolumeRequest", createRequest),
  updateBody: named("UpdateNetworkVolumeRequest", patchOf({ name, size })),
  errors: { create: [400], update: [400], delete: [400] },
  create: ({ service, body }) => createVolume(service, body),
  update: (service, before, patch) => updateVolume(service, before, sent(patch)),
  remove: removeVolume,
});
