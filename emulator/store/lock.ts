import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { isRunning, ownMark, type ProcessMark, ranHere } from "../../common/isRunning";

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
interface Claim extends ProcessMark {
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
      const mine: Claim = { ...ownMark(), token: randomUUID() };
      append(descriptor, mine);
      for (;;) {
        const claims = read(descriptor);
        const mineIsThere = claims.some(({ token }) => token === mine.token);
        const holder = claims.find((claim) => ranHere(claim) && isRunning(claim.process, claim.started));
        if (!mineIsThere) append(descriptor, mine);
        else if (holder?.token === mine.token) return new Lock(descriptor);
        else if (holder !== undefined) {
          append(descriptor, { ...mine, gone: true });
          throw new DataFileInUseError(file, holder.process);
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
    const isClaim = typeof claim === "object" && claim !== null && "token" in claim && "process" in claim;
    return isClaim ? (claim as Claim) : undefined;
  } catch {
    // An empty line, or one that a crash cut off.
    return undefined;
  }
}
