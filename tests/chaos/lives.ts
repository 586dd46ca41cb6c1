import fc from "fast-check";
import { life } from "./life";
import { ChaosError, live } from "./live";

export interface LivesOptions {
  readonly seed: number;
  /** Replays only this life of a report, together with its seed. */
  readonly path?: string | undefined;
  readonly lives: number;
  readonly minutes?: number | undefined;
  /** Looks for the shortest life that still fails. */
  readonly shrink: boolean;
  /** See `live`. */
  readonly except?: string | undefined;
  /** After each life. */
  onLife?(line: string): void;
}

/** A failed life in its shortest form, and how to replay it. */
export class LifeError extends Error {
  override readonly name = "LifeError";
}

/**
 * Lives this many lives, drawn from a seed.
 *
 * @returns how many were lived
 * @throws LifeError of the first that failed
 */
export async function liveAll({ seed, path, lives, minutes, shrink, except, onLife }: LivesOptions): Promise<number> {
  let played = 0;
  const property = fc.asyncProperty(life, async (each) => {
    const began = performance.now();
    played += 1;
    const number = played;
    const tell = (how: string) => onLife?.(`${number}: ${how}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
    try {
      const { runs } = await live(each, { except });
      tell(`${runs} runs of the engine`);
    } catch (error) {
      tell(error instanceof ChaosError ? `FAILED: ${error.broken.join("\n   ")}` : String(error));
      throw error;
    }
  });
  const result = await fc.check(property, {
    seed,
    numRuns: path === undefined ? lives : 1,
    endOnFailure: !shrink,
    ...(path !== undefined && { path }),
    ...(minutes !== undefined && { interruptAfterTimeLimit: minutes * 60_000 }),
  });
  if (result.counterexample === null) return result.numRuns;
  const [shortest] = result.counterexample;
  const { errorInstance: error } = result;
  throw new LifeError(
    [
      `npm run chaos -- --seed ${seed} --path ${result.counterexamplePath} shows this again` +
        ` (life ${result.numRuns}, shrunk ${result.numShrinks} times):`,
      error instanceof Error ? error.message : String(error),
      "",
      JSON.stringify(shortest, undefined, 1),
    ].join("\n"),
    { cause: error },
  );
}
