import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, Readable } from "node:stream";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";

const METHODS: HTTPMethods[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

export interface WorkerRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable | null;
  readonly signal: AbortSignal;
}

export interface WorkerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable | null;
}

/** Headers of one connection, which a gateway does not pass on. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const passedOn = (headers: WorkerRequest["headers"]): WorkerRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

/** Sends a request to a server and passes its answer on, neither buffered nor decoded. */
export function forward(
  address: string,
  { method, path, headers, body, signal }: WorkerRequest,
): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    const options = {
      method,
      path: url.pathname.replace(/\/$/, "") + path,
      headers: { ...passedOn(headers), host: url.host },
      signal,
      agent: false,
    };
    const answer = (incoming: IncomingMessage) =>
      resolve({ status: incoming.statusCode ?? 502, headers: passedOn(incoming.headers), body: incoming });
    const sent = url.protocol === "https:" ? httpsRequest(url, options, answer) : httpRequest(url, options, answer);
    sent.once("error", reject);
    if (body === null) sent.end();
    else pipeline(body, sent, () => {});
  });
}

/** Takes requests of every method to `/:name` and all below it. */
export function takeAll<Params>(
  app: FastifyInstance,
  name: keyof Params & string,
  config: FastifyContextConfig,
  handler: (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  for (const url of [`/:${name}`, `/:${name}/*`])
    app.route<{ Params: Params }>({ method: METHODS, url, exposeHeadRoute: false, config, handler });
}

/** A caller's request as the server behind a prefix of the path gets it. */
export function requestOf({ method, headers, url, raw }: FastifyRequest, prefix: string, signal: AbortSignal) {
  const path = url.slice(prefix.length).replace(/^(?!\/)/, "/");
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return { method, headers, path, body: hasBody ? raw : null, signal } satisfies WorkerRequest;
}

/** Passes a server's answer on to the caller, part by part. */
export function passAnswer({ status, headers, body }: WorkerAnswer, reply: FastifyReply, signal: AbortSignal) {
  reply.code(status).headers(passedOn(headers));
  if (body === null) return reply.send();
  signal.addEventListener("abort", () => body.destroy(new Error("the answer was cut off")));
  // The headers are sent before the first part: a stream may be silent for long, and the reader must know that it is open.
  reply.raw.once("pipe", () => reply.raw.flushHeaders());
  return reply.send(body);
}

/** A stream that breaks off when it gets too large. */
export function bounded(source: Readable, mostBytes: number, exceeded: () => void): Readable {
  async function* parts() {
    let bytes = 0;
    for await (const part of source) {
      bytes += part.length;
      if (bytes > mostBytes) {
        exceeded();
        throw new Error(`larger than ${mostBytes} bytes`);
      }
      yield part;
    }
  }
  // Its error has no reader once the stream is no longer read.
  return Readable.from(parts(), { objectMode: false }).on("error", () => {});
}
