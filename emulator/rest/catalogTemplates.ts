import { z } from "zod";
import { publicTemplates, TEMPLATE_SOURCES } from "../catalog/templates";
import { type Route, route } from "../http/route";
import { listTemplatesResponse, templateShown } from "./templates";

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v2/catalog/templates",
    operationId: "listPublicTemplates",
    summary: "List templates that others share",
    right: "catalog",
    query: z.object({ source: z.enum(TEMPLATE_SOURCES).default("official") }),
    success: { 200: listTemplatesResponse },
    handle: ({ service, query }) => ({
      templates: publicTemplates(query.source).map((record) => templateShown(service, record)),
    }),
  }),
];
