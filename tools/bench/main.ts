/* `npm run bench`: what this package costs beside a baseline that is measured in the same run. */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { scratch } from "../run/environment";
import { type Comparison, print } from "./compare";
import { gate } from "./gate";
import { journeys } from "./journeys";
import { type BenchOptions, HELP, readOptions } from "./options";
import { provider } from "./provider";
import { startup } from "./startup";

type Bench = (options: BenchOptions, report: (comparison: Comparison) => Promise<void>) => Promise<void>;

const BENCHES: Readonly<Record<string, Bench>> = { gate, provider, startup, journeys };

async function main(): Promise<void> {
  const { help, benches, ...options } = readOptions(process.argv.slice(2));
  if (help) return console.log(`npm run bench -- [${Object.keys(BENCHES).join("] [")}]${HELP}`);
  const chosen = benches.length === 0 ? Object.keys(BENCHES).filter((name) => name !== "gate") : benches;
  const comparisons: Comparison[] = [];
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version };
  await mkdir(scratch, { recursive: true });
  const file = join(scratch, "bench.json");
  const report = async (comparison: Comparison) => {
    print(comparison);
    comparisons.push(comparison);
    const result = { at: new Date().toISOString(), machine, options, comparisons };
    await writeFile(file, JSON.stringify(result, undefined, 2));
  };
  for (const name of chosen) {
    const bench = BENCHES[name];
    if (bench === undefined) throw new Error(`no bench is named ${name}: ${Object.keys(BENCHES).join(", ")}`);
    await bench(options, report);
  }
  console.log(`\n${file}`);
}

void main();
