import { z } from "zod";
import { named } from "../http/route";
import { newId } from "../ids";
import { globalVolumes } from "../model/podRules";
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
  records: globalVolumes,
  toAnswer: (_, { createdAt, ...rest }: GlobalVolumeRecord) => ({
    ...rest,
    createdAt: new Date(createdAt).toISOString(),
  }),
  create: ({ service, body }) =>
    globalVolumes(service).put({
      id: newId.globalVolume(),
      name: body.name.trim(),
      createdAt: service.clock.now(),
      createdByUserId: service.settings.account.id,
    }),
  update: (service, before, { name = before.name }) => globalVolumes(service).put({ ...before, name: name.trim() }),
  remove: (service, { id }) => {
    const { pods, endpoints } = service.store;
    const inUse =
      pods.by("globalVolume", id).length > 0 || endpoints.by("globalVolume", id).some(({ workers }) => workers.max > 0);
    if (inUse) throw badRequest("global volume is in use: remove it from all pods and serverless workers first");
    globalVolumes(service).delete(id);
  },
});
