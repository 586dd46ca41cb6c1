import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { endianness } from "node:os";

/** Both ends of a connection, as a socket shows them. They may be missing once it has ended. */
export interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

/** The user whose process is at the other end; undefined if the system does not say. */
export type OwnerOf = (ends: Ends) => number | undefined;

const ROOT = 0;

/**
 * Why a connection is refused; undefined if it is accepted. The port on loopback is open to everybody on the machine, and
 * gRPC has no password that the engine would send. The engine starts the plugin as its own user, so another user's
 * process is not the engine. Root is accepted, and so is any process of the same user.
 *
 * Only Linux shows the owner of a connection without a further program. On other systems nobody is refused.
 */
export function foreignUser(ends: Ends, ownerOf: OwnerOf): string | undefined {
  if (process.platform !== "linux") return undefined;
  const ownUser = process.getuid?.();
  const owner = ownerOf(ends);
  // mutant strangers-answered: true
  if (owner === ownUser || owner === ROOT) return undefined;
  const reason =
    owner === undefined
      ? `${TABLES.join(" and ")} do not show whose process connected`
      : `the connection is of user ${owner}`;
  return `this plugin answers processes of the user ${ownUser}, who started it: ${reason}`;
}

const LOOPBACK = "127.0.0.1";

/**
 * Makes Pulumi's servers in this process, which listen on loopback for everybody, refuse connections of other users. Node
 * reports a connection in the same turn in which it accepts it, so none of its bytes are read before. Connections that
 * were accepted earlier stay. A program's own servers on other addresses are not touched.
 */
export function refuseOtherUsers(): void {
  subscribe("net.server.socket", (message) => {
    const { socket } = Object(message);
    if (!(socket instanceof Socket) || socket.localAddress !== LOOPBACK) return;
    if (foreignUser(socket, ownerOfPeer) !== undefined) socket.destroy();
  });
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"] as const;

/** The owner in the kernel's tables of connections, on Linux. */
export const ownerOfPeer: OwnerOf = (ends) => {
  for (const table of TABLES) {
    const owner = ownerIn(read(table), ends);
    if (owner !== undefined) return owner;
  }
  return undefined;
};

/**
 * The owner in one table of connections. A line has the number, the own address, the other address and the state; the
 * eighth field is the owner, the tenth the inode.
 *
 * The whole connection is compared, because another user may have the same port at another address of the machine. Only
 * an established connection with an inode counts: the table shows a closed one as root's.
 */
export function ownerIn(
  table: string,
  { remoteAddress, remotePort, localAddress, localPort }: Ends,
): number | undefined {
  if (remoteAddress === undefined || localAddress === undefined) return undefined;
  const theirs = forms(remoteAddress, remotePort);
  const ours = forms(localAddress, localPort);
  for (const line of table.split("\n")) {
    const [, from = "", to = "", state, , , , owner, , inode] = line.trim().split(/\s+/);
    if (state === ESTABLISHED && inode !== "0" && theirs.includes(from) && ours.includes(to)) return Number(owner);
  }
  return undefined;
}

/** An IPv4 address and a port as the tables write them, in IPv4 and mapped into IPv6. */
function forms(address: string, port = 0): string[] {
  const bytes = address
    .replace(/^::ffff:/i, "")
    .split(".")
    .map(Number);
  const word = (each: readonly number[]) => hex(endianness() === "LE" ? [...each].reverse() : each);
  const plain = word(bytes);
  const end = `:${hex([port >> 8, port & 0xff])}`;
  return [plain, `${"0".repeat(16)}${word([0, 0, 0xff, 0xff])}${plain}`].map((form) => form + end);
}

function hex(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join("");
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const ESTABLISHED = "01";
