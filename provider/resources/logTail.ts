import type { LogLine, LogOptions } from "../client";

const PATIENCE_MS = 3_000;
const LINES = 10;

/**
 * The last lines of a log stream, for an error message. The service keeps the stream open without an end mark, so that
 * silence ends the reading; a log that can't be read is no reason to hide the error that it was read for.
 */
export async function logTail(stream: (options: LogOptions) => AsyncIterable<LogLine>): Promise<string> {
  const lines: string[] = [];
  try {
    for await (const { line } of stream({ tail: LINES, signal: AbortSignal.timeout(PATIENCE_MS) })) {
      lines.push(`  ${line}`);
      if (lines.length === LINES) break;
    }
  } catch {
    // The time-out above, or a log that is gone with its container.
  }
  return lines.length === 0 ? "" : ` Last log lines:\n${lines.join("\n")}`;
}
