import type { Socket } from "node:net";
import { createGzip } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  ContractError,
  createClient,
  TimeoutError,
  TooLargeError,
  UsageError,
  WrongAddressError,
} from "../../client";
import { environmentForEach } from "../harness/environment";
import { json, Script, type Step, serverForEach, silence, text } from "../harness/script";
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
    let request = "";
    socket.on("data", (chunk) => {
      request += chunk;
      const [head = "", body] = request.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      connection.requests.push(request);
      request = "";
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
    const whole = answer(output);
    socket.write(whole.slice(0, cut), () => setImmediate(() => socket.write(whole.slice(cut))));
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
const page = text("<!doctype html><title>Welcome</title>", 200, "text/html");
const toLogin = json({}, 302, { location: "https://login.example/start?back=/v2" });
const eventWithoutEnd = endless("text/event-stream", "data: ");
/** In place of HTTP. */
const smtp: Step = ({ socket }) => void socket.end("220 mail.example ESMTP\r\n");
const overTls = (address: string) => ({ baseUrl: address.replace("http:", "https:") });
const ofKey = (apiKey: string) => ({ options: () => ({ apiKey }), requests: 0 });
const readKeys = (client: Client) => client.sshKeys.get();
const once = { requests: 1 };
const callMs = { ...once, options: () => ({ timeouts: { callMs: 1_500 } }) };
const small = { ...once, options: () => ({ limits: { answerBytes: 1_000_000 } }) };
const ofLog = { ...small, call: (client: Client) => client.pods.logs("p").next() };
const ofPages = {
  requests: 20,
  options: () => ({ limits: { pages: 20 } }),
  call: (client: Client) => client.registries.list(),
};

type Kind = new (...args: never[]) => Error;
interface Circumstances {
  options?: (address: string) => Partial<ClientOptions>;
  call?: (client: Client) => Promise<unknown>;
  /** How many requests are received, where that says that nothing was repeated. */
  requests?: number;
}

const script = serverForEach(new Script());

test.each<[fault: string, Step, Kind, says: RegExp, Circumstances?]>([
  ["a key with a line break", silence, UsageError, /^apiKey: the API key holds a space/, ofKey("a\nb")],
  [
    "a key with the quotes of an .env file",
    silence,
    UsageError,
    /^apiKey: .* in quotes, .* without them/,
    ofKey('"abc"'),
  ],
  ["a web page with 200: a wrong address", page, ContractError, /web page.*Check the configured address/, once],
  ["TLS to a plain port", silence, ConnectionError, /does not speak TLS/, { options: overTls }],
  ["a port that does not speak HTTP", smtp, ConnectionError, /does not speak HTTP/, once],
  ["a body that drips, callMs of the client 1500", drip, TimeoutError, /the call was not over within 1.5 s/, callMs],
  [
    "a redirect, as to a page for signing in",
    toLogin,
    WrongAddressError,
    /login.example\/start\. .* not followed/,
    once,
  ],
  ["a body without an end", endless("application/json", "["), TooLargeError, /1000000 bytes.*limits/, small],
  ["a compressed body that is larger than it looks", bomb, TooLargeError, /more than 1000000 bytes/, small],
  ["a list whose every page names a next one", everNewPages, TooLargeError, /more than 20 pages/, ofPages],
  ["an event of a log without an end", eventWithoutEnd, TooLargeError, /more than 1000000 characters/, ofLog],
])("%s ends as what it is", async (_, step, kind, says, { options, call = readKeys, requests } = {}) => {
  script.play(step);
  const ended = async () => call(script.client({ clock: undefined, ...options?.(script.address) }));
  // To find out by repetition would take two minutes.
  expect((await errorOf(soon(ended()), kind)).message).toMatch(says);
  if (requests !== undefined) expect(script.received).toHaveLength(requests);
});

const wantsPassword = (socket: Socket): void => {
  socket.once("data", () => socket.end("HTTP/1.1 407 Password\r\ncontent-length: 0\r\n\r\n"));
};
const setEnvironment = environmentForEach();
const mute = () => {};

test.each<[proxy: string, (socket: Socket) => void, Kind, says: RegExp, before: string]>([
  ["that wants a password (407)", wantsPassword, ConnectionError, /a name and a password: set HTTPS_PROXY/, "http://"],
  ["that says nothing", mute, TimeoutError, /the proxy did not answer within 300 ms/, "http://"],
  ["without its scheme", mute, UsageError, /HTTPS_PROXY is not an address of a proxy/, ""],
  ["with a percent sign in its password", mute, UsageError, /encoded, such as %25 for %\.$/, "http://me:100%sure@"],
])("a proxy %s ends as what it is", async (_, onConnection, kind, says, before) => {
  await using proxy = await serveBytes(onConnection);
  setEnvironment({ HTTPS_PROXY: proxy.address.replace("http://", before) });
  const timeouts = kind === TimeoutError ? { connectMs: 300 } : {};
  const ended = async () =>
    script.client({ baseUrl: "https://service.invalid", clock: undefined, timeouts }).sshKeys.get();
  expect((await errorOf(soon(ended()), kind)).message).toMatch(says);
});
