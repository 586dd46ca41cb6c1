import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import type { Command } from "@commander-js/extra-typings";
import { beganAt, isRunning } from "../../common/isRunning";
import { wayOutOfDamage } from "../../provider/engine/damagedStates";
import { PulumiError, type PulumiOptions, pulumi, runPulumi } from "../../provider/engine/pulumiCommand";
import { readNamed } from "../input";
import { exitCodes, explain, jsonOption, print, printJson } from "../output";
import { quoted } from "../project";
import { interruptible } from "../withClient";

const FREED: Readonly<Partial<Record<Verdict, string>>> = {
  own: "freed, because it was this run's own",
  gone: "freed, because its process on this machine has ended",
  named: "freed, because it was named",
};

export function unlock(command: Command): void {
  explain(command, {
    examples: ["unlock", "unlock --run up.pid", "unlock 7d6d1f0e-2f3c-4f2b-9c55-0d6a4e6d1c11 --stack prod"],
    fails: "a lock remains",
    connects: false,
  });
  command
    .description(
      "Frees a stack that a dead run left locked, where `pulumi cancel` would also free the lock of a run that is under way. " +
        "Frees only locks of this run, of ended processes on this machine, and those that are named.",
    )
    .argument("[locks...]", "ids of locks whose runs have ended for certain, on whatever machine")
    .option("--run <file>", 'free only the lock of this process: echo "$$" > FILE; exec pulumi up --yes')
    .option("--stack <name>", "the stack; the selected one unless named")
    .option("--cwd <folder>", "the folder of the Pulumi project", ".")
    .option(...jsonOption)
    .action(async (named, { run: file, stack, cwd: folder, json }) => {
      const report = await interruptible(async (signal): Promise<Report> => {
        const options = { folder, signal };
        const run = file === undefined ? undefined : await runIn(file);
        if (file !== undefined && run === undefined)
          return { locks: [], note: "The update had not begun: nothing to free." };
        if (!(await hasLockFiles(options)))
          return { locks: [], note: "Pulumi Cloud frees a stack by itself some minutes after its run has ended." };
        const name = stack ?? (await pulumi(["stack", "--show-name"], options)).trim();
        const locks = (await locksOf(name, options)).map((lock) => ({
          ...lock,
          verdict: judge(lock, { run, named, inCi: Boolean(process.env.CI) }),
        }));
        // `pulumi cancel` deletes every lock of the stack.
        const isFreed = locks.length > 0 && locks.every(({ verdict }) => FREED[verdict] !== undefined);
        if (isFreed) await pulumi(["cancel", name, "--yes"], options);
        const all = locks.map((lock) => ({ ...lock, since: new Date(lock.since).toISOString(), freed: isFreed }));
        return { stack: name, locks: all, ...(locks.length === 0 && { note: `Stack ${name} is not locked.` }) };
      });
      if (json) printJson(report);
      else print(report.note ?? linesOf(report, folder).join("\n"));
      if (report.locks.some(({ freed }) => !freed)) process.exitCode = exitCodes.failed;
    });
}

type Shown = Omit<Lock, "since"> & { readonly since: string; readonly verdict: Verdict; readonly freed: boolean };

interface Report {
  readonly stack?: string;
  readonly locks: readonly Shown[];
  readonly note?: string;
}

function linesOf({ stack = "", locks }: Report, folder: string): string[] {
  // Of several locks, each of which keeps the stack locked, one alone is not freed.
  const named = locks.flatMap(({ id, verdict }) => (verdict === "running" ? [] : [id]));
  const place = `--stack ${quoted(stack)}${folder === "." ? "" : ` --cwd ${quoted(folder)}`}`;
  const wayOut = `npx pulumi-computecloud unlock ${named.join(" ")} ${place}`;
  return locks.map(({ id, user, host, process: pid, since, verdict, freed }) => {
    const lock = `Lock ${id} of ${user}@${host}, process ${pid}, since ${since}`;
    if (freed) return `${lock}: ${FREED[verdict]}.`;
    if (verdict === "running") return `${lock}: stays, because its process is running. Wait for its end.`;
    return `${lock}: stays, because its run may be under way. If that has ended for certain: ${wayOut}`;
  });
}

/** A lock of a stack in a file, a bucket or a database, as the engine describes it. */
interface Lock {
  /** The name of its file, by which a person names it. */
  readonly id: string;
  readonly user: string;
  readonly host: string;
  readonly process: number;
  /** When it was taken, in milliseconds, to the second. */
  readonly since: number;
}

/** The process that ran `pulumi up`. */
interface Run {
  readonly process: number;
  /** When it noted its id, before it took the lock. */
  readonly noted: number;
}

/** The run whose shell wrote its id into this file, and then became `pulumi up`; undefined if it never did. */
async function runIn(file: string): Promise<Run | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return undefined;
  const id = Number((await readNamed(file)).trim());
  if (!Number.isInteger(id) || id <= 0)
    throw new RangeError(`${file} has no process id. Write it before \`pulumi up\`: echo "$$" > ${file}`);
  return { process: id, noted: info.mtimeMs };
}

/** In Pulumi Cloud a lock ends by itself some minutes after its process; only other backends have lock files. */
async function hasLockFiles(options: PulumiOptions): Promise<boolean> {
  const [, address = ""] = /Backend URL: *(\S+)/.exec(await pulumi(["whoami", "--verbose"], options)) ?? [];
  return !/^https?:/.test(address);
}

/**
 * The stack's locks. No command of the engine lists them. A rename of the stack to its own name reports them where there are
 * any, and is refused where there are none. It never succeeds, so nothing is renamed.
 *
 * @throws PulumiError when the stack can't be read
 */
async function locksOf(stack: string, options: PulumiOptions): Promise<readonly Lock[]> {
  const { stderr } = await runPulumi(["stack", "rename", stack, "--stack", stack], options);
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

type Verdict = "own" | "gone" | "named" | "running" | "foreign";

/** Whose lock it is. Only a lock of a process that has ended is freed. */
function judge(lock: Lock, { run, named, inCi }: Circumstances): Verdict {
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

interface Circumstances {
  /** This job's own run. */
  readonly run: Run | undefined;
  /** Locks whose owner a person declares dead. */
  readonly named: readonly string[];
  /** Runners of pipelines share names of machines: there a missing process shows nothing. */
  readonly inCi: boolean;
}
