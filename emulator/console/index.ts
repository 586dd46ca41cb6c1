/*
 * The web page that shows the emulator's state live. It is part of the control address, with the same protection against
 * other web pages.
 *
 *   index.ts     the routes
 *   assets.ts    the page's files and its content security policy
 *   watch.ts     the changes since the last event; feed.ts is a page's open connection
 *   rows.ts      resources as table rows; detail.ts details of one; secrets.ts masks secrets
 *   history.ts   an endpoint's load over time
 *   page/        the code in the browser, in TypeScript and Preact; protocol.d.ts is the protocol of both sides
 */
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { validate } from "../http/validation";
import { notFound, Problem } from "../problem";
import type { Service } from "../service";
import { INDEX, readAssets, SECURITY_HEADERS } from "./assets";
import { isDetailKind } from "./detail";
import { Watch } from "./watch";

export const CONSOLE_PATH = "/console/";

const detailQuery = z.object({ secrets: z.enum(["shown", "hidden"]).default("hidden") });

/** A call to the service that the page requests, the same as its `curl` command. */
const callSchema = z.discriminatedUnion("interface", [
  z.strictObject({
    interface: z.enum(["rest", "queue"]),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    /** It begins with `/v2/`, so that it can't change the host: the call gets the account's key. */
    path: z.string().regex(/^\/v2\/[^\s\\]*$/),
    body: z.unknown().optional(),
  }),
  z.strictObject({ interface: z.literal("graphql"), body: z.looseObject({ query: z.string() }) }),
]);
type ConsoleCall = z.output<typeof callSchema>;

export function consoleRoutes(app: FastifyInstance, service: Service, apiKey: string): void {
  const watch = new Watch(service);
  const assets = readAssets();

  app.addHook("onResponse", async ({ method }) => {
    if (method !== "GET") watch.touch();
  });

  app.get("/console", (_request, reply) => reply.redirect(CONSOLE_PATH));
  app.get<{ Params: { "*": string } }>(`${CONSOLE_PATH}*`, ({ params }, reply) => {
    if (!assets.has(INDEX)) throw new Problem(404, "the console was not built: npm run build");
    const asset = assets.get(params["*"] || INDEX);
    if (asset === undefined) throw notFound("file");
    return reply.headers(SECURITY_HEADERS).type(asset.type).send(asset.bytes);
  });

  app.get(`${CONSOLE_PATH}events`, (_request, reply) => stream(reply, watch.openOverview()));
  app.get<{ Params: { kind: string; id: string } }>(`${CONSOLE_PATH}events/:kind/:id`, (request, reply) => {
    const { kind, id } = request.params;
    if (!isDetailKind(kind)) throw notFound("kind");
    const { secrets } = validate(detailQuery, request.query, "query");
    return stream(reply, watch.openDetail({ kind, id, showsSecrets: secrets === "shown" }));
  });

  app.post(`${CONSOLE_PATH}call`, (request) => makeCall(service, apiKey, validate(callSchema, request.body)));
}

function stream(reply: FastifyReply, feed: Readable): FastifyReply {
  reply.raw.once("close", () => feed.destroy());
  return reply.type("text/event-stream").header("cache-control", "no-cache").send(feed);
}

/**
 * Makes the call with the account's key, so the page never has the key. The call is treated like any other: with rules,
 * quotas, faults and the request log.
 */
async function makeCall(
  { urls }: Service,
  apiKey: string,
  call: ConsoleCall,
): Promise<{ status: number; text: string }> {
  const isGraphql = call.interface === "graphql";
  const base = call.interface === "queue" ? urls.serverlessUrl : urls.baseUrl;
  const answer = await fetch(isGraphql ? urls.graphqlUrl : base + call.path, {
    method: isGraphql ? "POST" : call.method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(call.body !== undefined && { "content-type": "application/json" }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  return { status: answer.status, text: await answer.text() };
}
