import type { Socket } from "node:net";
import { createGzip } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  ContractError,
  createClient,
  ServiceError,
  TimeoutError,
  TooLargeError,
  UsageError,
  WrongAddressError,
} from "../../client";
import { json, Script, type Step, serverForEach, silence } from "../harness/script";
import { type Served, serveBytes } from "../harness/serve";
import { errorOf, soon, until } from "../harness/until";

// What servers and proxies do to connections, as bytes.

const answer = (body: string, head = "") =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const job = '{"id":"j","status":"IN_QUEUE"}';

let server: Served;
let client: Client;
/** All connections, and the requests that came over each. */
let sockets: { socket: Socket; requests: string[] }[];
/** Answers a request. */
let reply: (socket: Socket) => void;

beforeEach(async () => {
  sockets = [];
  server = await serveBytes((socket) => {
    const connection = { socket, requests: [] as string[] };
    sockets.push(connection);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      connection.requests.push(text);
      text = "";
      reply(socket);
    });
  });
  const { address } = server;
  client = createClient({ apiKey: "key", baseUrl: address, serverlessUrl: address, graphqlUrl: address });
});
afterEach(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

test.each([
  ["with the answer", (socket: Socket) => void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${answer(job)}`)],
  [
    "before the answer, more than once",
    (socket: Socket) => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n", () => {
        setImmediate(() =>
          socket.write("HTTP/1.1 100 Continue\r\nserver: edge\r\n\r\n", () =>
            setImmediate(() => socket.write(answer(job))),
          ),
        );
      });
    },
  ],
])("100 Continue that nobody asked for is passed over %s", async (_, replying) => {
  reply = replying;
  const queue = client.queue("e");
  expect(await queue.run({ input: 1 })).toMatchObject({ id: "j" });
  expect(await queue.run({ input: 2 })).toMatchObject({ id: "j" });
  expect(sockets.flatMap(({ requests }) => requests)).toHaveLength(2);
});

test("100 Continue that nobody asked for is left alone inside a body", async () => {
  const output = JSON.stringify({ id: "j", status: "COMPLETED", output: "HTTP/1.1 100 Continue" });
  const cut = answer(output).indexOf("HTTP/1.1 100");
  reply = (socket) => {
    const text = answer(output);
    socket.write(text.slice(0, cut), () => setImmediate(() => socket.write(text.slice(cut))));
  };
  expect(await client.queue("e").status("j")).toMatchObject({ output: "HTTP/1.1 100 Continue" });
});

test.each<[string, () => Promise<unknown>]>([
  ["a job", () => client.queue("e").run({ input: 1 })],
  ["a create", () => client.networkVolumes.create({ name: "j", size: 10, dataCenter: "X" })],
  ["an endpoint", async () => (await client.endpoint("e", { url: server.address }).fetch("/", { body: 1 })).text()],
  ["a request by hand", () => client.request("POST", "/v2/pods", { body: {} })],
])("a socket of %s, which may not be sent twice, is not kept until the other side closes it", async (_, send) => {
  const both = JSON.stringify({ ...JSON.parse(job), name: "j", size: 10, dataCenter: "X", type: "STANDARD" });
  reply = (socket) => void socket.write(answer(both, "keep-alive: timeout=600\r\n"));
  await send();
  await client.queue("e").status("j");
  const [submission, read] = sockets;
  expect(submission?.requests[0]).toMatch(/^POST/);
  await until(() => submission?.socket.readableEnded === true || submission?.socket.destroyed === true);
  expect(read?.socket.destroyed).toBe(false);
  expect(read?.socket.readableEnded).toBe(false);
});

// What goes wrong, what becomes of it, and after how long: in real time, against servers that really do it.

interface Fault {
  fault: string;
  /** How the server behaves. */
  server: Step | ((socket: Socket) => void);
  /** A server that does not speak HTTP at all. */
  raw?: boolean;
  options?: (address: string) => Partial<ClientOptions>;
  call?: (client: Client) => Promise<unknown>;
  proxy?: (address: string) => string;
  error: new (...args: never[]) => Error;
  says: RegExp;
  /** How many requests the script receives, where that says that nothing was repeated. */
  requests?: number;
}

const drip: Step = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  // biome-ignore lint/plugin: bytes that come slowly, without a comparison of times
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
};
const endless =
  (type: string, begin: string): Step =>
  (_, response) => {
    response.writeHead(200, { "content-type": type }).write(begin);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  };
const bomb: Step = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  const zip = createGzip();
  zip.pipe(response);
  zip.end(Buffer.alloc(20_000_000, " "));
};
let cursor = 0;
const everNewPages: Step = (_, response) => {
  cursor += 1;
  json({ registries: [], pagination: { hasNextPage: true, nextCursor: `page-${cursor}` } })(_, response);
};
const page: Step = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>");
};
const readLog = async (client: Client) => {
  for await (const line of client.pods.logs("p")) expect(line).toBeUndefined();
};
const smtp = (socket: Socket) => void socket.end("220 mail.example ESMTP\r\n");
const elsewhere = () => ({ baseUrl: "https://service.invalid" });
const shortly = () => ({ ...elsewhere(), timeouts: { connectMs: 300 } });
const overTls = (address: string) => ({ baseUrl: address.replace("http:", "https:") });
const callMs = () => ({ timeouts: { callMs: 1_500 } });
const ofKey = (apiKey: string) => ({ options: () => ({ apiKey }), requests: 0 });
const within = (timeoutMs: number) => (client: Client) => client.sshKeys.get({ timeoutMs });
const once = { requests: 1 };
const small = { ...once, options: () => ({ limits: { answerBytes: 1_000_000 } }) };
const inTime = /the call was not over within 1.5 s/;
const noProxy = /HTTPS_PROXY is not an address of a proxy/;
const proxyAnswers =
  (status: string) =>
  (socket: Socket): void => {
    socket.once("data", () => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`));
  };

type Row = [fault: string, server: Fault["server"], error: Fault["error"], says: RegExp, more?: Partial<Fault>];

const rows: Row[] = [
  ["a key with a line break", silence, UsageError, /^apiKey: the API key holds a space/, ofKey("a\nb")],
  [
    "a key with the quotes of an .env file",
    silence,
    UsageError,
    /^apiKey: the API key is in quotes, which became a part of it\. Give it without them\.$/,
    ofKey('"abc"'),
  ],
  ["a web page with 200: a wrong address", page, ContractError, /web page.*Check the configured address/, once],
  ["TLS to a plain port", silence, ConnectionError, /does not speak TLS/, { options: overTls }],
  ["a port that does not speak HTTP", smtp, ConnectionError, /does not speak HTTP/, { raw: true }],
  ["a body that drips, callMs of the client 1500", drip, TimeoutError, inTime, { ...once, options: callMs }],
  ["503 for ever, timeoutMs of the call 20000", json({}, 503), ServiceError, /503/, { call: within(20_000) }],
  [
    "a redirect, as to a page for signing in",
    json({}, 302, { location: "https://login.example/start?back=/v2" }),
    WrongAddressError,
    /302 a redirect to https:\/\/login.example\/start\. .*redirects are not followed/,
    once,
  ],
  ["a body without an end", endless("application/json", "["), TooLargeError, /1000000 bytes.*limits/, small],
  ["a compressed body that is larger than it looks", bomb, TooLargeError, /more than 1000000 bytes/, small],
  [
    "a list whose every page names a next one",
    everNewPages,
    TooLargeError,
    /more than 20 pages/,
    { requests: 20, options: () => ({ limits: { pages: 20 } }), call: (client) => client.registries.list() },
  ],
  [
    "an event of a log without an end",
    endless("text/event-stream", "data: "),
    TooLargeError,
    /more than 1000000 characters/,
    { ...small, call: readLog },
  ],
];

const proxied: [fault: string, server: Fault["server"], says: RegExp, more?: Partial<Fault>][] = [
  ["that wants a password (407)", proxyAnswers("407 Password"), /for a name and a password: set HTTPS_PROXY/],
  ["that refuses the address (403)", proxyAnswers("403 Forbidden"), /403.*Ask for the address to be allowed/],
  ["that says nothing", () => {}, /the proxy did not answer within 300 ms/, { options: shortly, error: TimeoutError }],
  ["without its scheme", () => {}, noProxy, { proxy: (address) => address.replace("http://", ""), error: UsageError }],
  [
    "with a password that holds a percent sign",
    () => {},
    /^HTTPS_PROXY is not an address of a proxy\. .* percent-encoded, such as %25 for %\.$/,
    { proxy: (address) => address.replace("http://", "http://me:100%sure@"), error: UsageError },
  ],
];

const faults: Fault[] = [
  ...rows.map(([fault, server, error, says, more]) => ({ fault, server, error, says, ...more })),
  ...proxied.map(([fault, server, says, more]) => ({
    fault: `a proxy ${fault}`,
    raw: true,
    server,
    options: elsewhere,
    proxy: (address: string) => address,
    error: ConnectionError,
    says,
    ...more,
  })),
];

describe("the table of faults", () => {
  let server: Served | undefined;
  // Each test's is another: what a call has given up may reach its server late.
  const script = serverForEach(new Script());

  afterEach(async () => {
    delete process.env.HTTPS_PROXY;
    await server?.[Symbol.asyncDispose]();
    server = undefined;
  });

  /** Where the fault is: at a script, or a server that does not speak HTTP. */
  async function place({ server: behaviour, raw = false }: Fault): Promise<string> {
    if (!raw) {
      script.play(behaviour as Step);
      return script.address;
    }
    server = await serveBytes(behaviour as (socket: Socket) => void);
    return server.address;
  }

  test.each(faults.map((fault) => [fault.fault, fault] as const))("%s ends as what it is", async (_, fault) => {
    const address = await place(fault);
    const proxy = fault.proxy?.(address);
    if (proxy !== undefined) process.env.HTTPS_PROXY = proxy;
    const addresses = { baseUrl: address, serverlessUrl: address, graphqlUrl: `${address}/graphql` };
    const call = async () => {
      const client = script.client({ ...addresses, clock: undefined, ...fault.options?.(address) });
      return await (fault.call ?? ((target) => target.sshKeys.get()))(client);
    };
    // To find out by repetition would take two minutes.
    const error = await errorOf(soon(call()), fault.error);
    expect(error.message).toMatch(fault.says);
    if (fault.requests !== undefined) expect(script.received).toHaveLength(fault.requests);
  });
});
