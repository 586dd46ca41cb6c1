import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Agent, type Dispatcher } from "undici";
import type { Clock } from "../../client";

/** How the answer to a create ends. */
export type Ending =
  | "answer"
  | "refusal"
  | "429"
  | `status ${408 | 500 | 502 | 503 | 504 | 520 | 524}`
  | "connection broken"
  | "no header in time"
  | "no HTTP"
  | "web page"
  | "body empty"
  | "body cut off"
  | "body without id";

/** One sending of a create: how its answer ends, and how many seconds after its arrival the work is done, if ever. */
export interface Sending {
  readonly ending: Ending;
  readonly doneAfterS: number | undefined;
}

/** How one list ends. */
export type Listing = "answer" | "500" | "403" | "connection broken" | "web page" | "unreadable item";

export interface Thing {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** Which create it came of. */
  readonly mark: string;
  readonly madeAt: number;
  readonly createdAt: string | undefined;
}

export interface Lateness {
  /** By the create's mark; the last one for ever. */
  readonly sendings: ReadonlyMap<string, readonly Sending[]>;
  /** In the order of the lists; then they all answer. */
  readonly listings: readonly Listing[];
  /** How long lists don't show what is new. */
  readonly lagMs: number;
  /** How far the service's clock is ahead. */
  readonly aheadMs: number;
}

const lists: Readonly<Record<string, string>> = {
  "/v2/pods": "pods",
  "/v2/clusters": "clusters",
  "/v2/serverless": "endpoints",
  "/v2/templates": "templates",
  "/v2/network-volumes": "networkVolumes",
  "/v2/registries": "registries",
  "/v2/registries/delegations": "delegations",
};
const dated = new Set(["/v2/pods", "/v2/clusters", "/v2/serverless", "/v2/registries/delegations"]);
const uniqueNames = new Set(["/v2/templates", "/v2/registries"]);

/** What a header time-out takes in the client's time. */
const headersMs = 60_000;

export const markOf = (text: unknown): string => /made-by-\w+/.exec(String(text))?.[0] ?? "";

/** A service that does its work when it likes, whatever it has answered, and whose time passes only while it is waited for. */
export class LateServer {
  readonly things: Thing[] = [];
  readonly sent = new Map<string, number>();
  readonly #server: Server;
  readonly #agent = new Agent();
  #plan: Lateness = { sendings: new Map(), listings: [], lagMs: 0, aheadMs: 0 };
  #now = Date.UTC(2026, 0, 1);
  #pending: { at: number; thing: Thing }[] = [];
  #listCount = 0;
  #ids = 0;

