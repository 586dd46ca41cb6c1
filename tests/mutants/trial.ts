import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { run } from "../../tools/run/process";
import type { Copy } from "./copy";

/** A test that hangs under a mutant fails then. */
const TEST_MINUTES = "3";
const RUN_TIMEOUT_MS = 900_000;

const Report = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
      message: z.string(),
    }),
  ),
});

/** What became of tests, by their full names. */
export interface Trial {
  readonly statuses: ReadonlyMap<string, string>;
  /** Why there are none, in jest's words. */
  readonly message: string;
}

/**
 * Runs files of a copy's tests.
 *
 * @param files from the checkout's root
 * @param pattern of the full names of the only tests to run
 */
export async function runTests({ folder }: Copy, files: readonly string[], pattern?: string): Promise<Trial> {
  const jest = join(folder, "node_modules", "jest", "bin", "jest.js");
  const reported = join(folder, ".computecloud", "report.json");
  await rm(reported, { force: true });
  const options = ["--json", "--forceExit", `--outputFile=${reported}`, "--runInBand"];
  const chosen = pattern === undefined ? [] : ["--testNamePattern", pattern];
  const { stderr } = await run(process.execPath, [jest, ...options, ...chosen, "--runTestsByPath", ...files], {
    cwd: folder,
    env: { ...process.env, TEST_MINUTES },
    timeoutMs: RUN_TIMEOUT_MS,
  });
  // It may not come to a report.
  const written: unknown = await readFile(reported, "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  const report = Report.safeParse(written);
  if (!report.success) return { statuses: new Map(), message: stderr.slice(-2_000) };
  const { testResults } = report.data;
  return {
    statuses: new Map(
      testResults.flatMap(({ assertionResults }) => assertionResults.map(({ fullName, status }) => [fullName, status])),
    ),
    message: testResults.map(({ message }) => message).join("\n"),
  };
}
