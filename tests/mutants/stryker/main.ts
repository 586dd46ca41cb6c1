/*
 * Stryker mutates whole files, by groups: `npm run tool tests/mutants/stryker/main.ts redact retry`; all of them without a name. Stryker comes through
 * npx, so that an install doesn't pay for it. The report of a group is .computecloud/stryker-<group>.json.
 */
import { run } from "../../../tools/run/process";

const groups: Readonly<Record<string, unknown>> = require("./groups.cjs");
const VERSION = "10.0.0";
const PACKAGES = [`@stryker-mutator/core@${VERSION}`, `@stryker-mutator/jest-runner@${VERSION}`];

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(groups, name));
  if (unknown !== undefined)
    throw new Error(`There is no group "${unknown}"; there are ${Object.keys(groups).join(", ")}.`);
  for (const name of names.length === 0 ? Object.keys(groups) : names) {
    const packages = PACKAGES.flatMap((each) => ["-p", each]);
    const { exitCode } = await run(
      "npx",
      ["--yes", ...packages, "stryker", "run", "tests/mutants/stryker/config.cjs"],
      {
        env: { ...process.env, STRYKER_GROUP: name, NODE_OPTIONS: "--experimental-async-context-frame" },
        onLine: (line) => process.stdout.write(`${line}\n`),
      },
    );
    if (exitCode !== 0) process.exitCode = 1;
  }
}

void main(process.argv.slice(2));
