import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Client, createClient } from "../../client";
import { type Served, serveBytes } from "../harness/serve";
import { until } from "../harness/until";

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
