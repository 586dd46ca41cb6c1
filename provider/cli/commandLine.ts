import { printable } from "../client/printable";
import { exitCodes, print, toleratesClosing } from "./output";

const { version } = require("pulumi-computecloud/package.json") as { version: string };

interface Command {
  /** What follows the command's name. */
  readonly usage: string;
  readonly summary: string;
  /** Whether it answers `--help` itself, at length. */
  readonly explainsItself?: true;
  /** Loads the command, so that one is not slowed down by the others. */
  load(): (argv: string[]) => Promise<number>;
}

const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({
    smoke: {
      usage: "<endpointId> --input FILE|JSON [--expect FILE|JSON] [--timeout 3m] [--retries N] [--json]",
      summary: "run a job and fail when it does not go well",
      load: () => (require("./smoke") as typeof import("./smoke")).smoke,
    },
    logs: {
      usage: "<endpointId> [--worker ID] [--tail N] [--follow] [--json]",
      summary: "show the logs of the endpoint's workers",
      load: () => (require("./logs") as typeof import("./logs")).logs,
    },
    health: {
      usage: "<endpointId> [--json]",
      summary: "count the endpoint's jobs and workers",
      load: () => (require("./health") as typeof import("./health")).health,
    },
    purge: {
      usage: "<endpointId> [--json]",
      summary: "remove the jobs that wait in the queue",
      load: () => (require("./purge") as typeof import("./purge")).purge,
    },
    "plugin install": {
      usage: "",
      summary: "install the plugin that answers functions, for all projects",
      load: () => (require("./plugin") as typeof import("./plugin")).pluginInstall,
    },
    migrate: {
      usage: "FILE... [--kind KIND]",
      summary:
        "turn bodies and calls of the service's version 1 (JSON files, or -) into arguments and calls of version 2",
      load: () => (require("./migrate") as typeof import("./migrate")).migrateFiles,
    },
    "contract-check": {
      usage: "[--base-url URL | FILE]",
      summary: "compare the service's schema with what this version sends and expects; needs no key",
      load: () => (require("./contractCheck") as typeof import("./contractCheck")).contractCheck,
    },
    emulator: {
      usage: "[--port N] [--api-key KEY] [--latency-ms N] [--data FILE]",
      summary: "start the service's emulator on this machine",
      explainsItself: true,
      load: () =>
        (require("../../tests/emulator/commandLine") as typeof import("../../tests/emulator/commandLine")).emulator,
    },
  }),
);

const helpWords: ReadonlySet<string | undefined> = new Set(["help", "--help", "-h"]);
const versionWords: ReadonlySet<string | undefined> = new Set(["version", "--version", "-v"]);

const environment =
  "The key comes from COMPUTECLOUD_API_KEY, the addresses from COMPUTECLOUD_CLOUD, or from COMPUTECLOUD_BASE_URL,\n" +
  "COMPUTECLOUD_SERVERLESS_URL and COMPUTECLOUD_GRAPHQL_URL.\n" +
  "Exit codes: 0 done, 1 failed, 2 could not run.";

/** Runs the command line to its end. */
export function run(argv: string[]): void {
  toleratesClosing(process.stdout, process.stderr);
  command(argv).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      process.stderr.write(`pulumi-computecloud: ${printable(message)}\n`);
      process.exitCode = exitCodes.couldNotRun;
    },
  );
}

/** Runs the command that the arguments name. Commands of two words come before those of one. */
async function command(argv: string[]): Promise<number> {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(" ");
    const command = commands.get(name);
    if (command === undefined) continue;
    const rest = argv.slice(words);
    if (rest.includes("--version")) return said(version);
    if (!command.explainsItself && (rest.includes("--help") || rest.includes("-h")))
      return said(usageOf(name, command));
    return command.load()(rest);
  }
  const [first] = argv;
  if (versionWords.has(first)) return said(version);
  if (first !== undefined && !helpWords.has(first)) throw new Error(`there is no command "${first}".\n\n${help()}`);
  print(help());
  return first === undefined ? exitCodes.couldNotRun : exitCodes.done;
}

function said(text: string): number {
  print(text);
  return exitCodes.done;
}

function help(): string {
  const lines = [...commands].map(([name, command]) => `  ${usageOf(name, command)}`);
  return `pulumi-computecloud <command>\n\n${lines.join("\n")}\n\n${environment}`;
}

function usageOf(name: string, { usage, summary }: Command): string {
  return `${name} ${usage}\n      ${summary}`;
}
