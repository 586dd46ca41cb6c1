import type { Emulator } from "../../emulator";
import { addressVariables } from "../../tools/run/environment";
import { type ProcessResult, run } from "../../tools/run/process";
import { MAIN } from "../harness/commandLine";

const WATCH = [process.execPath, MAIN, "watch", "--metrics"];

/**
 * Runs `watch` at a free port, and interrupts it after what is done meanwhile. Rejects as that does.
 *
 * @param line the command line, up to the port
 */
export async function watching(
  emulator: Emulator | undefined,
  args: readonly string[],
  meanwhile: (port: string) => Promise<void>,
  { line: [command = "", ...line] = WATCH, env = {} }: { line?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<ProcessResult> {
  const interrupt = new AbortController();
  let done: Promise<void> = Promise.reject(new Error("the watch did not start"));
  done.catch(() => {});
  const result = await run(command, [...line, "127.0.0.1:0", "--interval", "1s", ...args], {
    env: { PATH: process.env.PATH, ...(emulator && addressVariables(emulator)), ...env },
    signal: interrupt.signal,
    onLine: (line) => {
      const port = /at port (\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      done = meanwhile(port);
      done.catch(() => {}).finally(() => interrupt.abort());
    },
  });
  await done;
  return result;
}

/** What the watch serves now. */
export async function scrape(port: string, path = "/metrics") {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}
