import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./process";

type Fill = (folder: string) => Promise<string | undefined>;

/** Fills a folder elsewhere, which then takes its place as a whole. @returns why it could not be filled */
export async function fillWhole(home: string, fill: Fill): Promise<string | undefined> {
  await mkdir(dirname(home), { recursive: true });
  const folder = await mkdtemp(`${home}.new-`);
  try {
    const failure = await fill(folder);
    if (failure !== undefined) return failure;
    // Another process may have been as fast; its result is as good.
    await rename(folder, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error;
    });
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Long enough for a slow line. */
const PATIENCE_MS = 240_000;

/**
 * A folder of the machine's cache, filled once and taken into use as a whole; undefined, and a line about it, where that
 * fails.
 *
 * @param contents what it holds, in words; a change of them makes a new one
 */
export async function cachedFolder(kind: string, contents: readonly string[], fill: Fill): Promise<string | undefined> {
  const version = createHash("sha256").update(contents.join()).digest("hex").slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-computecloud");
  const home = join(cache, `${kind}-${version}-${process.platform}-${process.arch}`);
  const failure = existsSync(home) ? undefined : await fillWhole(home, fill);
  if (failure === undefined) return home;
  // Sources say nothing to a reader.
  const words = contents.filter((each) => !each.includes("\n")).join(", ");
  process.stderr.write(`\nSKIPPED: the tests with ${kind}${words && ` (${words})`}, since ${failure}\n`);
  return undefined;
}

/** Runs a command, and answers what went wrong. */
export async function attempt(
  command: string,
  args: readonly string[],
  cwd: string,
  env?: NodeJS.ProcessEnv,
  patienceMs = PATIENCE_MS,
): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await run(command, args, { cwd, timeoutMs: patienceMs, ...(env && { env }) });
    if (exitCode === undefined) {
      const again = `(cd ${cwd} && ${[command, ...args].join(" ")})`;
      return `'${command} ${args[0]}' was ended after ${patienceMs / 1000} s. What it compiled or fetched is kept: run it again, or once without a limit: ${again}`;
    }
    return exitCode === 0 ? undefined : `'${command} ${args[0]}' failed: ${reasonIn(stderr)}`;
  } catch {
    return `there is no ${command}`;
  }
}

/** Go's downloads, and the packages that it compiles. */
const PROGRESS = /^go: (downloading|extracting|finding|found|added) |^[\w.~-]+(\/[\w.~-]+)*$/;

/** Why a command failed: what it said last, progress aside. */
export function reasonIn(text: string): string {
  const lines = text.trim().split("\n");
  const reasons = lines.filter((line) => !PROGRESS.test(line));
  return (reasons.length > 0 ? reasons : lines).slice(-3).join("\n");
}
