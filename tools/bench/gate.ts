/*
 * `npm run bench -- gate`: the last release beside this checkout, and beside the floor, in ten minutes. By CPU time and calls,
 * because elapsed time says little on a machine that others use as well. Ends with 1 where a step costs more than it did.
 */
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkout, scratch } from "../run/environment";
import { run, runOrThrow } from "../run/process";
import { type Comparison, compare, type Row, type Targets } from "./compare";
import type { BenchOptions } from "./options";
import { dynamic, floor, native } from "./programs";
import { newSide, releaseIn } from "./provider";

/** What a step may cost beside the release. */
const MOST = 1.05;
const STEPS = ["planned", "up", "no-op", "preview", "refresh", "update", "destroy"];
const TARGETS: Targets = {
  today: Object.fromEntries(STEPS.flatMap((step) => [step, `${step} calls`].map((name) => [name, MOST]))),
};
/** Most people's stacks are small. */
const [SMALL, LARGE] = [6, 60];

export async function gate(
  { rounds, release }: BenchOptions,
  report: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  // Both are installed in the project in the same way: the engine's language host looks through what is, at each command.
  const [old, today] = [await builtRelease(release), await builtRelease(await workingTree())];
  const side = (name: string, subject: typeof dynamic, count: number, build?: string) =>
    newSide(name, (changed) => subject({ count, changed }), {
      installed: build === undefined ? undefined : releaseIn(build),
    });
  const sides = (subject: typeof dynamic, count: number) =>
    [side("release", subject, count, old), side("today", subject, count, today)] as const;
  const comparisons = [
    await compare(`${LARGE} dynamic`, rounds, [...sides(dynamic, LARGE), side("floor", floor, LARGE)], TARGETS),
    await compare(`${LARGE} native`, rounds, sides(native, LARGE), TARGETS),
    await compare(`${SMALL} dynamic`, rounds, sides(dynamic, SMALL), TARGETS),
  ];
  const slower: string[] = [];
  for (const comparison of comparisons) {
    const rows = comparison.rows.filter(({ measure }) => measure === "cpu" || measure === "calls");
    await report({ ...comparison, rows });
    slower.push(
      ...rows.filter(isBehind).map(({ operation, measure }) => `${comparison.title}, ${operation}: ${measure}`),
    );
  }
  if (slower.length === 0) return;
  console.log(`\nMore than ${MOST} of the release:\n  ${slower.join("\n  ")}`);
  process.exitCode = 1;
}

/** Behind in each round, because a median alone is above the limit by chance now and then. */
const isBehind = ({ ratio, target }: Row): boolean => target !== undefined && ratio.median > target && ratio.min > 1;

/** The checkout with its changes as a commit, which leaves it as it is. Files that git does not track yet are not in it. */
async function workingTree(): Promise<string> {
  const { stdout } = await run("git", ["stash", "create"], { cwd: checkout });
  return stdout.trim() || "HEAD";
}

/** The package as it was at this commit, built once, with its own dependencies. */
async function builtRelease(ref: string): Promise<string> {
  const { stdout, exitCode } = await run("git", ["rev-parse", "--short", `${ref}^{commit}`], { cwd: checkout });
  if (exitCode !== 0) throw new Error(`there is no ${ref} in this checkout: name a commit with --release`);
  const folder = join(scratch, `release-${stdout.trim()}`);
  if (existsSync(join(folder, "built"))) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await runOrThrow("git", ["archive", "--output", archive, ref], { cwd: checkout });
  await runOrThrow("tar", ["-xf", archive, "-C", folder], { cwd: checkout });
  process.stderr.write(`building ${ref}\n`);
  // Both sides have packages of their own: the engine's language host walks them, and behind a link there may be more. The
  // script `prepare` builds.
  await runOrThrow("npm", ["ci"], { cwd: folder });
  await mkdir(join(folder, "built"));
  return folder;
}
