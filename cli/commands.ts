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

/** By their usage, in the order of the help. A new command is a file of its own and an entry here. */
const entries: Readonly<Record<string, Omit<CommandEntry, "usage">>> = {
  "init [folder]": {
    summary: "write a project that is ready to run",
    load: () => (require("./init/command") as typeof import("./init/command")).init,
  },
  doctor: {
    summary: "check Node, engine, plugin, key, addresses, clock and backend",
    load: () => (require("./doctor/command") as typeof import("./doctor/command")).doctor,
  },
  "smoke <endpointId>": {
    summary: "run a job, and fail unless it succeeds",
    load: () => (require("./queue/smoke") as typeof import("./queue/smoke")).smoke,
  },
  "logs <endpointId>": {
    summary: "show the logs of the endpoint's workers",
    load: () => (require("./queue/logs") as typeof import("./queue/logs")).logs,
  },
  "health <endpointId>": {
    summary: "count the endpoint's jobs and workers",
    load: () => (require("./queue/health") as typeof import("./queue/health")).health,
  },
  "purge <endpointId>": {
    summary: "remove the jobs that wait in the queue",
    load: () => (require("./queue/purge") as typeof import("./queue/purge")).purge,
  },
  "cost [file]": {
    summary: "show what the resources of a preview cost a month, before and after",
    load: () => (require("./money/costCommand") as typeof import("./money/costCommand")).cost,
  },
  "plan [file]": {
    summary: "compare the workers that a preview asks for with the account's quota",
    load: () => (require("./money/plan") as typeof import("./money/plan")).plan,
  },
  budget: {
    summary: "show what the month will cost by endpoint, and which workers to lower for a budget",
    load: () => (require("./money/budget") as typeof import("./money/budget")).budget,
  },
  watch: {
    summary: "serve metrics for Prometheus, and report what does not recover",
    load: () => (require("./watch/command") as typeof import("./watch/command")).watch,
  },
  "drift [pulumi...]": {
    summary: "compare stacks with the service and print the drift",
    load: () => (require("./drift/command") as typeof import("./drift/command")).drift,
  },
  "unlock [locks...]": {
    summary: "free a stack that a dead run left locked, and no other",
    load: () => (require("./unlock/command") as typeof import("./unlock/command")).unlock,
  },
  "orphans [ids...]": {
    summary: "list the orphans of killed runs, and delete them on request",
    load: () => (require("./drift/orphansCommand") as typeof import("./drift/orphansCommand")).orphans,
  },
  adopt: {
    summary: "write a program that adopts the resources of the account",
    load: () => (require("./adopt/command") as typeof import("./adopt/command")).adopt,
  },
  "migrate [files...]": {
    summary: "convert bodies of version 1, or another provider's state, for this provider",
    load: () => (require("./migrate/command") as typeof import("./migrate/command")).migrate,
  },
  verify: {
    summary: "test on your account what this package assumes about the service",
    load: () => (require("./verify/command") as typeof import("./verify/command")).verify,
  },
  "plugin install": {
    summary: "install the plugin of functions and native resources, for all projects",
    load: () => (require("./plugin/command") as typeof import("./plugin/command")).pluginInstall,
  },
  emulator: {
    summary: "start the service's emulator on this machine",
    load: () => (require("../emulator/commandLine") as typeof import("../emulator/commandLine")).emulator,
  },
};

export const commands: readonly CommandEntry[] = Object.entries(entries).map(([usage, entry]) => ({ usage, ...entry }));
