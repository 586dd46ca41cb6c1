import type { Command } from "@commander-js/extra-typings";
import { exitCodes } from "./output";

export interface CommandEntry {
  /** Its words and its arguments, as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  /** The exit code when the command could not run. Default: 2. */
  readonly couldNotRun?: number;
  /** Loads the options and the action, so that no command is slowed down by the others. */
  load(): (command: Command) => void;
}

/** The command's words. */
export function wordsOf({ usage }: CommandEntry): readonly string[] {
  return usage.split(" ").filter((word) => /^\w/.test(word));
}

export function isAsked(entry: CommandEntry, argv: readonly string[]): boolean {
  const asked = argv.filter((word) => !word.startsWith("-") && word !== "help" && word !== "complete");
  return wordsOf(entry).every((word, index) => asked[index] === word);
}

/** The exit code when the named command could not run. */
export function couldNotRun(argv: readonly string[]): number {
  return commands.find((each) => isAsked(each, argv))?.couldNotRun ?? exitCodes.couldNotRun;
}

/** Every command, in the order of the help. A new one is a file of its own and an entry here. */
export const commands: readonly CommandEntry[] = [
  {
    usage: "init [folder]",
    summary: "write a project that is ready to run",
    load: () => (require("./init") as typeof import("./init")).init,
  },
  {
    usage: "doctor",
    summary: "check Node, engine, plugin, key, addresses, clock and backend",
    load: () => (require("./doctor") as typeof import("./doctor")).doctor,
  },
  {
    usage: "smoke <endpointId>",
    summary: "run a job, and fail unless it succeeds",
    load: () => (require("./smoke") as typeof import("./smoke")).smoke,
  },
  {
    usage: "logs <endpointId>",
    summary: "show the logs of the endpoint's workers",
    load: () => (require("./logs") as typeof import("./logs")).logs,
  },
  {
    usage: "health <endpointId>",
    summary: "count the endpoint's jobs and workers",
    load: () => (require("./health") as typeof import("./health")).health,
  },
  {
    usage: "purge <endpointId>",
    summary: "remove the jobs that wait in the queue",
    load: () => (require("./purge") as typeof import("./purge")).purge,
  },
  {
    usage: "cost [file]",
    summary: "show what the resources of a preview cost a month, before and after",
    load: () => (require("./cost") as typeof import("./cost")).cost,
  },
  {
    usage: "plan [file]",
    summary: "compare the workers that a preview asks for with the account's quota",
    load: () => (require("./plan") as typeof import("./plan")).plan,
  },
  {
    usage: "budget",
    summary: "show what the month will cost by endpoint, and which workers to lower for a budget",
    load: () => (require("./budget") as typeof import("./budget")).budget,
  },
  {
    usage: "watch",
    summary: "serve metrics for Prometheus, and report what does not recover",
    load: () => (require("./watch") as typeof import("./watch")).watch,
  },
  {
    usage: "drift [pulumi...]",
    summary: "compare stacks with the service and print the drift",
    couldNotRun: 1,
    load: () => (require("./drift") as typeof import("./drift")).drift,
  },
  {
    usage: "orphans [ids...]",
    summary: "list the orphans of killed runs, and delete them on request",
    load: () => (require("./orphans") as typeof import("./orphans")).orphans,
  },
  {
    usage: "adopt",
    summary: "write a program that adopts the resources of the account",
    load: () => (require("./adopt") as typeof import("./adopt")).adopt,
  },
  {
    usage: "migrate [files...]",
    summary: "convert bodies of version 1, or another provider's state, for this provider",
    load: () => (require("./migrate") as typeof import("./migrate")).migrate,
  },
  {
    usage: "contract-check [file]",
    summary: "compare the service's schema with what this version sends and expects",
    load: () => (require("./contractCheck") as typeof import("./contractCheck")).contractCheck,
  },
  {
    usage: "verify",
    summary: "test on your account what this package assumes about the service",
    load: () => (require("./verify") as typeof import("./verify")).verify,
  },
  {
    usage: "plugin install",
    summary: "install the plugin of functions and native resources, for all projects",
    load: () => (require("./plugin") as typeof import("./plugin")).pluginInstall,
  },
  {
    usage: "emulator",
    summary: "start the service's emulator on this machine",
    load: () =>
      (require("../../tests/emulator/commandLine") as typeof import("../../tests/emulator/commandLine")).emulator,
  },
];
