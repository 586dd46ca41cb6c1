/*
 * Breaks every guard (guards.ts) in a copy of the checkout, one at a time, and shows that a test which names it fails:
 *
 *   npm run tool tests/mutants/main.ts                                          # all
 *   npm run tool tests/mutants/main.ts -- --only create-again,any-404-is-gone   # some
 *   npm run tool tests/mutants/main.ts -- --jobs 2                              # two at a time
 *   npm run tool tests/mutants/main.ts -- --explore --only create-again tests/client/retryTable.test.ts   # which tests fail under it
 *
 * Ends with 1 when a mutant survives, or when a test fails without any.
 */
import { parseArgs } from "node:util";
import { Copy } from "./copy";
import { type Guard, guards } from "./guards";
import { runTests } from "./trial";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string" },
      jobs: { type: "string", default: "1" },
      explore: { type: "boolean", default: false },
    },
  });
  const chosen = named(values.only?.split(","));
  const copies = await Promise.all(
    Array.from({ length: Number(values.jobs) }, (_, job) => Copy.make(`mutants-${job}`)),
  );
  try {
    if (values.explore) {
      await inTurn(copies, chosen, (copy, guard) => explored(copy, guard, positionals));
      return;
    }
    const tests = [...new Map(chosen.flatMap((guard) => guard.tests).map((test) => [test.join(), test])).values()];
    const baseline = await inTurn(copies, tests, sound);
    const verdicts = await inTurn(copies, chosen, judged);
    const problems = [...baseline, ...verdicts].flatMap((problem) => problem ?? []);
    if (problems.length > 0) process.exitCode = 1;
    say(problems.length > 0 ? `\n${problems.join("\n")}` : `\nEach of ${chosen.length} mutants is found.`);
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
}

/** Works on all, with as many at a time as there are copies. */
async function inTurn<Item, Result>(
  copies: readonly Copy[],
  items: readonly Item[],
  work: (copy: Copy, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const queue = items.values();
  const results: Result[] = [];
  await Promise.all(
    copies.map(async (copy) => {
      for (const item of queue) results.push(await work(copy, item));
    }),
  );
  return results;
}

/** @returns what is wrong: a test that fails without a mutant, alone as it runs under one, proves nothing */
async function sound(copy: Copy, [file, pattern]: Guard["tests"][number]): Promise<string | undefined> {
  const { statuses, message } = await runTests(copy, [file], pattern);
  const ran = [...statuses.values()].filter((status) => status === "passed" || status === "failed");
  const passes = ran.length > 0 && !ran.includes("failed");
  say(`${file}: ${passes ? "passes" : `FAILS\n${message}`}`);
  return passes ? undefined : `FAILS WITHOUT A MUTANT: ${file}: ${pattern}`;
}

/** @returns what is wrong */
async function judged(copy: Copy, guard: Guard): Promise<string | undefined> {
  for (const [file, pattern] of guard.tests) {
    const { statuses, message } = await mutated(copy, guard, () => runTests(copy, [file], pattern));
    const isFound = [...statuses.values()].includes("failed");
    const problem = statuses.size === 0 ? `NOTHING RAN: ${message}` : isFound ? undefined : `SURVIVES ${file}`;
    say(`${guard.name}: ${problem ?? "found"}`);
    if (problem !== undefined) return `${guard.name}: ${problem}`;
  }
  return undefined;
}

async function explored(copy: Copy, guard: Guard, files: readonly string[]): Promise<void> {
  const those = files.length === 0 ? guard.tests.map(([file]) => file) : files;
  const { statuses, message } = await mutated(copy, guard, () => runTests(copy, those));
  const failed = [...statuses].filter(([, status]) => status === "failed").map(([name]) => `\n    ${name}`);
  say(`${guard.name}: ${statuses.size === 0 ? `NOTHING RAN: ${message}` : `${failed.length} fail${failed.join("")}`}`);
}

async function mutated<T>(copy: Copy, guard: Guard, work: () => Promise<T>): Promise<T> {
  await copy.apply(guard.edits);
  try {
    return await work();
  } finally {
    await copy.restore(guard.edits);
  }
}

function named(names: readonly string[] | undefined): readonly Guard[] {
  const all = guards();
  const unknown = names?.find((name) => !all.some((guard) => guard.name === name));
  if (unknown !== undefined) throw new Error(`There is no guard "${unknown}".`);
  return all.filter(({ name }) => names?.includes(name) ?? true);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
