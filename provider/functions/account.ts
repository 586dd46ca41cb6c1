import { z } from "zod";
import { ServerlessDiscount } from "../client/schemas/savedEndpoints";
import { named } from "../lifecycle/fields";
import { defineFunction } from "./definition";

const none = z.strictObject({});

export const getSshKeys = defineFunction({
  description: "The account's public SSH keys, which pods with startSsh let in.",
  args: none,
  result: z.object({ keys: z.array(z.string()).describe("The keys, each as a line of an `authorized_keys` file.") }),
  call: async (client, _, { signal }) => ({ keys: await client.sshKeys.get({ signal }) }),
});

const discount = named("ServerlessDiscount", ServerlessDiscount.partial());

export const getServerlessDiscount = defineFunction({
  description: "The account's discount on serverless prices; without one, all properties are absent.",
  args: none,
  result: discount,
  call: async (client, _, { signal }) => (await client.endpoints.serverlessDiscount({ signal })) ?? {},
});
