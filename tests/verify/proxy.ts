import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Emulator } from "../../emulator";
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
  const starting = [emulator.baseUrl, emulator.serverlessUrl].map((address, index) =>
    serve(async (request, response) => {
      const path = request.url ?? "/";
      const rest = path.startsWith("/graphql") ? "graphql" : "rest";
      const sent = await text(request);
      const call: Call = {
        to: index === 1 ? "queue" : rest,
        method: request.method ?? "GET",
        path,
        headers: picked(request.headers, "authorization", "content-type", "user-agent"),
        body: sent === "" ? undefined : JSON.parse(sent),
      };
      try {
        const { status, headers, body } = await rule()(call, (changed) => forwarded(address, changed));
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

async function forwarded(address: string, { method, path, headers, body }: Call): Promise<Reply> {
  const answer = await fetch(address + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const received = await answer.text();
  const passed = picked(Object.fromEntries(answer.headers), "content-type", "x-request-id", "retry-after", ...LIMITS);
  return { status: answer.status, headers: passed, body: received === "" ? undefined : JSON.parse(received) };
}

function picked(headers: IncomingMessage["headers"] | Record<string, string>, ...names: string[]) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value] as const] : [];
    }),
  );
}
