import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import { beganAt, isRunning } from "../../common/isRunning";
import { wayOutOfDamage } from "../../provider/engine/damagedStates";
import { PulumiError, type PulumiOptions, pulumi, runPulumi } from "../../provider/engine/pulumiCommand";
import { readNamed } from "../input";

/** A lock of a stack in a file, a bucket or a database, as the engine describes it. */
export interface Lock {
  /** The name of its file, by which a person names it. */
  readonly id: string;
  readonly user: string;
  readonly host: string;
  readonly process: number;
  /** When it was taken, in milliseconds, to the second. */
  readonly since: number;
}

/** The process that ran `pulumi up`. */
export interface Run {
  readonly process: number;
  /** When it noted its id, before it took the lock. */
  readonly noted: number;
}

/** The run whose shell wrote its id into this file, and then became `pulumi up`; undefined if it never did. */
export async function runIn(file: string): Promise<Run | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return undefined;
  const id = Number((await readNamed(file)).trim());
  if (!Number.isInteger(id) || id <= 0)
    throw new RangeError(`${file} has no process id. Write it before \`pulumi up\`: echo "$$" > ${file}`);
  return { process: id, noted: info.mtimeMs };
}

/** In Pulumi Cloud a lock ends by itself some minutes after its process; only other backends have lock files. */
export async function hasLockFiles(options: PulumiOptions): Promise<boolean> {
  const [, address = ""] = /Backend URL: *(\S+)/.exec(await pulumi(["whoami", "--verbose"], options)) ?? [];
  return !/^https?:/.test(address);
}

/** Never another stack's name, so the command below always fails: nothing is renamed. */
const probe = (stack: string) => ["stack", "rename", stack, "--stack", stack];

/**
 * The stack's locks. No command of the engine lists them. A rename of the stack to its own name reports them where there are
 * any, and is refused where there are none.
 *
 * @throws PulumiError when the stack can't be read
 */
export async function locksOf(stack: string, options: PulumiOptions): Promise<readonly Lock[]> {
  const { stderr } = await runPulumi(probe(stack), options);
  const locks = Array.from(
    stderr.matchAll(/^ *\S*?([^/\s]+)\.json(?:\?\S*)?: created by (.+)@(\S+) \(pid (\d+)\) at (\S+)$/gm),
    ([, id = "", user = "", host = "", pid, at = ""]) => ({
      id,
      user,
      host,
      process: Number(pid),
      since: Date.parse(at),
    }),
  );
  const isLocked = stderr.includes("currently locked");
  if (isLocked === locks.length > 0 && (isLocked || stderr.includes("already exists"))) return locks;
  throw new PulumiError(`The locks of stack ${stack} can't be read:\n${stderr.trim()}${wayOutOfDamage()}`);
}

export type Verdict = "own" | "gone" | "named" | "running" | "foreign";

/** Whose lock it is. Only a lock of a process that has ended is freed. */
export function judge(lock: Lock, { run, named, inCi }: Circumstances): Verdict {
  const isHere = lock.host === hostname();
  const isUp = isHere && isRunning(lock.process);
  // The engine writes whole seconds. What began later has only the id of the process that took the lock.
  // mutant running-lock-freed: false
  if (isUp && !(beganAt(lock.process) > lock.since + 1000)) return "running";
  if (named.includes(lock.id)) return "named";
  if (!isHere || isUp) return "foreign";
  // An older lock is of another container with the same name and process id.
  if (run !== undefined)
    return lock.process === run.process && lock.since >= Math.floor(run.noted / 1000) * 1000 ? "own" : "foreign";
  return inCi ? "foreign" : "gone";
}

export interface Circumstances {
  /** This job's own run. */
  readonly run: Run | undefined;
  /** Locks whose owner a person declares dead. */
  readonly named: readonly string[];
  /** Runners of pipelines share names of machines: there a missing process shows nothing. */
  readonly inCi: boolean;
}
