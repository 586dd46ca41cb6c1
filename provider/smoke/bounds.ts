import { milliseconds } from "../../common/duration";
import { textTable } from "../../common/table";
import { z } from "../../common/zod";
import { catalogued } from "../catalog/catalogued";
import { named, span, unordered } from "../lifecycle/fields/fields";
import type { Unknown } from "../lifecycle/fields/unknown";
import { inWords } from "../lifecycle/fields/zodMessages";

const atMost = span.optional();
export const percentiles = named(
  "PercentileBounds",
  z
    .strictObject({
      p50: atMost.describe("Upper bound of the median: `500ms`, `2s`."),
      p90: atMost.describe("Upper bound of the 90th percentile."),
      p95: atMost.describe("Upper bound of the 95th percentile."),
      p99: atMost.describe("Upper bound of the 99th percentile."),
      max: atMost.describe("Upper bound of every one."),
    })
    .describe("Upper bounds of a time's percentiles (nearest rank), such as `500ms`, `2s` or `3m`."),
);
const factor = z.number().positive().optional();
export const coldStartBound = named(
  "ColdStartBound",
  z
    .strictObject({ max: span.describe("Such as `90s`.") })
    .describe("How long the first one may wait for a worker if none was ready before it. Default: not checked."),
).optional();
export const referenceBound = named(
  "ReferenceBound",
  z
    .strictObject({
      live: factor.describe("Factor over `liveEndpointId`, which is given as many in turns with this endpoint."),
      last: factor.describe("Factor over the last run that passed. The first run is not compared."),
    })
    .describe("How much slower the median and the 95th percentile may be: 1.2 is 20 % slower. Default: not checked."),
).optional();
export const concurrency = z.int().min(1).max(100).optional();
export const count = z.int().min(1).max(1000).optional();

/** Bounds that a gate's jobs have to keep, besides the expected output. All are optional. */
export const boundFields = {
  jobs: count.describe("Number of jobs, 1 to 1000, all with the same input. Default 1."),
  concurrency: concurrency.describe("Jobs at a time, 1 to 100, after the first one. Default 1."),
  coldStart: coldStartBound,
  delay: percentiles
    .optional()
    .describe("How long jobs may wait for a worker, without a cold start. Default: not checked."),
  execution: percentiles.optional().describe("How long workers may take for a job. Default: not checked."),
  gpu: unordered(
    z
      .array(catalogued("gpuType", z.string().min(1)))
      .min(1)
      .optional(),
  ).describe("GPU types that the jobs may run on, such as `NVIDIA L4`. Default: any."),
  cost: named(
    "JobCostBound",
    z
      .strictObject({ perJobMax: z.number().positive().describe("USD.") })
      .describe(
        "Average cost of a job: the workers' execution time at the catalog's serverless price of their GPUs. Start and idle " +
          "time are not included. Default: not checked.",
      ),
  ).optional(),
  notSlowerThan: referenceBound.describe(
    "How much slower the execution may be than a reference: 1.2 is 20 % slower. Default: not checked.",
  ),
  liveEndpointId: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the endpoint for `notSlowerThan.live`. The jobs really run there. Default: none."),
};

const bounds = z.strictObject(boundFields);
export type Bounds = z.output<typeof bounds>;
/** The bounds among other arguments. */
export const boundsIn = (args: object): Bounds => z.object(boundFields).parse(args);
type Percentiles = z.output<typeof percentiles>;

/** Mistakes in bounds that the schema can't find; `property` is the dotted path. */
export function boundProblems(
  { jobs = 1, delay, notSlowerThan, liveEndpointId }: Partial<Bounds>,
  isUnknown: (field: keyof Bounds) => Unknown = () => false,
) {
  return [
    ...(delay !== undefined && jobs < 2 && !isUnknown("jobs")
      ? [{ property: "delay", reason: "needs jobs of 2 or more: the first one may wait for a cold start" }]
      : []),
    ...referenceProblems({ notSlowerThan, liveEndpointId }, isUnknown),
  ];
}

