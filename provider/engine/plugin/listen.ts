import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Server, ServerCredentials } from "@grpc/grpc-js";
import { foreignUser, type OwnerOf, ownerOfPeer } from "./peer";

/**
 * Makes a gRPC server answer on loopback. Each connection is checked once, before a byte of it is read. A later check
 * could meet another process that has the same port by then.
 *
 * @param refused called with the reason at the first refusal only
 */
export async function listen(
  server: Server,
  refused: (reason: string) => void = () => {},
  ownerOf: OwnerOf = ownerOfPeer,
): Promise<{ readonly port: number; close(): void }> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  let isReported = false;
  const listener = createServer((socket) => {
    const reason = foreignUser(socket, ownerOf);
    if (reason === undefined) {
      injector.injectConnection(socket);
      return;
    }
    socket.destroy();
    if (!isReported) refused(reason);
    isReported = true;
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const close = () => {
    listener.close();
    server.forceShutdown();
  };
  return { port: (listener.address() as AddressInfo).port, close };
}
