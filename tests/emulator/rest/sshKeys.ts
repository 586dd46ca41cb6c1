import { z } from "zod";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";

const sshKeys = named("SshKeys", z.object({ keys: z.array(z.string()) }));
const updateRequest = named(
  "UpdateSshKeysRequest",
  z.strictObject({ keys: z.array(z.string().regex(/^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$/)) }),
);

export const sshKeyRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/account/ssh-keys",
    operationId: "getSshKeys",
    summary: "Get the account's SSH public keys",
    area: "account",
    success: { 200: sshKeys },
    handle: ({ service: { store } }) => ({ keys: Array.from(store.sshKeys.values(), ({ key }) => key) }),
  }),
  route({
    method: "PUT",
    path: "/v2/account/ssh-keys",
    operationId: "updateSshKeys",
    summary: "Replace the account's SSH public keys",
    area: "account",
    body: updateRequest,
    success: { 200: sshKeys },
    handle: ({ service: { store }, body }) => {
      store.sshKeys.replaceAll(body.keys.map((key, index) => ({ id: String(index), key })));
      return body;
    },
  }),
];
