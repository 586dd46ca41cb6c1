/*
 * The long run: `npm run chaos -- [--schedules 3000] [--batch 20] [--seed N]`. Seeds follow each other from the first
 * one, which is random unless it is named; a failure prints the seed that shows it again.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { BATCH_SIZE, runBatch } from "./runBatch";

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      schedules: { type: "string", default: "3000" },
      batch: { type: "string", default: String(BATCH_SIZE) },
      seed: { type: "string", default: process.env.CHAOS_SEED ?? String(randomInt(1_000_000)) },
    },
  });
  const size = Number(values.batch);
  const batches = Math.max(1, Math.ceil(Number(values.schedules) / size));
  let failed = 0;
  for (let index = 0; index < batches; index += 1) {
    const seed = Number(values.seed) + index;
    try {
      const { host, resources, faults, kills, furtherUps, seconds } = await runBatch(seed, size);
      process.stdout.write(
        `${index + 1}/${batches} seed ${seed}: ${host}, ${resources} resources, ${faults} faults, ${kills} kills, further ups ${furtherUps.join(" and ")}, ${seconds.toFixed(1)} s\n`,
      );
    } catch (error) {
      failed += 1;
      process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  process.stdout.write(`${batches - failed} of ${batches} batches of ${size} schedules ended as they have to\n`);
  if (failed > 0) process.exitCode = 1;
}

void main();
