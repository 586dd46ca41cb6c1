import { answers } from "../../client";
import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";
import { defineFunction } from "./definition";

const { Account, AccountLimits, Balance } = answers.account();
const { ServerlessDiscount } = answers.savedEndpoints();

const none = z.strictObject({});

export const getSshKeys = defineFunction({
  description: "The account's public SSH keys, which pods with `startSsh` accept.",
  args: none,
  result: z.object({ keys: z.array(z.string()).describe("The keys, each as a line of an `authorized_keys` file.") }),
  call: async (client, _, { signal }) => ({ keys: await client.sshKeys.get({ signal }) }),
});

export const getAccount = defineFunction({
  description: "The account that the API key belongs to. A team's key belongs to the account of the team's owner.",
  args: none,
  result: named("AccountInfo", Account),
  call: (client, _, { signal }) => client.account.get({ signal }),
});

export const getAccountLimits = defineFunction({
  description:
    "How much the account may spend and run at once. The service does not document the properties of this answer.",
  args: none,
  result: named("AccountLimits", AccountLimits),
  call: (client, _, { signal }) => client.account.limits({ signal }),
});

export const getBalance = defineFunction({
  description: "The account's balance, in USD.",
  args: none,
  result: named("AccountBalance", Balance),
  call: (client, _, { signal }) => client.account.balance({ signal }),
});

const discount = named("ServerlessDiscount", ServerlessDiscount.partial());

export const getServerlessDiscount = defineFunction({
  description: "The account's discount on serverless prices; without one, all properties are absent.",
  args: none,
  result: discount,
  call: async (client, _, { signal }) => (await client.endpoints.serverlessDiscount({ signal })) ?? {},
});
