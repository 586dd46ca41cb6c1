import type { Command } from "@commander-js/extra-typings";
import { pulumi } from "../../provider/engine/pulumiCommand";
import { exitCodes, explain, jsonOption, print, printJson } from "../output";
import { quoted } from "../project";
import { interruptible } from "../withClient";
import { hasLockFiles, judge, type Lock, locksOf, runIn, type Verdict } from "./locks";

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
