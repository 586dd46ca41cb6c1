import { z } from "../../../common/zod";
import { defineResource } from "../../lifecycle/definition";
import { secretFromConfig } from "../../lifecycle/fields/example";
import { replaces, secret, uniqueAutoName, writeOnly } from "../../lifecycle/fields/fields";
import { usersOfRegistry, whileInUse } from "../storage/whileInUse";

export const registry = defineResource({
  kind: "Registry",
  noun: "Registry",
  priced: false,
  uses: [],
  adoption: { protect: false, elsewhere: ["ContainerRegistryAuth"] },
  orphans: "named",
  source: {
    operation: "POST /v2/registries",
    page: "api-reference-v2/registries/create-a-container-registry-credential",
  },
  description: "Credentials for a private container registry. Templates, pods and endpoints refer to it by its id.",
  inputs: z.strictObject({
    name: replaces(uniqueAutoName()),
    username: secret(writeOnly(z.string().min(1).max(191))).describe("Name of the registry's user."),
    password: secret(writeOnly(z.string().min(1).max(16_384))).describe(
      "The user's password or access token, at most 16,384 characters.",
    ),
  }),
  shows: ["name", "username", "password"],
  outputs: z.object({}),
  examples: [
    {
      title: "Credentials from the stack's configuration",
      name: "images",
      args: { username: "ci", password: secretFromConfig("registryPassword", "change-me") },
    },
  ],

  create: ({ client }, { name = "", ...credentials }, naming) =>
    client.registries.create({ name, ...credentials }, naming),
  list: ({ client }, options) => client.registries.list(options),
  read: ({ client }, id) => client.registries.read(id),
  update: ({ client }, id, { username, password }) => client.registries.update(id, { username, password }),
  delete: (context, id) => whileInUse(context, "Registry", id, context.client.registries, usersOfRegistry),
  observe: ({ name }) => ({ name }),
  computed: () => ({}),
});
