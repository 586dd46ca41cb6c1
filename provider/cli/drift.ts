import type { Command } from "@commander-js/extra-typings";
import type { Client } from "../client";
import { driftIn, orphansOf } from "../drift/drift";
import { type Place, recordedIn, refreshingPreview, resourcesOf } from "../drift/refreshingPreview";
import { asMarkdown, asText, type DriftReport, isClean } from "../drift/render";
import { explain, jsonOption } from "./help";
import { readJson } from "./input";
import { print, printJson } from "./output";
import { interruptible, withClient } from "./withClient";

/** As of commands that compare, such as `terraform plan`: a pipeline tells drift apart from a run that failed. */
const DRIFT = 2;

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function drift(command: Command): void {
  explain(command, {
    examples: [
      "drift --stack prod",
      "drift --stack prod --stack staging --orphans --markdown > report.md",
      "drift --stack prod --json -- --run-program",
    ],
    codes: ["0  no drift", "1  could not run", "2  drift, or orphans"],
    connects: true,
  });
  command
    .description(
      "Compares stacks with the service, by Pulumi's refreshing preview, and prints what differs and what is gone. Nothing is written.",
    )
    .argument("[pulumi...]", "further arguments of pulumi refresh, after --")
    .option("--stack <name>", "a stack, several times for several; the selected one unless named", collect)
    .option("--cwd <folder>", "the folder of the Pulumi project", ".")
    .option("--orphans", "also what is in the account under a name of this package's making, and in no state given")
    .option("--state <file>", "a further state for --orphans, as pulumi stack export prints it; several times", collect)
    .option("--markdown", "print an issue's text")
    .option(...jsonOption)
    .action(async (further, { stack, cwd, orphans, state: files, markdown, json }) => {
      const [first] = further;
      if (first !== undefined && !first.startsWith("-"))
        throw new Error(`pulumi refresh takes no argument "${first}"; name a stack with --stack ${first}`);
      if (files !== undefined && !orphans) throw new Error("--state needs --orphans");
      const given = await Promise.all((files ?? []).map(async (file) => resourcesOf(await readJson(file), file)));
      const compare = async (signal: AbortSignal, client?: Client): Promise<DriftReport> => {
        const places = (stack ?? [undefined]).map((each): Place => ({ stack: each, folder: cwd, signal }));
        const stacks: DriftReport["stacks"][number][] = [];
        // One after another: they may share a project, whose engine locks.
        for (const place of places)
          stacks.push({ stack: place.stack, drifted: driftIn(await refreshingPreview(place, further)) });
        if (client === undefined) return { stacks, orphans: undefined };
        const recorded = await Promise.all(places.map(recordedIn));
        return { stacks, orphans: await orphansOf(client, [...given, ...recorded], signal) };
      };
      const report = await (orphans
        ? withClient((client, signal) => compare(signal, client))
        : interruptible((signal) => compare(signal)));
      if (json) printJson(report);
      else print(markdown ? asMarkdown(report) : asText(report));
      if (!isClean(report)) process.exitCode = DRIFT;
    });
}
