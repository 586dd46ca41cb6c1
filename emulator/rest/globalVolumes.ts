import { z } from "zod";
import { named } from "../http/route";
import { newId } from "../ids";
import { checkUnused } from "../model/networkVolumes";
import { nounRoutes, patchOf } from "./noun";

const name = z.string().regex(/\S/).max(191);
const globalVolume = named(
  "GlobalVolume",
  z.object({ id: z.string(), name: z.string(), createdAt: z.iso.datetime(), createdByUserId: z.string().nullable() }),
);
export const routes = nounRoutes({
  noun: "GlobalVolume",
  many: "globalVolumes",
  called: "global volume",
  path: "/v2/global-volumes",
  right: "volumes",
  tag: "globalVolumes",
  item: globalVolume,
  createBody: named("CreateGlobalVolumeRequest", z.strictObject({ name })),
  updateBody: named("UpdateGlobalVolumeRequest", patchOf({ name })),
  errors: { delete: [400] },
  create: ({ service, body }) =>
    service.store.globalVolumes.put({
      id: newId.globalVolume(),
      name: body.name.trim(),
      createdAt: service.clock.now(),
      createdByUserId: service.settings.account.id,
    }),
  update: (service, before, { name = before.name }) =>
    service.store.globalVolumes.put({ ...before, name: name.trim() }),
  remove: (service, { id }) => {
    checkUnused(service, "globalVolume", id);
    service.store.globalVolumes.delete(id);
  },
});
