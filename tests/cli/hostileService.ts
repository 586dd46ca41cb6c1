import type { RequestListener } from "node:http";
import { addressVariables } from "../../tools/run/environment";
import { serve } from "../harness/serve";

/** What a text can do to a terminal, and to the engine that prints it: a title, a clipboard, a cleared screen, a forged line. */
export const ATTACK =
  "\u001b]0;title\u0007\u001b]52;c;Zm9yZ2Vk\u0007\u001b[2J\u009b31m\u007f\r\nupdate succeeded \u202e<{%fg 2%}>forged<{%reset%}>";

/** What of it must never be printed as it came. */
export const RAW = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

/** Refuses, with that in the answer. */
export const attack: RequestListener = (_, response) => {
  response.writeHead(403, { "content-type": "application/problem+json" });
  response.end(JSON.stringify({ title: "Forbidden", status: 403, detail: ATTACK }));
};

/** A service that answers as it is told, and its addresses as a command's environment. */
export async function serviceThat(answer: RequestListener) {
  const server = await serve(answer);
  const { address } = server;
  const addresses = { apiKey: "key", baseUrl: address, serverlessUrl: address, graphqlUrl: `${address}/graphql` };
  return { ...server, environment: { PATH: process.env.PATH, ...addressVariables(addresses) } };
}
