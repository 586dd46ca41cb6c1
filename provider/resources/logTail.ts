import type { LogLine, LogOptions } from "../../client";
import { lastLines } from "../../common/lastLines";
import { printableLine } from "../../common/printable";
import type { Context } from "../lifecycle/definition";

const LINES = 10;

/**
 * The last lines of a log, for an error message. Empty if the log can't be read or is gone with its container: the error
 * matters more.
 */
export async function logTail(
  { signal: caller }: Pick<Context, "signal">,
  stream: (options: LogOptions) => AsyncIterable<LogLine>,
): Promise<string> {
  try {
    const lines = await lastLines((signal) => stream({ tail: LINES, signal }), LINES, caller);
    return lines.length === 0
      ? ""
      : ` Last log lines:\n${lines.map(({ line }) => `  ${printableLine(line)}`).join("\n")}`;
  } catch {
    return "";
  }
}
