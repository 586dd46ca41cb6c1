import { z } from "zod";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";
import { replaceSshKeys, SSH_KEY, sshKeysOf } from "../model/sshKeys";

const sshKeys = named("SshKeys", z.object({ keys: z.array(z.string()) }));
const updateRequest = named("UpdateSshKeysRequest", z.strictObject({ keys: z.array(z.string().regex(SSH_KEY)) }));

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/account/ssh-keys",
    operationId: "getSshKeys",
    summary: "Get the account's SSH public keys",
    right: "authentication",
    success: { 200: sshKeys },
    handle: ({ service }) => ({ keys: sshKeysOf(service) }),
  }),
  route({
    method: "PUT",
    path: "/v2/account/ssh-keys",
    operationId: "updateSshKeys",
    summary: "Replace the account's SSH public keys",
    right: "authentication",
    body: updateRequest,
    success: { 200: sshKeys },
    handle: ({ service, body }) => {
      replaceSshKeys(service, body.keys);
      return body;
    },
  }),
];
