/*
 * `npm run bench`: what this package costs beside a baseline that is measured in the same run.
 *
 *   npm run bench -- gate                                this checkout beside the last release, in ten minutes
 *   npm run bench -- --quick                             within 3 minutes
 *   npm run bench -- provider --counts 100 --latencies 0 one bench, or several
 *   npm run bench -- journeys                            the functions and files that a call, an endpoint or a job enters
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { scratch } from "../run/checkout";
import { batch } from "./batch";
import { client } from "./client";
import { type Comparison, print } from "./compare";
import { crowd } from "./crowd";
import { fleet, growth } from "./fleet";
import { gate } from "./gate";
import { journeys } from "./journeys";
import { type BenchOptions, readOptions } from "./options";
import { provider } from "./provider";
import { startup } from "./startup";

type Bench = (options: BenchOptions, report: (comparison: Comparison) => Promise<void>) => Promise<void>;

const BENCHES: Readonly<Record<string, Bench>> = {
  gate,
  provider,
  fleet,
  growth,
  client,
  startup,

  journeys,
  crowd,
  batch,
};

const HELP = `npm run bench -- [${Object.keys(BENCHES).join("] [")}]
  --quick               the provider with 25 resources, within 3 minutes
  --rounds 3            of each side
  --counts 6,100,400     numbers of resources
  --latencies 0,50      of the emulator's answers, in milliseconds
  --crowd 20x200        of the crowd: processes, and jobs of each
  --batch 20000x8x20x1  of the batch: inputs, workers, and how many of them and of the database are killed
  --release v0.1.0      the commit that the gate compares with
  --sides dynamic       of the provider: idle, dynamic, native; default all`;

async function main(): Promise<void> {
  const given = readOptions(process.argv.slice(2));
  if (given === undefined) return console.log(HELP);
  const { options, benches } = given;
  const all = options.quick
    ? ["provider"]
    : Object.keys(BENCHES).filter((name) => !["gate", "crowd", "batch"].includes(name));
  const chosen = benches.length === 0 ? all : benches;
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
