import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { badRequest } from "../problem";

/** A container's command in the two lists that an image has as well. */
export interface Command {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
}

/** What a body says of a command. */
interface Sent {
  readonly args?: string | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  readonly cmd?: readonly string[] | undefined;
}

const words = z.array(z.string());
const stored = z.strictObject({ entrypoint: words.optional(), cmd: words.optional() });

/** The two lists that are kept in `args`: as JSON, or as a shell line, which is the second alone. */
export function commandIn(args: string): { entrypoint: string[]; cmd: string[] } {
  const lists = stored.safeParse(jsonIn(args));
  if (lists.success) return { entrypoint: lists.data.entrypoint ?? [], cmd: lists.data.cmd ?? [] };
  return { entrypoint: [], cmd: shellWords(args) };
}

/** What a body makes of `args`; undefined where it says nothing of a command. */
export function argsFrom({ args, entrypoint, cmd }: Sent, before: string): string | undefined {
  if (entrypoint === undefined && cmd === undefined) return args;
  const base = commandIn(args ?? before);
  const command: Command = { entrypoint: entrypoint ?? base.entrypoint, cmd: cmd ?? base.cmd };
  if (args === undefined) return encoded(command);
  if (!isDeepStrictEqual(command, base))
    throw badRequest("args contradicts entrypoint and cmd: send one of the two forms");
  return args;
}

function encoded({ entrypoint, cmd }: Command): string {
  const lists = { ...(entrypoint.length > 0 && { entrypoint }), ...(cmd.length > 0 && { cmd }) };
  return Object.keys(lists).length === 0 ? "" : JSON.stringify(lists);
}

function jsonIn(text: string): unknown {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The words of a shell line; quotes keep blanks together. */
function shellWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g), ([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'|\\(.)/g,
      (_, double = "", single = "", escaped = "") => double + single + escaped,
    ),
  );
}
