import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { jsonOrText } from "../json";
import { badRequest } from "../problem";

/** The command fields of a body: one text, or two lists as in an image. */
interface Sent {
  readonly args?: string | undefined;
  readonly entrypoint?: readonly string[] | undefined;
  readonly cmd?: readonly string[] | undefined;
}

const words = z.array(z.string());
const stored = z.strictObject({ entrypoint: words.optional(), cmd: words.optional() });

/** The two lists that are stored in `args`: as JSON, or as a shell line, which is `cmd` alone. */
export function commandIn(args: string): { entrypoint: string[]; cmd: string[] } {
  const lists = stored.safeParse(jsonOrText(args));
  if (lists.success) return { entrypoint: lists.data.entrypoint ?? [], cmd: lists.data.cmd ?? [] };
  return { entrypoint: [], cmd: shellWords(args) };
}

/** The new `args` by a body; undefined if the body has no command. */
export function argsFrom({ args, entrypoint, cmd }: Sent, before: string): string | undefined {
  if (entrypoint === undefined && cmd === undefined) return args;
  const base = commandIn(args ?? before);
  const command = { entrypoint: entrypoint ?? base.entrypoint, cmd: cmd ?? base.cmd };
  if (args !== undefined && !isDeepStrictEqual(command, base))
    throw badRequest("args contradicts entrypoint and cmd: send one of the two forms");
  const lists = Object.entries(command).filter(([, words]) => words.length > 0);
  return args ?? (lists.length === 0 ? "" : JSON.stringify(Object.fromEntries(lists)));
}

/** The words of a shell line, with quotes and escapes resolved. */
function shellWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g), ([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'|\\(.)/g,
      (_, double = "", single = "", escaped = "") => double + single + escaped,
    ),
  );
}
