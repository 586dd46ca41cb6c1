import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Emulator } from "../../emulator";
import { callsTo } from "../../tools/run/calls";
import type { EmulatorAddresses } from "../../tools/run/environment";
import { serve } from "../harness/serve";

/** A call on its way to the service. */
export interface Call {
  readonly to: "rest" | "graphql" | "queue";
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: rules look into bodies of every shape
  readonly body: any;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: rules look into bodies of every shape
  readonly body: any;
}

/** Answers a call, by itself or with what the service says. */
export type Rule = (call: Call, forward: (call: Call) => Promise<Reply>) => Promise<Reply>;

export type ServiceProxy = EmulatorAddresses & AsyncDisposable;

/** A proxy in front of an emulator that answers by a rule. */
export async function startProxy(emulator: Emulator, rule: () => Rule): Promise<ServiceProxy> {
  const starting = ["rest", "queue"].map((host) =>
    serve(async (request, response) => {
      const path = request.url ?? "/";
      const sent = await text(request);
      const call: Call = {
        to: host === "queue" ? "queue" : path.startsWith("/graphql") ? "graphql" : "rest",
        method: request.method ?? "GET",
        path,
        headers: picked(request.headers, "authorization", "content-type", "user-agent"),
        body: sent === "" ? undefined : JSON.parse(sent),
      };
      try {
        const { status, headers, body } = await rule()(call, (changed) => forwarded(emulator, changed));
        response.writeHead(status, { ...headers });
        response.end(body === undefined ? undefined : JSON.stringify(body));
      } catch {
        response.destroy();
      }
    }),
  );
  const servers = await Promise.all(starting);
  const [baseUrl = "", serverlessUrl = ""] = servers.map(({ address }) => address);
  return {
    baseUrl,
    serverlessUrl,
    graphqlUrl: `${baseUrl}/graphql`,
    apiKey: emulator.apiKey,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

const LIMITS = ["ratelimit", "ratelimit-policy"];

async function forwarded(emulator: Emulator, { to, method, path, headers, body }: Call): Promise<Reply> {
  const baseUrl = to === "queue" ? emulator.serverlessUrl : emulator.baseUrl;
  const answer = await callsTo({ ...emulator, baseUrl }).rest(method, path, body, headers);
  const passed = picked(Object.fromEntries(answer.headers), "content-type", "x-request-id", "retry-after", ...LIMITS);
  return { ...answer, headers: passed };
}

function picked(headers: IncomingMessage["headers"] | Record<string, string>, ...names: string[]) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    }),
  );
}
