import { isRecord, parseJson } from "../../common/json";
import { z } from "../../common/zod";
import type { CheckFailure } from "../lifecycle/definition";
import type { Properties } from "../lifecycle/fields/values";

/*
 * The service stores one text, `args`: a shell line, or the two lists of a command as JSON. A program declares one of the
 * two forms, and a read shows the command in that form.
 */

const words = z.array(z.string());
const entrypoint = words.describe("In place of the image's entry point, word by word. Not together with `args`.");
const cmd = words.describe("In place of the image's command, word by word. Not together with `args`.");

export const commandFields = { entrypoint: entrypoint.default([]), cmd: cmd.default([]) };

/** The command's fields for a kind that a template may fill in. */
export const templatedCommandFields = {
  entrypoint: entrypoint.optional().describe(`${entrypoint.description} Default: the template's, or the image's own.`),
  cmd: cmd.optional().describe(`${cmd.description} Default: the template's, or the image's own.`),
};

/** The arguments of a command, which is stored as one text. */
export const COMMAND = ["args", "entrypoint", "cmd"] as const;

/** Defaults of a command without a template. */
export const COMMAND_DEFAULTS = { args: "", entrypoint: [], cmd: [] };

/** A command as it is declared, sent or shown. */
export interface Command {
  readonly args?: string | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  readonly cmd?: readonly string[] | undefined;
}

/** Whether the two lists are declared. With a template, an empty list counts too: it restores the image's own. */
function hasLists({ args, entrypoint, cmd }: Command): boolean {
  const lists = [entrypoint, cmd].filter((list) => list !== undefined);
  return lists.some((list) => list.length > 0) || (args === undefined && lists.length > 0);
}

export function oneCommand(command: Command): CheckFailure[] {
  if (!command.args || !hasLists(command)) return [];
  return [{ property: "args", reason: "can't be combined with entrypoint and cmd; remove it, or the two" }];
}

/** Arguments with the command in the form of a request: `args` or the two lists. */
export function sendable<Inputs extends Command>(inputs: Inputs): Inputs {
  if (hasLists(inputs)) return { ...inputs, args: undefined };
  return { ...inputs, entrypoint: undefined, cmd: undefined };
}

/**
 * A container's command in the form that is declared. If none is declared, it is the form in which the service stores it.
 */
export function shownCommand(live: Command, { args, entrypoint, cmd }: Properties): Required<Command> {
  const declared = {
    args: typeof args === "string" ? args : undefined,
    entrypoint: listIn(entrypoint),
    cmd: listIn(cmd),
  };
  const stored = storedLists(live.args);
  const asLists = hasLists(declared) || (declared.args === undefined && stored !== undefined);
  if (!asLists) return { args: live.args, entrypoint: [], cmd: [] };
  return { args: "", entrypoint: live.entrypoint ?? stored?.entrypoint ?? [], cmd: live.cmd ?? stored?.cmd ?? [] };
}

const listIn = (value: unknown): string[] | undefined => words.safeParse(value).data;

/** The two lists in a stored text; undefined if the text is a shell line. */
function storedLists(args = ""): Pick<Command, "entrypoint" | "cmd"> | undefined {
  const value = args.startsWith("{") ? parseJson(args) : undefined;
  if (!isRecord(value)) return undefined;
  return z.strictObject({ entrypoint: words.optional(), cmd: words.optional() }).safeParse(value).data;
}
