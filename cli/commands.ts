import type { Command } from "@commander-js/extra-typings";

export interface CommandEntry {
  /** Its words and its arguments, as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  /** Loads the options and the action, so that no command is slowed down by the others. */
  load(): (command: Command) => void;
}

export function wordsOf({ usage }: CommandEntry): readonly string[] {
  return usage.split(" ").filter((word) => /^\w/.test(word));
}

export function isAsked(entry: CommandEntry, argv: readonly string[]): boolean {
  const words = argv.filter((word) => !word.startsWith("-") && word !== "help" && word !== "complete");
  return wordsOf(entry).every((word, index) => words[index] === word);
}

/** Every command, in the order of the help. A new one is a file of its own and an entry here. */
export const commands: readonly CommandEntry[] = [
  {
    usage: "init [folder]",
    summary: "write a project that is ready to run",
    load: () => (require("./init/command") as typeof import("./init/command")).init,
  },
  {
    usage: "doctor",
    summary: "check Node, engine, plugin, key, addresses, clock and backend",
    load: () => (require("./doctor/command") as typeof import("./doctor/command")).doctor,
  },
  {
    usage: "smoke <endpointId>",
    summary: "run a job, and fail unless it succeeds",
    load: () => (require("./queue/smoke") as typeof import("./queue/smoke")).smoke,
  },
  {
    usage: "logs <endpointId>",
    summary: "show the logs of the endpoint's workers",
    load: () => (require("./queue/logs") as typeof import("./queue/logs")).logs,
  },
  {
    usage: "health <endpointId>",
    summary: "count the endpoint's jobs and workers",
    load: () => (require("./queue/health") as typeof import("./queue/health")).health,
  },
  {
    usage: "purge <endpointId>",
    summary: "remove the jobs that wait in the queue",
    load: () => (require("./queue/purge") as typeof import("./queue/purge")).purge,
  },
  {
    usage: "cost [file]",
    summary: "show what the resources of a preview cost a month, before and after",
    load: () => (require("./money/costCommand") as typeof import("./money/costCommand")).cost,
  },
  {
    usage: "plan [file]",
    summary: "compare the workers that a preview asks for with the account's quota",
    load: () => (require("./money/plan") as typeof import("./money/plan")).plan,
  },
  {
    usage: "budget",
    summary: "show what the month will cost by endpoint, and which workers to lower for a budget",
    load: () => (require("./money/budget") as typeof import("./money/budget")).budget,
  },
  {
    usage: "watch",
    summary: "serve metrics for Prometheus, and report what does not recover",
    load: () => (require("./watch/command") as typeof import("./watch/command")).watch,
  },
  {
    usage: "drift [pulumi...]",
    summary: "compare stacks with the service and print the drift",
    load: () => (require("./drift/command") as typeof import("./drift/command")).drift,
  },
  {
    usage: "unlock [locks...]",
    summary: "free a stack that a dead run left locked, and no other",
    load: () => (require("./unlock/command") as typeof import("./unlock/command")).unlock,
  },
  {
    usage: "orphans [ids...]",
    summary: "list the orphans of killed runs, and delete them on request",
    load: () => (require("./drift/orphansCommand") as typeof import("./drift/orphansCommand")).orphans,
  },
  {
    usage: "adopt",
    summary: "write a program that adopts the resources of the account",
    load: () => (require("./adopt/command") as typeof import("./adopt/command")).adopt,
  },
  {
    usage: "migrate [files...]",
    summary: "convert bodies of version 1, or another provider's state, for this provider",
    load: () => (require("./migrate/command") as typeof import("./migrate/command")).migrate,
  },
  {
    usage: "verify",
    summary: "test on your account what this package assumes about the service",
    load: () => (require("./verify/command") as typeof import("./verify/command")).verify,
  },
  {
    usage: "plugin install",
    summary: "install the plugin of functions and native resources, for all projects",
    load: () => (require("./plugin/command") as typeof import("./plugin/command")).pluginInstall,
  },
  {
    usage: "emulator",
    summary: "start the service's emulator on this machine",
    load: () => (require("../emulator/commandLine") as typeof import("../emulator/commandLine")).emulator,
  },
];
