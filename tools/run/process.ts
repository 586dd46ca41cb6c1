import { spawn } from "node:child_process";
import { isNativeError } from "node:util/types";

export interface ProcessOptions {
  cwd?: string;
  /** The whole environment of the process; by default this process's own. */
  env?: NodeJS.ProcessEnv;
  /** Its standard input; empty unless given. */
  input?: string;
  /** Called for each line as it is written. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** After this many milliseconds the process is killed. */
  timeoutMs?: number;
  /**
   * Asks the process to stop as CI runners do: SIGINT, SIGTERM, and at last a kill of it and all it started. With a signal the process
   * leads a group of its own, so that a Ctrl-C in the terminal reaches it once; without, it gets the terminal's.
   */
  signal?: AbortSignal | undefined;
}

export interface ProcessResult {
  /** `undefined` when a signal ended the process. */
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
  ms: number;
  /** Whether it went on after its SIGINT, until the SIGTERM. */
  terminated: boolean;
}

/** How long a process may take to end by itself after SIGINT, and then after SIGTERM: the times of GitHub's runner. */
const INTERRUPT_GRACE_MS = 7_500;
const TERMINATE_GRACE_MS = 2_500;

/** Runs a program that must succeed. @returns what it prints @throws Error with all of that */
export async function runOrThrow(command: string, args: readonly string[], options?: ProcessOptions): Promise<string> {
  const { exitCode, stdout, stderr } = await run(command, args, options);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}

/** The same with a terminal for input and output; what it prints to both is `stdout`. `input` is typed. */
export function runOnTerminal(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  return run("python3", ["-c", TERMINAL, command, ...args], options);
}

const TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/** Runs a program to its end, whatever its exit code; rejects only when it cannot be started. */
export async function run(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: options.signal !== undefined,
  });
  // A process may end without reading it.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input);
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    let rest = "";
    child[name].setEncoding("utf8");
    child[name].on("data", (chunk: string) => {
      output[name] += chunk;
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) options.onLine?.(line, name);
    });
    child[name].on("end", () => rest && options.onLine?.(rest, name));
  }

  const timers: NodeJS.Timeout[] = [];
  let terminated = false;
  const kill = () => {
    if (options.signal !== undefined && child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  };
  // The engine takes a first interrupt as 'finish what runs' and a second as 'stop now'.
  const interrupt = () => {
    child.kill("SIGINT");
    const terminate = () => {
      terminated = true;
      child.kill("SIGTERM");
    };
    timers.push(setTimeout(terminate, INTERRUPT_GRACE_MS));
    timers.push(setTimeout(() => kill(), INTERRUPT_GRACE_MS + TERMINATE_GRACE_MS));
  };
  if (options.timeoutMs !== undefined) timers.push(setTimeout(() => kill(), options.timeoutMs));
  options.signal?.addEventListener("abort", interrupt, { once: true });
  if (options.signal?.aborted) interrupt();

  try {
    const exitCode = await new Promise<number | undefined>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? undefined));
    });
    return { exitCode, ...output, ms: performance.now() - started, terminated };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    options.signal?.removeEventListener("abort", interrupt);
  }
}

/** Signals every process of a group; false when none is left. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if (isErrno(error, "ESRCH")) return false;
    throw error;
  }
}

/** Whether an error is the operating system's, with one of these codes. */
export function isErrno(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  // Not `instanceof Error`: under jest, Node's errors are of another realm.
  return isNativeError(error) && "code" in error && codes.includes(String(error.code));
}

/** Aborts when this process is asked to end: Ctrl-C, `kill`, its terminal going away, or the reader of its output. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isErrno(error, "EPIPE")) throw error;
      controller.abort(new InterruptedError("SIGPIPE"));
    });
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => controller.abort(new InterruptedError(signal)));
  }
  return controller.signal;
}

export class InterruptedError extends Error {
  constructor(readonly signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.name = "InterruptedError";
  }
}
