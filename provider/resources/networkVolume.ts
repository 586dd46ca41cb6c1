import { z } from "zod";
import { autoName, defineResource } from "../lifecycle/definition";
import { computedWhenOmitted, growsOnly, replaces } from "../lifecycle/fields";
import { patchOf } from "./patch";
import { whileInUse } from "./whileInUse";

/** Network volume: persistent storage in one data center. Grows in place, never shrinks. */
export const networkVolume = defineResource({
  kind: "NetworkVolume",
  inputs: z.strictObject({
    name: autoName(),
    size: growsOnly("GB", z.int().min(10).max(4096)),
    dataCenter: replaces(z.string().min(1)),
    type: computedWhenOmitted(replaces(z.enum(["STANDARD", "HIGH_PERFORMANCE"]).optional())),
  }),
  catalog: ({ dataCenter, type }) =>
    dataCenter === undefined ? [] : [{ path: "dataCenter", dataCenter, volumeType: type }],
  create: ({ client }, { name = "", ...rest }, naming) => client.networkVolumes.create({ name, ...rest }, naming),
  read: ({ client }, id) => client.networkVolumes.read(id),
  update: ({ client }, id, inputs, { changed }) => client.networkVolumes.update(id, patchOf(inputs, changed)),
  delete: (context, id) => whileInUse(context, `NetworkVolume ${id}`, () => context.client.networkVolumes.delete(id)),
  observe: ({ name, size, dataCenter, type }) => ({ name, size, dataCenter, type }),
  outputs: ({ type }) => ({ type }),
});
