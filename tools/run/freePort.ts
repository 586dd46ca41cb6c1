import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { isErrno } from "./process";

/** Below the ports that systems give to those that ask for any: another process would get it before it is used. */
const PORTS = [20_000, 32_000] as const;

/** A port of this machine that nothing listens on, for a program that is told its port. */
export async function freePort(): Promise<number> {
  const port = randomInt(...PORTS);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (isErrno(error, "EADDRINUSE")) return freePort();
    throw error;
  }
  server.close();
  await once(server, "close");
  return port;
}
