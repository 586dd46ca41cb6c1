import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";
import {
  coldStartBound,
  concurrency,
  count,
  type Judged,
  judgeAtLeast,
  judgeColdStart,
  judgeRanks,
  judgeReferences,
  milli,
  percentiles,
  readGate,
  referenceBound,
  referenceProblems,
  spread,
} from "./bounds";

const rate = z.number().positive().optional();

/** Bounds that a gate's requests have to keep, besides the expected answer. All are optional. */
export const requestBoundFields = {
  requests: count.describe("Number of requests, 1 to 1000, all the same. Default 1."),
  concurrency: concurrency.describe("Requests at a time, 1 to 100, after the first one. Default 1."),
  coldStart: coldStartBound,
  firstByte: percentiles
    .optional()
    .describe("How long the first byte of an answer's body may take. Default: not checked."),
  firstToken: percentiles.optional().describe("How long the first token of a `chat` may take. Default: not checked."),
  total: percentiles.optional().describe("How long an answer may take to its end. Default: not checked."),
  rate: named(
    "RateBound",
    z
      .strictObject({
        p50: rate.describe("Lower bound of the median."),
        min: rate.describe("Lower bound of every one."),
      })
      .describe("Tokens a second of a `chat`, or events a second of another stream. Default: not checked."),
  ).optional(),
  notSlowerThan: referenceBound.describe(
    "How much slower answers may come to their end than a reference: 1.2 is 20 % slower. Default: not checked.",
  ),
  liveEndpointId: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the endpoint for `notSlowerThan.live`. The requests really go there. Default: none."),
};
export const requestBoundNames = Object.keys(requestBoundFields) as (keyof typeof requestBoundFields)[];

const bounds = z.strictObject(requestBoundFields);
export type RequestBounds = z.output<typeof bounds>;
/** The bounds among other arguments. */
export const requestBoundsIn = (values: object): RequestBounds => z.object(requestBoundFields).parse(values);

/**
 * Reads bounds from the command line.
 *
 * @throws Error that names what is wrong
 */
export const readRequestBounds = (value: unknown): RequestBounds =>
  readGate(value, bounds, (read) => referenceProblems(read), "SmokeRequest");

/** Measurements of a gate's requests. */
export const requestFigures = z.object({
  requests: z.int().describe("Number of requests."),
  coldStart: milli(" until something answered; absent if something did at once").optional(),
  firstByte: spread.optional().describe("How long the first byte of an answer's body took."),
  firstToken: spread.optional().describe("How long the first token of a `chat` took."),
  total: spread.optional().describe("How long answers took to their end."),
  rate: named(
    "StreamRates",
    z
      .object({ p50: z.number().describe("The median."), min: z.number().describe("The lowest.") })
      .describe("Tokens a second of a `chat`, or events a second of another stream."),
  ).optional(),
  live: spread.optional().describe("How long answers of `liveEndpointId` took to their end."),
});
export type RequestFigures = z.output<typeof requestFigures>;

/**
 * Compares measurements with the bounds.
 *
 * @param last measurements of the last run that passed, if there was one
 */
export function judgeRequests(
  { coldStart, firstByte, firstToken, total, rate, notSlowerThan }: RequestBounds,
  figures: RequestFigures,
  last: RequestFigures | undefined,
): Judged[] {
  const rates = (["p50", "min"] as const).flatMap((rank) => {
    const bound = rate?.[rank];
    return bound === undefined ? [] : [judgeAtLeast(`rate ${rank}`, figures.rate?.[rank], bound)];
  });
  return [
    ...judgeColdStart(coldStart, figures.coldStart),
    ...judgeRanks("first byte", firstByte, figures.firstByte),
    ...judgeRanks("first token", firstToken, figures.firstToken),
    ...judgeRanks("total", total, figures.total),
    ...rates,
    ...judgeReferences("total", notSlowerThan, figures.total, figures.live, last && { time: last.total }),
  ];
}
