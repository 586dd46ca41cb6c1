import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Fate } from "./schedules";

/** Stands between a provider and the service, and lets every call meet its schedule's next fate. */
export interface HostileProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** What the calls of each schedule meet from now on, in order; undefined: nothing. */
  fates: readonly (readonly Fate[])[] | undefined;
  /** Called before the nth call since it was set goes on. */
  onCall: ((nth: number) => void) | undefined;
  /** Resolves once all that was put off is done. */
  idle(): Promise<void>;
  /** What the calls met, for a person who looks for the cause of a failure. */
  readonly met: string[];
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const PREFIX = /\bs(\d+)x-/;

export async function startHostileProxy(serviceUrl: string): Promise<HostileProxy> {
  const agent = new Agent({ connections: 64 });
  const owners = new Map<string, number>();
  const taken = new Map<number, number>();
  const storms = new Map<number, number>();
  const late = new Set<Promise<unknown>>();
  const met: string[] = [];
  let fates: HostileProxy["fates"];
  let onCall: HostileProxy["onCall"];
  let calls = 0;

  /** Whose call it is: by a name that it carries, or by an id that an answer gave to such a name. */
  const ownerOf = ({ path, body }: Call): number | undefined => {
    const text = `${path} ${body.toString()}`;
    const named = PREFIX.exec(text)?.[1];
    if (named !== undefined) return Number(named);
    for (const [id, owner] of owners) if (text.includes(id)) return owner;
    return undefined;
  };

  const forward = async (call: Call, owner: number | undefined): Promise<Reply> => {
    const { method, path, headers, body } = call;
    const answer = await request(new URL(path, serviceUrl), {
      method: method as "GET",
      headers,
      body: body.length === 0 ? null : body,
      dispatcher: agent,
    });
    const reply = {
      status: answer.statusCode,
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
    if (owner !== undefined && method === "POST") {
      for (const [, id = ""] of reply.body.toString().matchAll(/"id":"([^"]{8,})"/g)) owners.set(id, owner);
    }
    return reply;
  };

  const nextFate = (owner: number | undefined): Fate => {
    if (fates === undefined || owner === undefined) return { kind: "pass" };
    const storm = storms.get(owner) ?? 0;
    if (storm > 0) {
      storms.set(owner, storm - 1);
      return { kind: "storm", calls: 0 };
    }
    const index = taken.get(owner) ?? 0;
    taken.set(owner, index + 1);
    return fates[owner]?.[index] ?? { kind: "pass" };
  };

  const serve = async (asked: IncomingMessage, answer: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const { "content-length": _, connection: __, host: ___, "transfer-encoding": ____, ...headers } = asked.headers;
    const call: Call = {
      method: asked.method ?? "GET",
      path: asked.url ?? "/",
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(chunks),
    };
    calls += 1;
    onCall?.(calls);
    const owner = ownerOf(call);
    const fate = nextFate(owner);
    if (fate.kind !== "pass") met.push(`${owner}: ${call.method} ${call.path.split("?")[0]} ${JSON.stringify(fate)}`);

    switch (fate.kind) {
      case "pass":
        return send(answer, await forward(call, owner));
      case "drop":
        if (fate.work === "done") await forward(call, owner);
        asked.socket.destroy();
        return undefined;
      case "late": {
        const work = sleep(fate.afterMs).then(() => forward(call, owner));
        late.add(work);
        void work.finally(() => late.delete(work));
        if (fate.status !== "drop") return send(answer, edge(fate.status));
        asked.socket.destroy();
        return undefined;
      }
      case "fails":
        return send(answer, edge(fate.status));
      case "refused":
        return send(answer, refusal(call, fate.status));
      case "foreign404":
        return send(answer, edge(404));
      case "spoilt":
        return spoil(asked, answer, await forward(call, owner), fate.how);
      case "storm":
        if (owner !== undefined && fate.calls > 0) storms.set(owner, fate.calls);
        return send(answer, problem(429, "rate limit exceeded for the minute window", { "retry-after": "1" }));
    }
  };

  const server = createServer((asked, answer) => void serve(asked, answer).catch(() => asked.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    met,
    get fates() {
      return fates;
    },
    set fates(next) {
      fates = next;
      storms.clear();
    },
    get onCall() {
      return onCall;
    },
    set onCall(next) {
      onCall = next;
      calls = 0;
    },
    async idle() {
      while (late.size > 0) await Promise.allSettled(late);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
    },
  };
}

function send(answer: ServerResponse, { status, headers, body }: Reply): void {
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...rest } = headers;
  answer.writeHead(status, { ...rest, ...(status === 204 ? {} : { "content-length": body.length }) });
  answer.end(body);
}

function spoil(asked: IncomingMessage, answer: ServerResponse, reply: Reply, how: "cut" | "garbage" | "empty"): void {
  const whole = { empty: Buffer.alloc(0), garbage: Buffer.from('{"oops": '), cut: undefined }[how];
  if (whole !== undefined) {
    send(answer, { ...reply, body: whole });
    return;
  }
  answer.writeHead(reply.status, { "content-type": "application/json", "content-length": reply.body.length + 10 });
  answer.write(reply.body.subarray(0, reply.body.length >> 1), () => asked.socket.destroy());
}

function edge(status: number): Reply {
  const body = Buffer.from(`<html><body><h1>${status}</h1></body></html>`);
  return { status, headers: { "content-type": "text/html" }, body };
}

function problem(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = Buffer.from(JSON.stringify({ title: "Refused", status, detail }));
  return { status, headers: { "content-type": "application/problem+json", ...headers }, body };
}

function refusal({ path }: Call, status: number): Reply {
  if (!path.startsWith("/graphql")) return problem(status, "refused by chaos");
  const errors = [{ message: "refused by chaos", extensions: { code: "CHAOS" } }];
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ data: null, errors })),
  };
}
