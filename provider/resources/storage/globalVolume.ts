import { z } from "../../../common/zod";
import { defineResource } from "../../lifecycle/definition";
import { autoName, stable } from "../../lifecycle/fields/fields";
import { trimmed } from "../rules";
import { usersOfGlobalVolume, whileInUse } from "./whileInUse";

export const globalVolume = defineResource({
  kind: "GlobalVolume",
  noun: "GlobalVolume",
  priced: false,
  uses: [],
  adoption: { protect: true },
  orphans: "named",
  source: { operation: "POST /v2/global-volumes", page: "storage/globalvolume" },
  description:
    "Persistent storage that is not bound to a data center and has no size to declare. Pods with GPUs mount it by " +
    "`mounts.global`, endpoints with GPUs by `globalVolumeId` or `globalVolumes`.",
  inputs: z.strictObject({ name: autoName() }),
  shows: ["name"],
  outputs: z.object({ createdAt: stable(z.string()).describe("When it was created, RFC 3339.") }),
  examples: [{ title: "Room for models everywhere", name: "models", args: {} }],

  rules: ({ name }) => trimmed("name", name),
  create: ({ client }, { name = "" }, naming) => client.globalVolumes.create({ name }, naming),
  list: ({ client }, options) => client.globalVolumes.list(options),
  read: ({ client }, id) => client.globalVolumes.read(id),
  update: ({ client }, id, { name = "" }, { changed }) =>
    changed.has("name") ? client.globalVolumes.update(id, { name }) : client.globalVolumes.get(id),
  delete: (context, id) => whileInUse(context, "GlobalVolume", id, context.client.globalVolumes, usersOfGlobalVolume),
  judge: () => ({ loses: "its data" }),
  observe: ({ name }) => ({ name }),
  computed: ({ createdAt }) => ({ createdAt }),
});