  constructor() {
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => this.#answer(request, response, Buffer.concat(chunks).toString()));
    });
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Begins anew: an empty account, by a plan of its own. */
  play(plan: Lateness): void {
    this.#plan = plan;
    this.things.length = 0;
    this.sent.clear();
    this.#pending = [];
    this.#listCount = 0;
  }

  /** What somebody else made long ago. */
  add(path: string, name: string, secondsAgo: number): void {
    this.things.push(this.#newThing(path, name, "somebody", this.#now - secondsAgo * 1000));
  }

  /** Until no work is left to do. */
  finish(): void {
    this.#advanceTo(Infinity);
  }

  /** Two sleepers wake in the order of their times. */
  readonly clock: Clock = {
    now: () => this.#now,
    sleep: async (ms, signal) => {
      const wake = this.#now + ms;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      this.#advanceTo(Math.max(wake, this.#now));
    },
  };

  /** Real requests; those that get no header time out by undici's own timer, which is set short for them. */
  readonly dispatcher: Dispatcher = this.#agent.compose((dispatch) => (options, handler) => {
    const silent = options.method === "POST" && this.#next(markOf(options.body)).ending === "no header in time";
    return dispatch(silent ? { ...options, headersTimeout: 20 } : options, handler);
  });

  #next(mark: string): Sending {
    const sendings = this.#plan.sendings.get(mark) ?? [];
    return sendings[Math.min(this.sent.get(mark) ?? 0, sendings.length - 1)] ?? { ending: "answer", doneAfterS: 0 };
  }

  #newThing(path: string, name: string, mark: string, madeAt: number): Thing {
    this.#ids += 1;
    const createdAt = dated.has(path) ? new Date(madeAt + this.#plan.aheadMs).toISOString() : undefined;
    return { id: `id${this.#ids}`, path, name, mark, madeAt, createdAt };
  }

  #advanceTo(time: number): void {
    const due = this.#pending.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at);
    this.#pending = this.#pending.filter(({ at }) => at > time);
    for (const { thing } of due) this.#make(thing);
    if (Number.isFinite(time)) this.#now = time;
  }

  #make(thing: Thing): boolean {
    const taken = this.things.some(({ path, name }) => path === thing.path && name === thing.name);
    if (taken && uniqueNames.has(thing.path)) return false;
    this.things.push(thing);
    return true;
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    response.setHeader("date", new Date(this.#now + this.#plan.aheadMs).toUTCString());
    const [path = ""] = (request.url ?? "").split("?");
    if (path === "/graphql") this.#graphql(request, response, body);
    else if (request.method === "POST") this.#create(request, response, path, body, (thing) => thing);
    else this.#list(request, response, path);
  }

  #graphql(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, string> };
    if (query.includes("saveEndpoint")) {
      this.#create(request, response, "/v2/serverless", body, (thing) => ({ data: { saveEndpoint: thing } }));
      return;
    }
    const read = Object.entries(variables).map(([name, id]) => [
      name.replace("id", "e"),
      this.things.find((thing) => thing.id === id) ?? null,
    ]);
    send(response, 200, { data: { myself: Object.fromEntries(read) } });
  }

  #create(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: string,
    toAnswer: (thing: unknown) => unknown,
  ): void {
    const mark = markOf(body);
    const { ending, doneAfterS } = this.#next(mark);
    this.sent.set(mark, (this.sent.get(mark) ?? 0) + 1);
    const name = /"name":"([^"]*)"/.exec(body)?.[1] ?? "";
    const thing = this.#newThing(path, name, mark, this.#now + (doneAfterS ?? 0) * 1000);
    if (doneAfterS === 0 && !this.#make(thing)) {
      fail(response, 409);
      return;
    }
    if (doneAfterS !== undefined && doneAfterS > 0) this.#pending.push({ at: thing.madeAt, thing });
    this.#end(request, response, ending, toAnswer(thing), toAnswer({ name }));
  }

  #end(request: IncomingMessage, response: ServerResponse, ending: Ending, whole: unknown, withoutId: unknown): void {
    const text = JSON.stringify(whole);
    const [, status] = /^status (\d+)$/.exec(ending) ?? [];
    if (status !== undefined) fail(response, Number(status));
    else if (ending === "refusal") fail(response, 422);
    else if (ending === "429") fail(response, 429);
    else if (ending === "connection broken") request.socket.destroy();
    // What the client waits in its own time.
    else if (ending === "no header in time") this.#advanceTo(this.#now + headersMs);
    else if (ending === "no HTTP") request.socket.end("220 mail.example ESMTP\r\n");
    else if (ending === "web page") page(response);
    else if (ending === "body empty") response.writeHead(201).end();
    else if (ending === "body cut off") response.writeHead(201).end(text.slice(0, text.length / 2));
    else send(response, 201, ending === "body without id" ? withoutId : whole);
  }

  #list(request: IncomingMessage, response: ServerResponse, path: string): void {
    const listing = this.#plan.listings[this.#listCount] ?? "answer";
    this.#listCount += 1;
    if (listing === "connection broken") request.socket.destroy();
    else if (listing === "web page") page(response);
    else if (listing === "500" || listing === "403") fail(response, Number(listing));
    else {
      const odd = listing === "unreadable item" ? [{ id: null, name: "odd" }] : [];
      send(response, 200, {
        [lists[path] ?? ""]: [...odd, ...this.things.filter((thing) => this.#shows(thing, path))],
      });
    }
  }

  #shows(thing: Thing, path: string): boolean {
    return thing.path === path && (thing.mark === "somebody" || thing.madeAt + this.#plan.lagMs <= this.#now);
  }
}

function fail(response: ServerResponse, status: number): void {
  send(response, status, { title: "Problem", status, detail: "as planned" });
}

function page(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
