/** What one operation took, by measure: `wall` and `cpu` (seconds), and whatever else a bench counts. */
export type Figures = Readonly<Record<string, number>>;

/** One of the things that are compared. */
export interface Side {
  readonly name: string;
  /** Does all of its work once, and tells what each operation took. */
  round(): Promise<Readonly<Record<string, Figures>>>;
}

export interface Comparison {
  readonly title: string;
  readonly rounds: number;
  readonly rows: readonly Row[];
}

/** One measure of one operation of one side. */
export interface Row {
  readonly operation: string;
  readonly measure: string;
  readonly side: string;
  /** Medians of the rounds. */
  readonly baseline: number;
  readonly own: number;
  /** Of the ratios within each round. */
  readonly ratio: Spread;
  /** By how much the baseline differs from itself: (highest - lowest) / median. */
  readonly noise: number;
  readonly target?: number;
}

interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** What a side may cost at most in relation to the baseline: side -> `operation`, of times, or `operation measure` -> ratio. */
export type Targets = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Above this difference of the baseline from itself, a ratio near its target tells nothing. */
const NOISY = 0.25;

/** Sides take turns, each round in the opposite order, so that what else the machine does hits all of them alike. */
export async function compare(
  title: string,
  rounds: number,
  [baseline, ...others]: readonly [Side, ...Side[]],
  targets: Targets = {},
): Promise<Comparison> {
  const sides = [baseline, ...others];
  const results = new Map(sides.map((side) => [side, [] as Readonly<Record<string, Figures>>[]]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
      process.stderr.write(`${title}: round ${round} of ${rounds}, ${side.name}\n`);
      results.get(side)?.push(await side.round());
    }
  }
  const figures = (side: Side, operation: string, measure: string) =>
    (results.get(side) ?? []).map((round) => round[operation]?.[measure] ?? Number.NaN);
  const [first = {}] = results.get(baseline) ?? [];
  const rows = Object.entries(first).flatMap(([operation, measures]) =>
    Object.keys(measures).flatMap((measure) =>
      others.map(({ name }, index): Row => {
        const [baselineValues, sideValues] = [
          figures(baseline, operation, measure),
          figures(others[index] ?? baseline, operation, measure),
        ];
        const target = targets[name]?.[isTime(measure) ? operation : `${operation} ${measure}`];
        return {
          operation,
          measure,
          side: name,
          baseline: median(baselineValues),
          own: median(sideValues),
          ratio: spread(sideValues.map((value, round) => value / (baselineValues[round] ?? Number.NaN))),
          noise: (Math.max(...baselineValues) - Math.min(...baselineValues)) / median(baselineValues),
          ...(target !== undefined && { target }),
        };
      }),
    ),
  );
  return { title, rounds, rows };
}

export function print({ title, rounds, rows }: Comparison): void {
  console.log(`\n${title}: medians of ${rounds} rounds, ratios with the lowest and the highest`);
  console.log(line(["operation", "measure", "side"], ["baseline", "own", "ratio"]));
  for (const { operation, measure, side, baseline, own, ratio, noise, target } of rows) {
    const isRatio = Number.isFinite(ratio.median);
    const range = isRatio && rounds > 1 ? `  ${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}` : "";
    const verdict = target !== undefined && ratio.median > target ? `  above ${target}` : "";
    const doubt = isTime(measure) && noise > NOISY ? `  (the baseline varies by ${Math.round(noise * 100)} %)` : "";
    const figures = [number(baseline), number(own), isRatio ? ratio.median.toFixed(2) : ""];
    console.log(line([operation, measure, side], figures) + range + verdict + doubt);
  }
  const times = rows.filter(({ measure }) => isTime(measure));
  if (times.filter(({ noise }) => noise > NOISY).length > times.length / 4)
    console.log(
      "WARNING: this machine is too noisy now to conclude from these times. Run again when it has less to do.",
    );
}

const line = (names: readonly string[], figures: readonly string[]): string =>
  names.map((name) => name.padEnd(13)).join("") + figures.map((figure) => figure.padStart(10)).join("");

const isTime = (measure: string): boolean => measure === "cpu" || measure === "wall";

function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

const number = (value: number): string =>
  Number.isInteger(value) || value >= 1000 ? value.toFixed(0) : value.toFixed(2);
