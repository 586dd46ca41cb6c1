import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A real server on loopback, closed at the end of the scope. */
export async function serve(
  listener: RequestListener,
): Promise<{ address: string; [Symbol.asyncDispose](): Promise<void> }> {
  // It never closes a connection that a client believes to be idle: a busy machine would let the two meet.
  const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