export function referenceProblems(
  { notSlowerThan, liveEndpointId }: Partial<Pick<Bounds, "notSlowerThan" | "liveEndpointId">>,
  isUnknown: (field: "notSlowerThan" | "liveEndpointId") => Unknown = () => false,
) {
  const needsLive = notSlowerThan?.live !== undefined;
  return [
    ...(needsLive && liveEndpointId === undefined && !isUnknown("liveEndpointId")
      ? [{ property: "notSlowerThan.live", reason: "needs liveEndpointId, the endpoint to compare with" }]
      : []),
    ...(!needsLive && liveEndpointId !== undefined && !isUnknown("notSlowerThan")
      ? [{ property: "liveEndpointId", reason: "is used by notSlowerThan.live alone; remove it, or set that" }]
      : []),
  ];
}

export const readBounds = (value: unknown): Bounds => readGate(value, bounds, boundProblems, "SmokeJob");

/** Reads bounds from the command line. @throws Error that names what is wrong */
export function readGate<T>(
  value: unknown,
  schema: z.ZodType<T>,
  problemsOf: (bounds: T) => readonly { property: string; reason: string }[],
  kind: string,
): T {
  const result = schema.safeParse(value, { error: inWords });
  const problems = result.success
    ? problemsOf(result.data).map(({ property, reason }) => `${property} ${reason}`)
    : [issuesText(result.error)];
  if (result.success && problems.length === 0) return result.data;
  throw new Error(`--gate: ${problems.join("; ")}. It takes what the bounds of a ${kind} take, as JSON.`);
}

export const issuesText = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(" ")).join("; ");

export const milli = (what: string) => z.number().describe(`Milliseconds${what}.`);
export const spread = named(
  "TimePercentiles",
  z
    .object({
      p50: milli(" of the median"),
      p90: milli(""),
      p95: milli(""),
      p99: milli(""),
      max: milli(" of the longest"),
    })
    .describe("Percentiles (nearest rank) of a time."),
);
export type Spread = z.output<typeof spread>;

/** Measurements of a gate's jobs. */
export const measured = z.object({
  jobs: z.int().describe("Number of jobs."),
  coldStart: milli(" that the first job waited for a worker; absent if one was ready").optional(),
  delay: spread.optional().describe("How long jobs waited for a worker, without a cold start."),
  execution: spread.optional().describe("How long workers took."),
  gpus: z
    .record(z.string(), z.int())
    .optional()
    .describe("Number of jobs by the GPU type that they ran on; `unknown` if the service did not show it."),
  costPerJob: z.number().optional().describe("Average cost of a job in USD; absent if a price is not known."),
  live: spread.optional().describe("How long the workers of `liveEndpointId` took."),
});
export type Measured = z.output<typeof measured>;

