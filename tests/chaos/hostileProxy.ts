import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Emulator } from "../../emulator";
import { serve } from "../harness/serve";
import { ELSEWHERE_ANSWERS, type Fate, NO_TROUBLE, type Trouble, type Which } from "./faults";

/** Stands between providers and the service: a key leads to its account, and calls meet what the run has in store. */
export interface HostileProxy extends AsyncDisposable {
  readonly baseUrl: string;
  readonly serverlessUrl: string;
  readonly graphqlUrl: string;
  /** A run begins. */
  begin(trouble: Trouble, when: Moments): void;
  /** It is over: nothing meets anything any more. Resolves once all is done that was put off and does not outlast it. */
  end(): Promise<void>;
  /** What was put off beyond the end of its run and has not arrived: path and body of each call. */
  readonly outlasting: ReadonlySet<string>;
  /** What the calls met since the run began, for a person who looks for the cause of a failure. */
  readonly met: readonly string[];
  /** When the last call arrived, as of `Date.now()`. */
  readonly lastCallAt: number;
}

/** What happens beside the calls. */
export interface Moments {
  /** The call arrives at which somebody is to be killed. */
  kill(): void;
  /** The run's first write is about to reach the service, which waits for it. */
  firstWrite(): Promise<void>;
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

const NO_CALLS = { writes: 0, deletes: 0, reads: 0, calls: 0, account: 0, later: 0 };
const NOTHING: Moments = { kill() {}, async firstWrite() {} };

/** @param speed how many times faster than ours the time of the accounts runs */
export async function startHostileProxy(accounts: readonly Emulator[], speed: number): Promise<HostileProxy> {
  const agent = new Agent({ connections: 64 });
  const late = new Set<Promise<unknown>>();
  /** What may go on when the call that waits for it has been given up. */
  const trackLate = <T>(work: Promise<T>): Promise<T> => {
    late.add(work);
    void work.catch(() => {}).finally(() => late.delete(work));
    return work;
  };
  const outlasting = new Set<string>();
  const outlast = ({ path, body }: Call, arrival: Promise<unknown>) => {
    const text = `${path} ${body}`;
    outlasting.add(text);
    // The life may be over by then.
    void arrival.catch(() => {}).finally(() => outlasting.delete(text));
  };
  let met: string[] = [];
  let lastCallAt = Date.now();
  let running = NO_TROUBLE;
  let when = NOTHING;
  let counts: Record<Which["of"], number> = { ...NO_CALLS };
  let storm = 0;

  const forward = async (
    { method, path, headers, body }: Call,
    address: "baseUrl" | "serverlessUrl",
  ): Promise<Reply> => {
    const account = accounts.find(({ apiKey }) => `${path} ${headers.authorization}`.includes(apiKey)) ?? accounts[0];
    const answer = await request(new URL(path, account?.[address]), {
      method: method as "GET",
      headers,
      body: body.length === 0 ? null : body,
      dispatcher: agent,
    });
    return {
      status: answer.statusCode,
      headers: texts(answer.headers),
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  };

  /** What this call meets, and whether somebody dies of it. */
  const fateOf = (call: Call): { fate: Fate | undefined; kills: boolean } => {
    const kind = isWrite(call) ? "writes" : "reads";
    const sorts: Which["of"][] = [
      ...(counts.writes > 0 ? (["later"] as const) : []),
      ...(isDelete(call) ? (["deletes"] as const) : []),
      ...(/^\/v2\/account(\?|$)/.test(call.path) ? (["account"] as const) : []),
      kind,
      "calls",
    ];
    for (const sort of sorts) counts[sort] += 1;
    const isNow = ({ of, nth }: Which, lasts = false) =>
      sorts.includes(of) && (lasts ? counts[of] >= nth : counts[of] === nth);
    const kills = running.kill !== undefined && isNow(running.kill.at);
    if (storm > 0) {
      storm -= 1;
      return { fate: { kind: "storm", calls: 0 }, kills };
    }
    const fate = running.faults.find(({ at, lasts }) => isNow(at, lasts))?.fate;
    if (fate?.kind === "storm") storm = fate.calls;
    return { fate, kills };
  };

  const meet = async (incoming: IncomingMessage, answer: ServerResponse, address: "baseUrl" | "serverlessUrl") => {
    lastCallAt = Date.now();
    const call = await readCall(incoming);
    const { fate, kills } = fateOf(call);
    if (fate !== undefined) met.push(`${describe(call)} ${JSON.stringify(fate)}`);
    if (kills) {
      met.push(`${describe(call)} kills`);
      when.kill();
    }
    if (counts.writes === 1 && isWrite(call)) await trackLate(when.firstWrite());
    switch (fate?.kind) {
      case undefined:
        return send(answer, await forward(call, address));
      case "drop":
        if (fate.work === "done") await forward(call, address);
        incoming.socket.destroy();
        return undefined;
      case "late": {
        const arrival = sleep(fate.afterMs / speed).then(() => forward(call, address));
        if (fate.outlasts) outlast(call, arrival);
        else trackLate(arrival);
        if (fate.status !== "drop") return send(answer, page(fate.status));
        incoming.socket.destroy();
        return undefined;
      }
      case "slow": {
        const reply = await forward(call, address);
        await sleep(fate.afterMs / speed);
        return send(answer, reply);
      }
      case "fails":
        return send(answer, page(fate.status));
      case "refused":
        return send(answer, refusal(call, fate.status));
      case "elsewhere": {
        const { status, type, body } = ELSEWHERE_ANSWERS[fate.who];
        return send(answer, { status, headers: { "content-type": type }, body: Buffer.from(body) });
      }
      case "spoilt":
        return spoil(incoming, answer, await forward(call, address), fate.how);
      case "storm":
        return send(answer, problem(429, "rate limit exceeded for the minute window", { "retry-after": "1" }));
    }
  };

  const listen = (address: "baseUrl" | "serverlessUrl") =>
    serve((incoming, answer) => {
      meet(incoming, answer, address).catch(() => incoming.socket.destroy());
    });
  const servers = [await listen("baseUrl"), await listen("serverlessUrl")] as const;
  const [{ address: baseUrl }, { address: serverlessUrl }] = servers;
  const [first] = accounts;
  return {
    baseUrl,
    serverlessUrl,
    graphqlUrl: new URL(new URL(String(first?.graphqlUrl)).pathname, baseUrl).href,
    begin(trouble, moments) {
      running = trouble;
      when = moments;
      counts = { ...NO_CALLS };
      storm = 0;
      met = [];
      lastCallAt = Date.now();
    },
    async end() {
      running = NO_TROUBLE;
      when = NOTHING;
      storm = 0;
      while (late.size > 0) await Promise.allSettled(late);
    },
    outlasting,
    get met() {
      return met;
    },
    get lastCallAt() {
      return lastCallAt;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server[Symbol.asyncDispose]();
      await agent.destroy();
    },
  };
}

async function readCall(incoming: IncomingMessage): Promise<Call> {
  const { "content-length": _, connection: __, host: ___, "transfer-encoding": ____, ...headers } = incoming.headers;
  return {
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    headers: texts(headers),
    body: await buffer(incoming),
  };
}

const texts = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function isWrite({ method, path, body }: Call): boolean {
  if (path.startsWith("/graphql")) return /"query":"\s*mutation/.test(body.toString());
  return method !== "GET";
}

function isDelete({ method, path, body }: Call): boolean {
  return method === "DELETE" || (path.startsWith("/graphql") && /\bdelete\w+\(/.test(body.toString()));
}

function describe(call: Call): string {
  const path = call.path.split("?")[0] ?? "";
  return path.startsWith("/graphql")
    ? `GraphQL ${/\w+ \w+/.exec(call.body.toString())?.[0]}`
    : `${call.method} ${path}`;
}

function send(answer: ServerResponse, { status, headers, body }: Reply): void {
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...rest } = headers;
  answer.writeHead(status, { ...rest, ...(status === 204 ? {} : { "content-length": body.length }) });
  answer.end(body);
}

function spoil(
  incoming: IncomingMessage,
  answer: ServerResponse,
  reply: Reply,
  how: "cut" | "garbage" | "empty",
): void {
  const whole = { empty: Buffer.alloc(0), garbage: Buffer.from('{"oops": '), cut: undefined }[how];
  if (whole !== undefined) {
    send(answer, { ...reply, body: whole });
    return;
  }
  answer.writeHead(reply.status, { "content-type": "application/json", "content-length": reply.body.length + 10 });
  answer.write(reply.body.subarray(0, reply.body.length >> 1), () => incoming.socket.destroy());
}

function page(status: number): Reply {
  const body = Buffer.from(`<html><body><h1>${status}</h1></body></html>`);
  return { status, headers: { "content-type": "text/html" }, body };
}

function problem(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = Buffer.from(JSON.stringify({ title: "Refused", status, detail }));
  return { status, headers: { "content-type": "application/problem+json", ...headers }, body };
}

/** The service quotes what it doesn't like, secrets included. */
function refusal({ path, body }: Call, status: number): Reply {
  const message = `refused by chaos: ${body.toString().slice(0, 2_000)}`;
  if (!path.startsWith("/graphql")) return problem(status, message);
  const errors = [{ message, extensions: { code: "CHAOS" } }];
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ data: null, errors })),
  };
}
