/*
 * The long run: `npm run chaos -- [--lives 100] [--minutes M] [--seed N] [--no-shrink] [--except "words of an
 * invariant"]`. The seed is random by default. A life that fails is shrunk to its shortest form. Replay it with the printed
 * seed and path: `npm run chaos -- --seed N --path P`.
 *
 * `npm run chaos -- --bugs [names…] [--seeds 1,2,3]` shows in which life each deliberate bug is found; `--told`
 * lives the lives of told.ts.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { live } from "./live";
import { LifeError, liveAll } from "./lives";
import { measure } from "./measure";
import { TOLD_LIVES } from "./told";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowNegative: true,
    allowPositionals: true,
    options: {
      lives: { type: "string", default: "100" },
      minutes: { type: "string" },
      seed: { type: "string", default: process.env.CHAOS_SEED ?? String(randomInt(1_000_000)) },
      path: { type: "string" },
      except: { type: "string" },
      shrink: { type: "boolean", default: true },
      bugs: { type: "boolean", default: false },
      seeds: { type: "string", default: "" },
      told: { type: "boolean", default: false },
    },
  });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (values.bugs) {
    const seeds = values.seeds.split(",").filter(Boolean).map(Number);
    const missed = await measure({ names: positionals, seeds, onResult: say });
    if (missed > 0) process.exitCode = 1;
    return;
  }
  if (values.told) {
    for (const life of Object.values(TOLD_LIVES)) await live(life).catch(failed);
    return;
  }
  const { seed, path, shrink, except, minutes } = values;
  say(`seed ${seed}`);
  try {
    const lived = await liveAll({
      seed: Number(seed),
      path,
      lives: Number(values.lives),
      ...(minutes !== undefined && { minutes: Number(minutes) }),
      shrink: shrink && path === undefined,
      except,
      onLife: say,
    });
    say(`${lived} lives passed`);
  } catch (error) {
    if (!(error instanceof LifeError)) throw error;
    failed(error);
  }
}

function failed(error: Error): void {
  process.stdout.write(`FAILED: ${error.message}\n`);
  process.exitCode = 1;
}

void main();
