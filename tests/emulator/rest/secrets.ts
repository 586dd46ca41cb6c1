import { z } from "zod";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";
import { find, list } from "../model/lookup";
import { createSecret, MOST_DESCRIPTION_BYTES, MOST_VALUE_BYTES, updateSecret } from "../model/secrets";
import type { Service } from "../service";
import type { SecretRecord } from "../store/records";

const withinBytes = (most: number) => (text: string) => Buffer.byteLength(text) <= most;
const value = z.string().min(1).refine(withinBytes(MOST_VALUE_BYTES), `must have at most ${MOST_VALUE_BYTES} bytes`);
const description = z
  .string()
  .refine(withinBytes(MOST_DESCRIPTION_BYTES), `must have at most ${MOST_DESCRIPTION_BYTES} bytes`);

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
const updateRequest = named(
  "UpdateSecretRequest",
  z
    .strictObject({ value: value.optional(), description: description.optional() })
    .refine((patch) => Object.keys(patch).length > 0, "minProperties: got 0, want 1")
    .meta({ minProperties: 1 }),
);

/** No answer shows the value. */
const shown = ({ id, name, description, createdAt, valueLastUpdatedAt }: SecretRecord) => ({
  id,
  name,
  description,
  createdAt: new Date(createdAt).toISOString(),
  valueLastUpdatedAt: new Date(valueLastUpdatedAt).toISOString(),
});

export const secretRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/account/secrets",
    operationId: "listSecrets",
    summary: "List secrets, without their values",
    area: "secrets",
    query: z.object({ name: z.string().min(1).optional() }),
    success: { 200: named("ListSecretsResponse", z.object({ secrets: z.array(secret) })) },
    handle: ({ service, query }) => ({
      secrets: list(service, service.store.secrets)
        .filter(({ name }) => query.name === undefined || name.toLowerCase() === query.name.toLowerCase())
        .map(shown),
    }),
  }),
  route({
    method: "POST",
    path: "/v2/account/secrets",
    operationId: "createSecret",
    summary: "Create a secret",
    area: "secrets",
    body: createRequest,
    success: { 201: secret },
    errors: [400, 409],
    handle: ({ service, body }) => shown(createSecret(service, body)),
  }),
  route({
    method: "GET",
    path: "/v2/account/secrets/{id}",
    operationId: "getSecret",
    summary: "Get a secret, without its value",
    area: "secrets",
    success: { 200: secret },
    errors: [404],
    handle: ({ service, params }) => shown(findSecret(service, params.id)),
  }),
  route({
    method: "PATCH",
    path: "/v2/account/secrets/{id}",
    operationId: "updateSecret",
    summary: "Set the value or the description of a secret",
    area: "secrets",
    body: updateRequest,
    success: { 200: secret },
    errors: [404],
    handle: ({ service, params, body }) => shown(updateSecret(service, findSecret(service, params.id), body)),
  }),
  route({
    method: "DELETE",
    path: "/v2/account/secrets/{id}",
    operationId: "deleteSecret",
    summary: "Delete a secret",
    area: "secrets",
    success: { 204: null },
    errors: [404],
    handle: ({ service, params }) => {
      service.store.secrets.delete(findSecret(service, params.id).id);
    },
  }),
];

const findSecret = (service: Service, id: string) => find(service, service.store.secrets, id, "secret");
