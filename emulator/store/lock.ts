import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/** Another emulator uses the file. */
export class DataFileInUseError extends Error {
  override readonly name = "DataFileInUseError";

  constructor(
    readonly file: string,
    readonly pid: number,
  ) {
    super(`${file} is in use by the emulator with process id ${pid}: stop it, or start with another --data file`);
  }
}

/** One line of a lock file: a process that claims the lock, or that has released it (`gone`). */
interface Claim {
  readonly pid: number;
  /** When that process started, as its system reports it. It distinguishes processes, because ids are reused. */
  readonly started: string;
  readonly token: string;
  readonly gone?: true;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * A lock is a file of claims, to which lines are only appended. The lock belongs to the first claim whose process is alive and
 * has not released it. Earlier claims can end, but never return, so two processes can't both be first. On release the holder
 * empties the file. A process that finds its own claim missing adds it again.
 *
 * Not guaranteed: processes on another machine, and in another container, look dead. So the file must not be shared.
 */
export class Lock {
  private constructor(private readonly descriptor: number) {}

  /** Takes the lock of a file, or throws a {@link DataFileInUseError}. */
  static take(file: string): Lock {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW;
    const descriptor = openSync(`${file}.lock`, flags, 0o600);
    try {
      if (!fstatSync(descriptor).isFile()) throw new Error(`${file}.lock is not a plain file: remove it`);
      const mine: Claim = { pid: process.pid, started: startOf(process.pid), token: randomUUID() };
      append(descriptor, mine);
      for (;;) {
        const claims = read(descriptor);
        const mineIsThere = claims.some(({ token }) => token === mine.token);
        const holder = claims.find(isAlive);
        if (!mineIsThere) append(descriptor, mine);
        else if (holder?.token === mine.token) return new Lock(descriptor);
        else if (holder !== undefined) {
          append(descriptor, { ...mine, gone: true });
          throw new DataFileInUseError(file, holder.pid);
        }
      }
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  release(): void {
    ftruncateSync(this.descriptor);
    closeSync(this.descriptor);
  }
}

function append(descriptor: number, claim: Claim): void {
  // A crash may have cut off the line before, so its line feed may be missing.
  writeSync(descriptor, `\n${JSON.stringify(claim)}\n`);
}

/** The claims that were not released, in order. */
function read(descriptor: number): Claim[] {
  const bytes = Buffer.alloc(fstatSync(descriptor).size);
  const length = readSync(descriptor, bytes, 0, bytes.length, 0);
  const lines = bytes.toString("utf8", 0, length).split("\n");
  const claims = lines.map(parse).filter((claim) => claim !== undefined);
  const gone = new Set(claims.filter((claim) => claim.gone === true).map(({ token }) => token));
  return claims.filter(({ token }) => !gone.has(token));
}

function parse(line: string): Claim | undefined {
  try {
    const claim: unknown = JSON.parse(line);
    const isClaim = typeof claim === "object" && claim !== null && "token" in claim && "pid" in claim;
    return isClaim ? (claim as Claim) : undefined;
  } catch {
    // An empty line, or one that a crash cut off.
    return undefined;
  }
}

function isAlive({ pid, started }: Claim): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    const isOthers = typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
    if (!isOthers) return false;
  }
  return startOf(pid) === started;
}

/** When a process started, in a form only for comparison. Empty if the system does not report it. */
function startOf(pid: number): string {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The start is the 22nd field, in ticks since boot. The second one, the command in brackets, may contain spaces.
      const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${ticks}`;
    }
    if (process.platform === "win32") return "";
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env: { LC_ALL: "C" } }).trim();
  } catch {
    return "";
  }
}
