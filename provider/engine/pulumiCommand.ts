import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { hide, MASK } from "../../common/redact";
import { wayOutOfDamage } from "./damagedStates";

/** The Pulumi CLI could not be started, or its command failed. */
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
  /** Variables in addition to this process's own. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Sent to standard input, because everybody on the machine can read a process's arguments. */
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Its output goes to this process's output instead of the result. */
  readonly inheritsOutput?: true;
}

export interface PulumiResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the Pulumi CLI to its end, whatever its exit code.
 *
 * @throws PulumiError if it can't be started
 * @throws the signal's reason if `signal` aborts
 */
export async function runPulumi(
  args: readonly string[],
  { folder = ".", environment = {}, input, signal, inheritsOutput }: PulumiOptions = {},
): Promise<PulumiResult> {
  signal?.throwIfAborted();
  // Without this check a missing folder would look like a missing program.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PulumiError(`there is no folder ${folder}`);
  const child = spawn("pulumi", [...args, "--non-interactive"], {
    cwd: folder,
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", ...(inheritsOutput ? (["inherit", "inherit"] as const) : PIPES)],
    signal,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
    });
  }
  // The command may end without reading its input.
  child.stdin?.on("error", () => {}).end(input);
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") reject(new NoPulumiError());
      // After an abort the CLI still cleans up what it has begun: wait for its end.
      else if (!signal?.aborted) reject(error);
    });
    // There is no exit code if a signal ended the command.
    child.once("close", (code) => resolve(code ?? 1));
  });
  signal?.throwIfAborted();
  return { exitCode, ...output };
}

const PIPES = ["pipe", "pipe"] as const;

/**
 * @returns its standard output
 * @throws PulumiError with Pulumi's message if it failed
 */
export async function pulumi(args: readonly string[], options?: PulumiOptions): Promise<string> {
  const result = await runPulumi(args, options);
  if (result.exitCode !== 0) throw failureOf(args, result);
  return result.stdout;
}

/** @param errors Pulumi's message, if it is known from elsewhere than its output */
export function failureOf([command = ""]: readonly string[], result: PulumiResult, errors = ""): PulumiError {
  const { exitCode, stdout, stderr } = result;
  return new PulumiError(
    withoutPasswords(
      `pulumi ${command} failed with exit code ${exitCode}:\n${errors || stderr.trim() || stdout.trim()}${wayOutOfDamage()}`,
    ),
  );
}

/** Parameters of a backend's address that hold a secret. */
const SECRET_PARAMETER = /(?<=[?&;][\w-]*(?:password|secret|token|key|sig)[\w-]*=)[^&;\s"'`]+/gi;
/** From the user's name to the last `@` before the parameters: people write passwords that hold one. */
const PASSWORD = /(?<=:\/\/[^\s/@:?]*:)[^\s?]+(?=@)/g;

/** Without the passwords of addresses. Those of this process's backend are hidden from now on, wherever else they stand. */
export function withoutPasswords(text: string): string {
  const address = process.env.PULUMI_BACKEND_URL ?? "";
  hide(...[SECRET_PARAMETER, PASSWORD].flatMap((pattern) => address.match(pattern) ?? []));
  return text.replaceAll(SECRET_PARAMETER, MASK).replaceAll(PASSWORD, MASK);
}
