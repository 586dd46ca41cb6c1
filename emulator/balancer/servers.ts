/*
 * What a worker of a load-balancing endpoint serves, and a pod at its http ports. A server is a function given to
 * `startEmulator({ servers: { "repo/api:1": (request) => Response.json({ ok: true }) } })`, or the address in the setting
 * `forward`. It gets an endpoint's health checks, too: `GET /ping`, or HEALTH_CHECK_PATH, which must be answered with 200.
 *
 * Images without a server behave as EMULATOR_HANDLER in the endpoint's environment says, otherwise as the image's name says
 * (`emulator/fail`, with any tag). All others echo.
 *
 *   echo       returns the request as JSON: its method, path, headers and body
 *   openai     a small model under `/v1/...`, as OpenAI's API has it; also every image with `vllm` in its name
 *   fixed      returns EMULATOR_OUTPUT
 *   delay      echoes after EMULATOR_DELAY_MS, by default 1000
 *   fail       answers 500 with EMULATOR_ERROR
 *   stream     sends EMULATOR_CHUNKS server-sent events, by default 3, EMULATOR_DELAY_MS apart: EMULATOR_OUTPUT, or their
 *              number from 0
 *   lost       crashes the worker at each request
 *   crash      never gets ready and keeps crashing; the tag `:does-not-exist` does the same
 *   throttled  finds no host for the first 30 s
 *
 * EMULATOR_DELAY_MS applies to all of them, by the emulator's clock; a model waits so long for each token. EMULATOR_PORT is
 * the port that the image listens on, whatever PORT says. `vllm/vllm-openai` listens on 8000 or its `--port`. Without any of
 * these a pod's image listens on each port.
 */
import { jsonOrText, ownMember } from "../json";
import { isVllm } from "../openai/job";
import { askModel, servedModel, streamTexts } from "../openai/model";
import { behaviourName, chunkCount, delay } from "../queue/handlers";
import type { Container } from "../store/records";
import { healthPath } from "./address";

/** A worker of a load balancer, or a pod. */
export interface ServingContainer extends Pick<Container, "image" | "env" | "args"> {
  readonly id: string;
  /** Empty for a pod. */
  readonly endpointId: string;
}

/** The second argument of a server. */
export interface ServerContext {
  /** Empty in a pod. */
  readonly endpointId: string;
  /** In a pod its id. */
  readonly workerId: string;
  readonly env: Readonly<Record<string, string>>;
  /** Resolves after so many ms, by the emulator's clock. */
  sleep(ms: number): Promise<void>;
  /** Writes a line to the container's log. */
  log(line: string): void;
  /** Crashes the container. Its open requests are answered with 502, or cut off. */
  crash(): never;
}

/** A container's web server. `request.signal` is aborted when the caller hangs up or the request is out of time. */
export type Server = (request: Request, worker: ServerContext) => Response | Promise<Response>;

/** The port that an image listens on, where it or its environment says so. */
export function listensOn({ image, env, args }: ServingContainer): string | undefined {
  const vllmPort = /^vllm\/vllm-openai\b/.test(image) ? (/--port[ =](\d+)/.exec(args)?.[1] ?? "8000") : undefined;
  return env.EMULATOR_PORT ?? vllmPort ?? env.PORT;
}

/** The server of an image without one. */
export function builtIn(container: ServingContainer): Server {
  const name = behaviourName(container) ?? (isVllm(container.image) ? "openai" : "echo");
  return async (request, context) => {
    if (new URL(request.url).pathname === healthPath(container)) return new Response("ok");
    if (name === "stream") return eventStream(numbered(context.env), context);
    if (name === "openai") return model(request, context, container.args);
    await delay(context, name === "delay" ? 1000 : 0);
    return (ownMember(SERVERS, name) ?? echo)(request, context);
  };
}

const echo: Server = async (request) => {
  const { method, url, headers } = request;
  const body = jsonOrText(await request.text());
  return Response.json({
    method,
    path: url.replace("http://localhost", ""),
    headers: Object.fromEntries(headers),
    body,
  });
};

const SERVERS: Readonly<Record<string, Server>> = {
  fixed(_request, { env: { EMULATOR_OUTPUT: output = "" } }) {
    const value = jsonOrText(output);
    return typeof value === "string" ? new Response(output) : Response.json(value);
  },
  fail: (_request, { env }) => Response.json({ error: env.EMULATOR_ERROR ?? "the server failed" }, { status: 500 }),
  lost: (_request, context) => context.crash(),
};

async function model(request: Request, context: ServerContext, args: string): Promise<Response> {
  const route = new URL(request.url).pathname;
  const answer = askModel(route, jsonOrText(await request.text()), servedModel(context.env, args));
  if ("events" in answer) return eventStream(streamTexts(answer.events), context);
  await delay(context);
  return Response.json(answer.body, { status: answer.status });
}

const numbered = (env: ServerContext["env"]): string[] =>
  Array.from({ length: chunkCount(env) }, (_, index) => `data: ${env.EMULATOR_OUTPUT ?? index}\n\n`);

/** Server-sent events, a pause before each. */
function eventStream(texts: readonly string[], context: ServerContext): Response {
  const encoder = new TextEncoder();
  const events = texts.values();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = events.next();
      if (value === undefined) return controller.close();
      await delay(context);
      controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