/** Percentiles by nearest rank; undefined for an empty list. */
export function spreadOf(times: readonly number[]): Spread | undefined {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return sorted.length === 0 ? undefined : { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** A bound and its measurement as text. */
export interface Judged {
  readonly measure: string;
  readonly found: string;
  readonly bound: string;
  readonly holds: boolean;
}

/** Shown for a value that could not be measured. Its bound counts as exceeded, so a gate never passes unmeasured. */
const UNSEEN = "not measured";

/**
 * Compares measurements with the bounds.
 *
 * @param last measurements of the last run that passed, if there was one
 */
export function judge(bounds: Bounds, measurements: Measured, last: Measured | undefined): Judged[] {
  const { coldStart, gpu, cost, notSlowerThan, delay, execution } = bounds;
  const { gpus = {} } = measurements;
  const others = Object.keys(gpus).filter((type) => !gpu?.includes(type));
  return [
    ...judgeColdStart(coldStart, measurements.coldStart),
    ...judgeRanks("delay", delay, measurements.delay),
    ...judgeRanks("execution", execution, measurements.execution),
    ...judgeReferences("execution", notSlowerThan, measurements, last),
    ...(gpu === undefined
      ? []
      : [
          {
            measure: "GPU",
            found:
              Object.entries(gpus)
                .map(([type, jobs]) => `${jobs} × ${type}`)
                .join(", ") || UNSEEN,
            bound: gpu.join(", "),
            holds: others.length === 0 && Object.keys(gpus).length > 0,
          },
        ]),
    ...(cost === undefined ? [] : [judgeAtMost("cost per job", measurements.costPerJob, cost.perJobMax, usd, usd)]),
  ];
}

export function judgeColdStart(bound: z.output<typeof coldStartBound>, ms: number | undefined): Judged[] {
  return bound === undefined ? [] : [judgeAtMost("cold start", ms, milliseconds(bound.max))];
}

/**
 * @param time the measurement that is compared
 * @param before measurements of the last run that passed; undefined if there was none
 */
export function judgeReferences<Time extends string>(
  time: Time,
  { live, last }: z.output<typeof referenceBound> = {},
  measurements: Compared<Time>,
  before: Compared<Time> | undefined,
): Judged[] {
  const compared = (reference: string, times: number | undefined, spread: Spread | undefined) =>
    times === undefined
      ? []
      : (["p50", "p95"] as const).map((rank) =>
          judgeAtMost(
            `${time} ${rank}`,
            measurements[time]?.[rank],
            spread && Math.max(1, spread[rank]) * times,
            (ms) => `${times} × ${reference} = ${inMs(ms)}`,
          ),
        );
  return [...compared("live", live, measurements.live), ...compared("last", before && last, before?.[time])];
}

type Compared<Time extends string> = { readonly [Key in Time | "live"]?: Spread | undefined };

export function judgeRanks(name: string, bounds: Percentiles | undefined, measured: Spread | undefined): Judged[] {
  return (["p50", "p90", "p95", "p99", "max"] as const).flatMap((rank) => {
    const bound = bounds?.[rank];
    return bound === undefined ? [] : [judgeAtMost(`${name} ${rank}`, measured?.[rank], milliseconds(bound))];
  });
}

function judgeAtMost(
  measure: string,
  value: number | undefined,
  bound: number | undefined,
  boundText: (bound: number) => string = inMs,
  valueText: (value: number) => string = inMs,
): Judged {
  return {
    measure,
    found: value === undefined ? UNSEEN : valueText(value),
    bound: bound === undefined ? UNSEEN : `at most ${boundText(bound)}`,
    holds: value !== undefined && bound !== undefined && value <= bound,
  };
}

export function judgeAtLeast(measure: string, rate: number | undefined, bound: number): Judged {
  const text = (value: number) => `${Number(value.toPrecision(3))}/s`;
  return {
    measure,
    found: rate === undefined ? UNSEEN : text(rate),
    bound: `at least ${text(bound)}`,
    holds: rate !== undefined && rate >= bound,
  };
}

const inMs = (ms: number): string => (ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`);

const usd = (amount: number): string => `$${Number(amount.toPrecision(3))}`;

/** The jobs or requests passed, but exceeded a bound. */
export class GateError extends Error {
  override readonly name = "GateError";
  constructor(
    /** What was tried: an endpoint's id, or the address of a request. */
    readonly target: string,
    readonly measured: object,
    readonly judged: readonly Judged[],
    /** Such as `3 jobs`. */
    tries: string,
  ) {
    const failed = judged.filter(({ holds }) => !holds);
    super(
      `The gate on ${target} did not pass: its ${tries} succeeded, but ${failed.length} of ` +
        `${judged.length} bounds ${failed.length === 1 ? "is" : "are"} not kept.\n${tableOf(judged)}`,
    );
  }
}

export function tableOf(judged: readonly Judged[]): string {
  const rows = [
    ["", "measured", "bound", ""],
    ...judged.map(({ measure, found, bound, holds }) => [measure, found, bound, holds ? "kept" : "NOT KEPT"]),
  ];
  return textTable(rows);
}
