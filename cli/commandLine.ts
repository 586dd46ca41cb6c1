import type { CommandUnknownOpts, HelpConfiguration } from "@commander-js/extra-typings";
import { looksSecret } from "../common/looksSecret";
import { messageOf } from "../common/messageOf";
import { hide, hideKey } from "../common/redact";
import { commands, isAsked, wordsOf } from "./commands";
import { exitCodes, print, printJson, report, term, title, watchOutput } from "./output";

const { Command, CommanderError, Help } = require("commander") as typeof import("@commander-js/extra-typings");
const { version } = require("pulumi-computecloud/package.json") as { version: string };

const NAME = "pulumi-computecloud";

const style: HelpConfiguration = {
  subcommandTerm: (command) => [...pathOf(command), command.usage().replace("[options]", "").trim()].join(" ").trim(),
  styleTitle: title,
  styleSubcommandTerm: term,
  styleOptionTerm: term,
  styleArgumentTerm: term,
};

export async function run(argv: readonly string[]): Promise<void> {
  watchOutput();
  try {
    await commandLine(argv).parseAsync(argv, { from: "user" });
  } catch (error) {
    hideKey(process.env.COMPUTECLOUD_API_KEY ?? "");
    // Commander ends help and version with exit code 0. It has printed its own errors already.
    const isPrinted = error instanceof CommanderError;
    if (isPrinted && error.exitCode === 0) return;
    if (!isPrinted) report(`${NAME}: ${messageOf(error)}`);
    if (argv.includes("--json")) printJson({ error: errorDocument(error) });
    process.exitCode = exitCodes.couldNotRun;
  }
}

/** What a message about wrong arguments must not quote, such as a key that was pasted as one. */
function secretsOfArgument(argument: string): string[] {
  const [name = "", ...rest] = argument.split("=");
  const value = rest.join("=");
  return [looksSecret(value, name) ? value : [], looksSecret(name) ? name : []].flat();
}

/** @returns what `--json` prints of a command that could not run */
function errorDocument(error: unknown): object {
  const message = messageOf(error).replace(/^error: /, "");
  if (!(error instanceof Error)) return { message };
  return { name: error.name, message, ...("status" in error && { httpStatus: error.status }) };
}

/** All commands by name and summary. Only the one that the arguments name gets its options and action. */
function commandLine(argv: readonly string[]): CommandUnknownOpts {
  const program: CommandUnknownOpts = new Command(NAME)
    .description("Tools beside a Pulumi program: smoke jobs, logs, migrations, an emulator of the service.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "explain a command")
    .showHelpAfterError(`${NAME} --help names every command; ${NAME} help <command> explains one.`)
    .addHelpText("after", "\nExit codes of every command: 0 done, 1 it ran and found a failure, 2 could not run.")
    .configureHelp(style)
    .exitOverride()
    .configureOutput({
      outputError: (text) => {
        // mutant pasted-key-shown: gone
        hide(...argv.flatMap(secretsOfArgument));
        report(text.replace(/^error: /, `${NAME}: `).trimEnd());
      },
    });

  for (const entry of commands) {
    const { usage, summary, load } = entry;
    const words = wordsOf(entry);
    const [name = "", group] = [...words].reverse();
    const parent = group === undefined ? program : groupOf(program, group);
    const command = parent.command(name).summary(summary).description(summary);
    if (isAsked(entry, argv)) load()(command);
    else if (usage !== words.join(" ")) command.arguments(usage.slice(words.join(" ").length + 1));
  }
  program
    .command("version")
    .summary("print the version")
    .action(() => print(version));
  // Completion needs the commands as a tree, so it comes before the help flattens them to a list.
  if (argv[0] === "complete" || argv[0] === "completion") addCompletion(program);
  else program.command("completion <shell>");
  program.commands
    .find((each) => each.name() === "completion")
    ?.summary("print the script that completes commands in a shell");
  return program.configureHelp({
    ...style,
    visibleCommands: (command) => new Help().visibleCommands(command).flatMap(leaves),
  });
}

/** Loaded only for its own commands: it is an ECMAScript module, which Yarn's Plug'n'Play can't require. */
function addCompletion(program: CommandUnknownOpts): void {
  const { default: tab } = require("@bomb.sh/tab/commander") as {
    default(program: CommandUnknownOpts, options: { completionCommandName: string }): void;
  };
  tab(program, { completionCommandName: "completion" });
}

function groupOf(program: CommandUnknownOpts, name: string): CommandUnknownOpts {
  return (
    program.commands.find((each) => each.name() === name) ?? program.command(name).summary(`commands of the ${name}`)
  );
}

function leaves(command: CommandUnknownOpts): readonly CommandUnknownOpts[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

/** A command's words, without the program's own name. */
function pathOf(command: CommandUnknownOpts): readonly string[] {
  if (command.parent === null) return command.name() === NAME ? [] : [command.name()];
  return [...pathOf(command.parent), command.name()];
}
