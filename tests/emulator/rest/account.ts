import { z } from "zod";
import { named } from "../http/openapi";
import { type Route, route } from "../http/route";

const account = named("Account", z.object({ id: z.string(), email: z.string().nullable() }));

export const accountRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/account",
    operationId: "getAccount",
    summary: "Get the account that the key belongs to",
    area: "account",
    success: { 200: account },
    handle: ({ service: { settings } }) => settings.account,
  }),
];
