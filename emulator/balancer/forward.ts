import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";

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

export const passedOn = (headers: WorkerRequest["headers"]): WorkerRequest["headers"] =>
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
