import { z } from "zod";
import { autoName, defineResource } from "../lifecycle/definition";
import { replaces, secret, writeOnly } from "../lifecycle/fields";
import { whileInUse } from "./whileInUse";

/** Registry: credentials for pulling private images. The service changes none of its fields. */
export const registry = defineResource({
  kind: "Registry",
  uniqueName: true,
  inputs: z.strictObject({
    name: replaces(autoName()),
    username: secret(writeOnly(replaces(z.string().min(1)))),
    password: secret(writeOnly(replaces(z.string().min(1)))),
  }),
  create: ({ client }, { name = "", ...credentials }) =>
    client.registries.create({ name, ...credentials }, { uniqueName: true }),
  read: ({ client }, id) => client.registries.read(id),
  delete: (context, id) => whileInUse(context, `Registry ${id}`, () => context.client.registries.delete(id)),
  observe: ({ name }) => ({ name }),
  outputs: () => ({}),
});
