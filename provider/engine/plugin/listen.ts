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
  let isTold = false;
  const door = createServer((socket) => {
    const reason = foreignUser(socket, ownerOf);
    if (reason === undefined) {
      injector.injectConnection(socket);
      return;
    }
    socket.destroy();
    if (!isTold) refused(reason);
    isTold = true;
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  const close = () => {
    door.close();
    server.forceShutdown();
  };
  return { port: (door.address() as AddressInfo).port, close };
}
