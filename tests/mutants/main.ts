/*
 * Breaks every guard of guards.ts in a copy of the checkout, one at a time, and shows that the test which holds it fails:
 *
 *   npm run mutants                                          # all
 *   npm run mutants -- --only create-again,any-404-is-gone   # some
 *   npm run mutants -- --jobs 2                              # two at a time
 *   npm run mutants -- --explore --only create-again tests/client/creates.test.ts   # which tests fail under it
 *
 * Ends with 1 when a mutant survives, or when a test fails without any.
 */
import { parseArgs } from "node:util";
import { Copy } from "./copy";
import { GUARDS, type Guard } from "./guards";
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
  const guards = chosen(values.only?.split(","));
  const copies = await Promise.all(
    Array.from({ length: Number(values.jobs) }, (_, job) => Copy.make(`mutants-${job}`)),
  );
  try {
    if (values.explore) {
      await inTurn(copies, guards, (copy, guard) => explored(copy, guard, positionals));
      return;
    }
    const tests = [...new Map(guards.map(({ test }) => [test.join(), test])).values()];
    const baseline = await inTurn(copies, tests, sound);
    const verdicts = await inTurn(copies, guards, judged);
    const problems = [...baseline, ...verdicts].flatMap((problem) => problem ?? []);
    if (problems.length > 0) process.exitCode = 1;
    say(problems.length > 0 ? `\n${problems.join("\n")}` : `\nEach of ${guards.length} mutants is found.`);
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
async function sound(copy: Copy, [file, name]: Guard["test"]): Promise<string | undefined> {
  const { statuses, message } = await runTests(copy, [file], [name]);
  const passes = statuses.get(name) === "passed";
  say(`${file}: ${passes ? "passes" : `FAILS\n${message}`}`);
  return passes ? undefined : `FAILS WITHOUT A MUTANT: ${file}: ${name}`;
}

/** @returns what is wrong */
async function judged(copy: Copy, guard: Guard): Promise<string | undefined> {
  const [file, name] = guard.test;
  const { statuses, message } = await mutated(copy, guard, () => runTests(copy, [file], [name]));
  const status = statuses.get(name);
  const problem =
    status === undefined ? `NOT TOLD: ${message}` : status === "failed" ? undefined : `SURVIVES: ${file} "${name}"`;
  say(`${guard.name}: ${problem ?? "found"}`);
  return problem && `${guard.name}: ${problem}`;
}

async function explored(copy: Copy, guard: Guard, files: readonly string[]): Promise<void> {
  const [file] = guard.test;
  const { statuses, message } = await mutated(copy, guard, () => runTests(copy, files.length === 0 ? [file] : files));
  const failed = [...statuses].filter(([, status]) => status === "failed").map(([name]) => `\n    ${name}`);
  say(`${guard.name}: ${statuses.size === 0 ? `NOTHING RAN: ${message}` : `${failed.length} fail${failed.join("")}`}`);
}

async function mutated<T>(copy: Copy, guard: Guard, work: () => Promise<T>): Promise<T> {
  await copy.apply([guard]);
  try {
    return await work();
  } finally {
    await copy.restore([guard]);
  }
}

function chosen(names: readonly string[] | undefined): readonly Guard[] {
  if (names === undefined) return GUARDS;
  return names.map((name) => {
    const guard = GUARDS.find((each) => each.name === name);
    if (guard === undefined) throw new Error(`There is no guard "${name}".`);
    return guard;
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
