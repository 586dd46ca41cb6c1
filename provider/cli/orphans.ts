import type { Command } from "@commander-js/extra-typings";
import { messageOf } from "../client/text/messageOf";
import { printableLine } from "../client/text/printable";
import type { Orphan } from "../drift/drift";
import { certain, chosen, deleteOrphans, findOrphans, journalOf, type Orphans, statesOf } from "../drift/orphans";
import { resourcesOf } from "../drift/refreshingPreview";
import type { Context } from "../lifecycle/definition";
import { describeRemains, type Remains } from "../lifecycle/remains";
import { withContext } from "./adopt";
import { agree } from "./agree";
import { explain, jsonOption } from "./help";
import { readJson } from "./input";
import { exitCodes, print, printJson } from "./output";
import { Progress } from "./progress";

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function orphans(command: Command): void {
  explain(command, {
    examples: ["orphans", "orphans --delete", "orphans --delete --yes --json", "orphans --delete xedezhzb9la3ye"],
    fails: "something is in no state, and still there",
    connects: true,
  });
  command
    .description(
      "Lists what runs that were killed have left, and what else is in the account under a name of this package's making " +
        "and in no state; deletes it on request. Works where the stack is empty or gone.",
    )
    .argument("[ids...]", "with --delete: these, whatever is known of them")
    .option("--cwd <folder>", "the folder of the Pulumi project, all of whose stacks are compared", ".")
    .option("--state <file>", "a further state, as pulumi stack export prints it; several times", collect)
    .option("--delete", "delete what runs of this folder's program have left on this machine, after a question")
    .option("--yes", "don't ask")
    .option(...jsonOption)
    .action(async (ids, { cwd, state: files, delete: remove, yes, json }) => {
      if (!remove && (ids.length > 0 || yes)) throw new Error(`${yes ? "--yes" : "an id"} needs --delete`);
      if (remove && !yes && !process.stdin.isTTY)
        throw new Error("--delete asks before it deletes, and there is no terminal to ask at: add --yes");
      const given = await Promise.all((files ?? []).map(async (file) => resourcesOf(await readJson(file), file)));
      await withContext(async (context) => {
        const journal = journalOf(cwd);
        const found = await findOrphans(context, journal, [...given, ...(await statesOf(cwd, context.signal))]);
        const wanted = !remove ? [] : ids.length > 0 ? chosen(found, ids) : certain(found);
        if (!json) print(asText(found));
        const agreed = wanted.length > 0 && (yes === true || (await isAgreed(wanted, context.signal)));
        const outcome = agreed ? await removed(context, wanted, json === true) : { deleted: [], failed: [] };
        const gone = new Set(outcome.deleted.map(({ id }) => id));
        for (const { seed, ids: left, mayComeUpUntil } of remove ? found.left : []) {
          // Nothing came of it, or nothing is left of that.
          if (mayComeUpUntil === undefined && left.every((id) => gone.has(id))) journal.end(seed);
        }
        if (json) printJson({ ...found, ...outcome });
        else if (remove) print(outcomeOf(outcome));
        const isLeft = (each: Remains) => each.mayComeUpUntil !== undefined || each.ids.some((id) => !gone.has(id));
        if (found.left.some(isLeft) || found.named.some(({ id }) => !gone.has(id))) process.exitCode = exitCodes.failed;
        if (outcome.failed.length > 0) process.exitCode = exitCodes.couldNotRun;
      });
    });
}

interface Outcome {
  readonly deleted: readonly Orphan[];
  readonly failed: readonly (Orphan & { readonly reason: string })[];
}

async function removed(context: Context, wanted: readonly Orphan[], quiet: boolean): Promise<Outcome> {
  const progress = new Progress(quiet);
  const log = { ...context.log, status: (subject: string, message: string) => progress.show(subject, message) };
  const deleted: Orphan[] = [];
  try {
    const failures = await deleteOrphans({ ...context, log }, wanted, (orphan) => {
      deleted.push(orphan);
      progress.show("Deleting", `${deleted.length} of ${wanted.length}`);
    });
    const failed = wanted.filter(({ id }) => failures.has(id));
    return { deleted, failed: failed.map((each) => ({ ...each, reason: messageOf(failures.get(each.id)) })) };
  } finally {
    progress.end();
  }
}

function isAgreed(wanted: readonly Orphan[], signal: AbortSignal): Promise<boolean> {
  return agree(`Delete for good:\n  ${wanted.map(lineOf).join("\n  ")}\n`, signal);
}

function asText({ left, underWay, named }: Orphans): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Left by a run that was killed, and in no state:", left.map(describeRemains).filter((line) => line !== undefined)],
    ["Being made by a run that is under way:", underWay.map(({ kind, name }) => `${kind} "${name}"`)],
    [
      "In no state of this project's stacks, and named as by this package. Others may have made it: delete by its id what " +
        "you know to be yours:",
      named.map(lineOf),
    ],
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  if (shown.length === 0) return "No orphans";
  return shown
    .map(([title, lines]) => [title, ...lines.map((line) => `  ${printableLine(line)}`)].join("\n"))
    .join("\n\n");
}

function outcomeOf({ deleted, failed }: Outcome): string {
  const lines = failed.map((each) => printableLine(`${lineOf(each)} is still there: ${each.reason}`));
  return [`Deleted ${deleted.length}.`, ...lines].join("\n");
}

function lineOf({ kind, id, name }: Orphan): string {
  return printableLine(`${kind} ${id} "${name}"`);
}
