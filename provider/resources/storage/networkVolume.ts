import { z } from "../../../common/zod";
import { catalogued } from "../../catalog/catalogued";
import { defineResource } from "../../lifecycle/definition";
import { autoName, computedWhenOmitted, growsOnly, named, replaces, stable } from "../../lifecycle/fields/fields";
import { patchOf } from "../patch";
import { deletedFirstWarning, usersOfVolume, whileInUse } from "./whileInUse";

const volumeType = named("VolumeType", z.enum(["STANDARD", "HIGH_PERFORMANCE"])).describe(
  "Storage tier of a network volume.",
);

export const networkVolume = defineResource({
  kind: "NetworkVolume",
  noun: "NetworkVolume",
  priced: true,
  uses: [],
  adoption: { protect: true, elsewhere: ["NetworkStorage"] },
  orphans: "named",
  source: { operation: "POST /v2/network-volumes", page: "api-reference-v2/network-volumes/create-a-network-volume" },
  description: "Persistent storage in one data center, shared by the pods and workers that mount it.",
  inputs: z.strictObject({
    name: autoName(),
    size: growsOnly("GB", z.int().min(10).max(4096)).describe("GB, 10 to 4096."),
    dataCenter: replaces(catalogued("dataCenter", z.string().min(1), { volumeType: "type" })).describe(
      "Id of a data center of the catalog. A replacement loses the volume's data.",
    ),
    type: computedWhenOmitted(replaces(volumeType.optional())).describe(
      "Default: the data center's primary tier. A replacement loses the volume's data.",
    ),
  }),
  shows: ["name", "size", "dataCenter"],
  outputs: z.object({
    type: stable(volumeType).describe("The tier: the declared one, or the one that the data center chose."),
  }),
  examples: [{ title: "Room for models", name: "models", args: { size: 100, dataCenter: "EU-RO-1" } }],

  create: ({ client }, { name = "", ...rest }, naming) => client.networkVolumes.create({ name, ...rest }, naming),
  list: ({ client }, options) => client.networkVolumes.list(options),
  read: ({ client }, id) => client.networkVolumes.read(id),
  update: ({ client }, id, inputs, { changed }) => client.networkVolumes.update(id, patchOf(inputs, changed)),
  delete: (context, id) => whileInUse(context, "NetworkVolume", id, context.client.networkVolumes, usersOfVolume),
  judge: (_, change) => ({ loses: "its data", ...deletedFirstWarning(change) }),
  observe: ({ name, size, dataCenter, type }) => ({ name, size, dataCenter, type }),
  computed: ({ type }) => ({ type }),
});
