import { spawn } from "node:child_process";
import { statSync } from "node:fs";

/** Pulumi could not be started, or could not do what it was asked to do. */
export class PulumiError extends Error {
  override readonly name = "PulumiError";
}

/** There is no `pulumi` on PATH. */
export class NoPulumiError extends PulumiError {
  static readonly problem = "pulumi is not on PATH";
  constructor() {
    super(`${NoPulumiError.problem}. Install the Pulumi CLI.`);
  }
}

export interface PulumiOptions {
  readonly folder?: string | undefined;
  /** Beside this process's own. */
  readonly environment?: NodeJS.ProcessEnv;
  /** By way of standard input: an argument could be read by everybody on the machine. */
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** What it prints goes where this process prints. */
  readonly shown?: true;
}

export interface PulumiResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the Pulumi CLI to its end, whatever its exit code.
 *
 * @throws PulumiError when it can't be started
 */
export async function runPulumi(
  args: readonly string[],
  { folder = ".", environment = {}, input, signal, shown }: PulumiOptions = {},
): Promise<PulumiResult> {
  signal?.throwIfAborted();
  // Otherwise a missing folder looks like a missing program.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PulumiError(`there is no folder ${folder}`);
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", ...(shown ? (["inherit", "inherit"] as const) : PIPES)],
    signal,
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      said[name] += chunk;
    });
  }
  // It may end without reading it.
  child.stdin?.on("error", () => {}).end(input);
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") reject(new NoPulumiError());
      // An interrupted one is heard out: it puts away what it has begun.
      else if (!signal?.aborted) reject(error);
    });
    // No code: a signal ended it.
    child.once("close", (code) => resolve(code ?? 1));
  });
  signal?.throwIfAborted();
  return { exitCode, ...said };
}

const PIPES = ["pipe", "pipe"] as const;

/**
 * @returns what it printed
 * @throws PulumiError when it failed, with its own words
 */
export async function pulumi(args: readonly string[], options?: PulumiOptions): Promise<string> {
  const result = await runPulumi(args, options);
  if (result.exitCode !== 0) throw failureOf(args, result);
  return result.stdout;
}

/** @param errors its own words, where they are known better than by what it printed */
export function failureOf([command = ""]: readonly string[], result: PulumiResult, errors = ""): PulumiError {
  const { exitCode, stdout, stderr } = result;
  return new PulumiError(
    `pulumi ${command} failed with exit code ${exitCode}:\n${errors || stderr.trim() || stdout.trim()}`,
  );
}
