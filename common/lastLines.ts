/** Silence before the first line may be longer: the service must find the log. After that, history comes in one burst. */
const FIRST_MS = 5_000;
const QUIET_MS = 500;

/**
 * The last lines of a log. The service keeps the stream open and does not mark the end of the history, so silence ends the
 * reading. A slow service may therefore cause lines to be missed.
 */
export async function lastLines<Line>(
  open: (signal: AbortSignal) => AsyncIterable<Line>,
  most: number,
  caller: AbortSignal,
): Promise<Line[]> {
  const silence = new AbortController();
  const lines: Line[] = [];
  let timer = setTimeout(() => silence.abort(), FIRST_MS);
  try {
    for await (const line of open(AbortSignal.any([silence.signal, caller]))) {
      lines.push(line);
      if (lines.length === most) break;
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), QUIET_MS);
    }
  } catch (error) {
    // When the caller's time is over, it gets the lines so far.
    if (!silence.signal.aborted && !(caller.aborted && lines.length > 0)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return lines;
}
