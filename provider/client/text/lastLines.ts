import type { LogLine } from "..";

/** Until the first line: the log has to be found. Between lines: history comes in one piece. */
const FIRST_MS = 5_000;
const QUIET_MS = 500;

/** The history of a log. The service keeps the stream open without an end mark, so that silence ends the reading. */
export async function lastLines(
  open: (signal: AbortSignal) => AsyncIterable<LogLine>,
  most: number,
  caller?: AbortSignal,
): Promise<LogLine[]> {
  const silence = new AbortController();
  const lines: LogLine[] = [];
  let timer = setTimeout(() => silence.abort(), FIRST_MS);
  try {
    for await (const line of open(
      AbortSignal.any(caller === undefined ? [silence.signal] : [silence.signal, caller]),
    )) {
      lines.push(line);
      if (lines.length === most) break;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), QUIET_MS);
    }
  } catch (error) {
    // A caller whose time is over gets what has come by then.
    if (!silence.signal.aborted && !(caller?.aborted && lines.length > 0)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return lines;
}
