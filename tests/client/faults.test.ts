import type { Socket } from "node:net";
import { createGzip } from "node:zlib";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  ContractError,
  ServiceError,
  TimeoutError,
  TooLargeError,
  UsageError,
  WrongAddressError,
} from "../../client";
import { errorOf } from "../harness/errorOf";
import { serverForEach } from "../harness/forEach";
import { json, Script, type Step, silence } from "../harness/script";
import { type Served, serveBytes } from "../harness/serve";
import { soon } from "../harness/until";

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
const elsewhere = () => ({ baseUrl: "https://service.invalid" });
const proxyAnswers =
  (status: string) =>
  (socket: Socket): void => {
    socket.once("data", () => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`));
  };

const faults: Fault[] = [
  {
    fault: "a key with a line break in it",
    server: silence,
    options: () => ({ apiKey: "two\nlines" }),
    error: UsageError,
    says: /^apiKey: the API key holds a space, a line break/,
    requests: 0,
  },
  {
    fault: "a key with the quotes of an .env file",
    server: silence,
    options: () => ({ apiKey: '"abc"' }),
    error: UsageError,
    says: /^apiKey: the API key is in quotes, which became a part of it\. Give it without them\.$/,
    requests: 0,
  },
  {
    fault: "a web page with 200: a wrong address",
    server: page,
    error: ContractError,
    says: /web page.*Check the configured address/,
    requests: 1,
  },
  {
    fault: "TLS to a plain port",
    server: silence,
    options: (address) => ({ baseUrl: address.replace("http:", "https:") }),
    error: ConnectionError,
    says: /does not speak TLS/,
  },
  {
    fault: "a port that does not speak HTTP",
    raw: true,
    server: (socket: Socket) => socket.end("220 mail.example ESMTP\r\n"),
    error: ConnectionError,
    says: /does not speak HTTP/,
  },
  {
    fault: "a proxy that wants a password (407)",
    raw: true,
    server: proxyAnswers("407 Proxy Authentication Required"),
    options: elsewhere,
    proxy: (address) => address,
    error: ConnectionError,
    says: /asks for a name and a password: set HTTPS_PROXY/,
  },
  {
    fault: "a proxy that refuses the address (403)",
    raw: true,
    server: proxyAnswers("403 Forbidden"),
    options: elsewhere,
    proxy: (address) => address,
    error: ConnectionError,
    says: /403.*Ask for the address to be allowed/,
  },
  {
    fault: "a proxy that says nothing",
    raw: true,
    server: () => {},
    options: () => ({ ...elsewhere(), timeouts: { connectMs: 300 } }),
    proxy: (address) => address,
    error: TimeoutError,
    says: /the proxy did not answer within 300 ms/,
  },
  {
    fault: "a proxy address without its scheme",
    raw: true,
    server: () => {},
    options: elsewhere,
    proxy: (address) => address.replace("http://", ""),
    error: UsageError,
    says: /HTTPS_PROXY is not an address of a proxy/,
  },
  {
    fault: "a proxy address with a password that holds a percent sign",
    raw: true,
    server: () => {},
    options: elsewhere,
    proxy: (address) => address.replace("http://", "http://me:100%sure@"),
    error: UsageError,
    says: /^HTTPS_PROXY is not an address of a proxy\. .* percent-encoded, such as %25 for %\.$/,
  },
  {
    fault: "no answer, timeoutMs of the call 1500",
    server: silence,
    call: (client) => client.sshKeys.get({ timeoutMs: 1_500 }),
    error: TimeoutError,
    says: /the call was not over within 1.5 s/,
    requests: 1,
  },
  {
    fault: "a body that drips, callMs of the client 1500",
    server: drip,
    options: () => ({ timeouts: { callMs: 1_500 } }),
    error: TimeoutError,
    says: /the call was not over within 1.5 s/,
    requests: 1,
  },
  {
    fault: "503 for ever, timeoutMs of the call 20000",
    server: json({}, 503),
    call: (client) => client.sshKeys.get({ timeoutMs: 20_000 }),
    error: ServiceError,
    says: /503/,
  },
  {
    fault: "a redirect, as to a page for signing in",
    server: json({}, 302, { location: "https://login.example/start?back=/v2" }),
    error: WrongAddressError,
    says: /302 a redirect to https:\/\/login.example\/start\. .*redirects are not followed/,
    requests: 1,
  },
  {
    fault: "a body without an end",
    server: endless("application/json", "["),
    options: () => ({ limits: { answerBytes: 1_000_000 } }),
    error: TooLargeError,
    says: /more than 1000000 bytes.*limits.answerBytes/,
    requests: 1,
  },
  {
    fault: "a compressed body that is larger than it looks",
    server: bomb,
    options: () => ({ limits: { answerBytes: 1_000_000 } }),
    error: TooLargeError,
    says: /more than 1000000 bytes/,
    requests: 1,
  },
  {
    fault: "a list whose every page names a next one",
    server: everNewPages,
    options: () => ({ limits: { pages: 20 } }),
    call: (client) => client.registries.list(),
    error: TooLargeError,
    says: /more than 20 pages/,
    requests: 20,
  },
  {
    fault: "an event of a log without an end",
    server: endless("text/event-stream", "data: "),
    options: () => ({ limits: { answerBytes: 1_000_000 } }),
    call: readLog,
    error: TooLargeError,
    says: /more than 1000000 characters/,
    requests: 1,
  },
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
