import fc from "fast-check";
import { type Life, life } from "./life";
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
  /** How a life is lived. Default: `live`. */
  readonly play?: typeof live;
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
export async function liveAll(options: LivesOptions): Promise<number> {
  const { seed, path, lives, minutes, shrink, except, onLife, play = live } = options;
  let played = 0;
  let underWay: ReturnType<typeof live> | undefined;
  let failed: { readonly life: Life; readonly path: string; readonly error: unknown } | undefined;
  const property = fc.asyncProperty(life, async (each) => {
    const began = performance.now();
    played += 1;
    const number = played;
    const tell = (how: string) => onLife?.(`${number}: ${how}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
    try {
      underWay = play(each, { except });
      const { runs } = await underWay;
      tell(`${runs} runs of the engine`);
    } catch (error) {
      failed ??= { life: each, path: path ?? String(number - 1), error };
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
  // When the time is up, fast-check leaves the life that is under way to itself.
  await Promise.allSettled([underWay]);
  if (failed === undefined) return result.numRuns;
  const [shortest = failed.life] = result.counterexample ?? [];
  const { errorInstance: error = failed.error, counterexamplePath } = result;
  throw new LifeError(
    [
      `npm run chaos -- --seed ${seed} --path ${counterexamplePath ?? failed.path} shows this again` +
        ` (life ${result.numRuns}, shrunk ${result.numShrinks} times):`,
      error instanceof Error ? error.message : String(error),
      "",
      JSON.stringify(shortest, undefined, 1),
    ].join("\n"),
    { cause: error },
  );
}
