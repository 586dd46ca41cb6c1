import { z } from "zod";
import { named } from "../http/route";
import { newId } from "../ids";
import { badRequest } from "../problem";
import type { GlobalVolumeRecord } from "../store/records";
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
  records: ({ store }) => store.globalVolumes,
  toAnswer: (_, { createdAt, ...rest }: GlobalVolumeRecord) => ({
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
  }),
  create: ({ service: { store, clock, settings }, body }) =>
    store.globalVolumes.put({
      id: newId.globalVolume(),
      name: body.name.trim(),
      createdAt: clock.now(),
      createdByUserId: settings.account.id,
    }),
  update: ({ store }, before, { name = before.name }) => store.globalVolumes.put({ ...before, name: name.trim() }),
  remove: ({ store: { pods, endpoints, globalVolumes } }, { id }) => {
    const inUse =
      pods.by("globalVolume", id).length > 0 || endpoints.by("globalVolume", id).some(({ workers }) => workers.max > 0);
    if (inUse) throw badRequest("global volume is in use: remove it from all pods and serverless workers first");
    globalVolumes.delete(id);
  },
});
