/*
 * The long run: `npm run chaos -- [--lives 100] [--minutes M] [--seed N] [--no-shrink] [--except "words of an
 * invariant"]`. The seed is random by default. A life that fails is shrunk to its shortest form. Replay it with the printed
 * seed and path: `npm run chaos -- --seed N --path P`.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { LifeError, liveAll } from "./lives";

async function main(): Promise<void> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      lives: { type: "string", default: "100" },
      minutes: { type: "string" },
      seed: { type: "string", default: process.env.CHAOS_SEED ?? String(randomInt(1_000_000)) },
      path: { type: "string" },
      except: { type: "string" },
      shrink: { type: "boolean", default: true },
    },
  });
  const say = (line: string) => process.stdout.write(`${line}\n`);
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
    say(`FAILED: ${error.message}`);
    process.exitCode = 1;
  }
}

void main();
