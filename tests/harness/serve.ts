import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, request } from "node:http";
import { type AddressInfo, createServer as createByteServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";

/** A request whose every header is the test's own, as a browser's script could not set them. */
export async function send(
  url: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const sent = request(url, { method, headers: { "content-length": Buffer.byteLength(body), ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

/** A server on loopback; it and its connections end with the scope. */
export interface Served {
  readonly address: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A real server of HTTP. */
export async function serve(listener: RequestListener): Promise<Served> {
  // It never closes a connection that a client believes to be idle: a busy machine would let the two meet.
  const server = createServer({ keepAliveTimeout: 0 }, listener);
  return listening(server, () => server.closeAllConnections());
}

/** A real server of whatever is written to its connections. */
export async function serveBytes(onConnection: (socket: Socket) => void): Promise<Served> {
  const sockets = new Set<Socket>();
  const server = createByteServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onConnection(socket);
  });
  return listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function listening(server: Server, breakOff: () => void): Promise<Served> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      breakOff();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
