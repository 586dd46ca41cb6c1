import { readFileSync } from "node:fs";

/** The user whose process is at the other end of a connection, given as `address:port`; undefined where nobody says. */
export type OwnerOf = (peer: string) => number | undefined;

/** The plugin holds the account's key, and was called by a process of another user. */
export class StrangerError extends Error {
  override readonly name = "StrangerError";
}

const ROOT = 0;
const REMEMBERED_MS = 1_000;

/**
 * The port on loopback is open to everybody on the machine, and gRPC has no password that the engine would send. The
 * engine starts the plugin as its own user, so that any other user's process is not the engine.
 *
 * @throws StrangerError
 */
export function refuseStrangers(peer: string, ownerOf: OwnerOf): void {
  const own = process.getuid?.();
  const owner = ownerOf(peer);
  if (owner === undefined || owner === own || owner === ROOT) return;
  throw new StrangerError(`this plugin answers processes of the user ${own}, who started it, not of ${owner}`);
}

/** From the kernel's table of connections, on Linux. */
export const ownerOfPeer: OwnerOf = (peer) => {
  const port = Number(peer.split(":").at(-1)).toString(16).toUpperCase().padStart(4, "0");
  const address = `${LOOPBACK}:${port}`;
  // Its lines: number, own address, other address, state, …, the eighth the owner. Addresses are in hexadecimal.
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const lines = read(table).split("\n");
    const line = lines
      .map((line) => line.trim().split(/\s+/))
      .find(([, own = "", , state]) => own.endsWith(address) && state !== TIME_WAIT);
    const owner = Number(line?.[7]);
    if (Number.isInteger(owner)) return owner;
  }
  return undefined;
};

/**
 * Looks once a second for each connection: the table of a busy machine takes milliseconds to read, and the engine asks
 * hundreds of times. While a connection lasts nobody else can have its port.
 */
export function remembered(ownerOf: OwnerOf): OwnerOf {
  let last: { peer: string; owner: number; at: number } | undefined;
  return (peer) => {
    const now = performance.now();
    if (last?.peer === peer && now - last.at < REMEMBERED_MS) return last.owner;
    const owner = ownerOf(peer);
    last = owner === undefined ? undefined : { peer, owner, at: now };
    return owner;
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** 127.0.0.1 as the table writes it, and the end of the same in IPv6. */
const LOOPBACK = "0100007F";
/** Of a connection that is over; nobody owns it. */
const TIME_WAIT = "06";
