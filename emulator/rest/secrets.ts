import { z } from "zod";
import { named } from "../http/route";
import { list } from "../model/lookup";
import { createSecret, MOST_DESCRIPTION_BYTES, MOST_VALUE_BYTES, updateSecret } from "../model/secrets";
import { nounRoutes, patchOf } from "./noun";

const withinBytes = (most: number) => (text: string) => Buffer.byteLength(text) <= most;
const value = z.string().min(1).refine(withinBytes(MOST_VALUE_BYTES), `must have at most ${MOST_VALUE_BYTES} bytes`);
const description = z
  .string()
  .refine(withinBytes(MOST_DESCRIPTION_BYTES), `must have at most ${MOST_DESCRIPTION_BYTES} bytes`);

/** No answer shows the value. */
const secret = named(
  "Secret",
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable().optional(),
    createdAt: z.iso.datetime(),
    valueLastUpdatedAt: z.iso.datetime().nullable().optional(),
  }),
);
const createRequest = named(
  "CreateSecretRequest",
  z.strictObject({
    name: z
      .string()
      .max(191)
      .regex(/^[A-Za-z_][A-Za-z0-9_.\-/]*$/),
    value,
    description: description.optional(),
  }),
);
export const routes = nounRoutes({
  noun: "Secret",
  many: "secrets",
  called: "secret",
  path: "/v2/account/secrets",
  right: "secrets",
  item: secret,
  createBody: createRequest,
  updateBody: named("UpdateSecretRequest", patchOf({ value, description })),
  errors: { create: [400, 409] },
  hasPages: false,
  listQuery: { name: z.string().min(1).optional() },
  listed: (service, { name: wanted }) =>
    list(service, service.store.secrets).filter(
      ({ name }) => wanted === undefined || name.toLowerCase() === wanted.toLowerCase(),
    ),
  create: ({ service, body }) => createSecret(service, body),
  update: updateSecret,
});
