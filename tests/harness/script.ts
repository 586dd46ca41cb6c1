import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, beforeEach } from "@jest/globals";
import { type Client, type ClientOptions, createClient } from "../../client";
import { impatient } from "./place";

/** Answers one request. */
export type Step = (request: IncomingMessage, response: ServerResponse) => void;

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Step =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
export const text =
  (body: string, status = 200, type = "text/plain"): Step =>
  (_, response) => {
    response.writeHead(status, { "content-type": type }).end(body);
  };
/** Accepts the request and never answers. */
export const silence: Step = () => {};
/** Begins an answer and never ends it. */
export const stall: Step = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).write('{"keys":');
};
export const reset: Step = (request) => void request.socket.destroy();
/** Each of these for one request, and the last one again and again. */
export const inTurn =
  (...steps: Step[]): Step =>
  (...exchange) => {
    const step = steps.length > 1 ? steps.shift() : steps[0];
    step?.(...exchange);
  };

/** A second of a log, and an event of it. */
export const logTime = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
export const logEvent = (second: number, line = `line ${second}`) =>
  `id: ${logTime(second)}\ndata: ${JSON.stringify({ source: "container", line, ts: logTime(second) })}\n\n`;
/** A stream of events, which stays open unless it is ended. */
export const stream =
  (text: string, end: (response: ServerResponse) => void = () => {}): Step =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text, () => end(response));
  };
/** The lines of a log, to its end. */
export const linesOf = (log: AsyncIterable<{ line: string }>): Promise<string[]> =>
  Array.fromAsync(log, ({ line }) => line);

/** A server that answers by a script and repeats its last step: for behaviour that no emulator of the service would show. */
export class Script {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #clients: Client[] = [];
  #step = silence;

  constructor() {
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      this.received.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
      this.answer(request, response);
    });
    this.#server.on("connection", (socket) => this.sockets.add(socket));
  }

  protected readonly answer: Step = (...exchange) => this.#step(...exchange);

  play(...steps: Step[]): void {
    this.#step = inTurn(...steps);
  }

  listen(port = 0): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The calls in short: `POST /graphql`. */
  sent(): string[] {
    return this.received.map(({ method, url }) => `${method} ${url.split("?")[0]}`);
  }

  client(options: Partial<ClientOptions> = {}): Client {
    const { address } = this;
    const client = createClient({
      apiKey: "scripted-key-0123456789",
      baseUrl: address,
      serverlessUrl: address,
      graphqlUrl: `${address}/graphql`,
      clock: impatient(),
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await Promise.all(this.#clients.map((client) => client.close()));
    await new Promise((resolve) => this.#server.close(resolve));
    this.received.length = 0;
    this.sockets.clear();
    this.#clients.length = 0;
    this.#step = silence;
  }
}

/** A scripted server: it listens on another port in each test, and has forgotten the one before. */
export function serverForEach<Server extends Script>(server: Server): Server {
  beforeEach(() => server.listen());
  afterEach(() => server.close());
  return server;
}
