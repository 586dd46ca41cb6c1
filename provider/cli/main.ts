#!/usr/bin/env node
import { exitCodes, print } from "./endpointCommand";

interface Command {
  /** What follows the command's name. */
  readonly usage: string;
  readonly summary: string;
  /** Loads the command, so that one is not slowed down by the others. */
  load(): (argv: string[]) => Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
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
  "contract-check": {
    usage: "[--base-url URL | FILE]",
    summary: "compare the service's schema with what this version sends and expects",
    load: () => (require("./contractCheck") as typeof import("./contractCheck")).contractCheck,
  },
};

const helpWords = new Set(["help", "--help", "-h"]);

const environment =
  "The key comes from COMPUTECLOUD_API_KEY, the addresses from COMPUTECLOUD_CLOUD, or from COMPUTECLOUD_BASE_URL,\n" +
  "COMPUTECLOUD_SERVERLESS_URL and COMPUTECLOUD_GRAPHQL_URL.\n" +
  "Exit codes: 0 done, 1 failed, 2 could not run.";

/** Runs the command that the arguments name. Commands of two words come before those of one. */
async function main(argv: string[]): Promise<number> {
  for (const words of [2, 1]) {
    const command = commands[argv.slice(0, words).join(" ")];
    if (command === undefined) continue;
    const rest = argv.slice(words);
    if (rest.includes("--help") || rest.includes("-h")) {
      print(usageOf(argv.slice(0, words).join(" "), command));
      return exitCodes.done;
    }
    return command.load()(rest);
  }
  const [first] = argv;
  if (first !== undefined && !helpWords.has(first)) throw new Error(`there is no command "${first}".\n\n${help()}`);
  print(help());
  return first === undefined ? exitCodes.couldNotRun : exitCodes.done;
}

function help(): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${usageOf(name, command)}`);
  return `computecloud <command>\n\n${lines.join("\n")}\n\n${environment}`;
}

function usageOf(name: string, { usage, summary }: Command): string {
  return `${name} ${usage}\n      ${summary}`;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`computecloud: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = exitCodes.couldNotRun;
  },
);
