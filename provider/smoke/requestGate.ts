import type { Client } from "../../client";
import { z } from "../../common/zod";
import { named } from "../lifecycle/fields/fields";
import {
  coldStartBound,
  concurrency,
  count,
  GateError,
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
  spreadOf,
} from "./bounds";
import { inTurns } from "./measure";
import { type Reply, type RequestPlan, Requests } from "./runRequest";
import { type Address, targetOf } from "./target";

export interface RequestGatePlan extends RequestPlan {
  readonly address: Address;
}

/** Result of a gate that passed. */
export interface Answered {
  /** The last answer. */
  readonly reply: Reply;
  readonly measured: RequestFigures;
  readonly judged: readonly Judged[];
}

/**
 * Sends the requests of a gate and compares their measurements with the bounds. The first request goes alone, once a server
 * is there. The others go `concurrency` at a time, in turns with those to the live endpoint.
 *
 * @param proxyDomain domain or address of the proxy for a pod's http ports
 * @param before measurements of the last run that passed, from its state
 * @throws RequestError if an answer is not as expected, or none comes
 * @throws GateError if a bound is exceeded or could not be measured
 */
export async function runRequestGate(
  client: Client,
  plan: RequestGatePlan,
  proxyDomain: string | undefined,
  bounds: RequestBounds,
  before?: unknown,
): Promise<Answered> {
  const { requests = 1, concurrency = 1, liveEndpointId } = bounds;
  const ends = client.clock.now() + plan.timeoutMs;
  const leftMs = () => Math.max(1, ends - client.clock.now());
  const side = async (address: Address) =>
    new Requests(client, await targetOf(client, address, proxyDomain, plan.signal), plan, leftMs);
  const tried = await side(plan.address);
  const live = liveEndpointId === undefined ? undefined : await side({ endpointId: liveEndpointId });
  await inTurns(live === undefined ? [tried] : [tried, live], requests, concurrency);
  const measured: RequestFigures = { ...figures(tried.passed), live: live && figures(live.passed).total };
  const judged = judgeRequests(bounds, measured, requestFigures.safeParse(before).data);
  if (judged.some(({ holds }) => !holds))
    throw new GateError(tried.target.name, measured, judged, `${measured.requests} requests`);
  return { reply: tried.last(), measured, judged };
}

const rounded = (ms: number) => Math.round(ms * 10) / 10;

function figures(replies: readonly Reply[]): RequestFigures {
  const times = (of: (reply: Reply) => number | undefined) =>
    spreadOf(replies.flatMap((reply) => of(reply) ?? []).map(rounded));
  const rates = spreadOf(replies.flatMap(({ perSecond }) => perSecond ?? []).map((rate) => -rounded(rate)));
  const waitedMs = replies[0]?.waitedMs;
  return {
    requests: replies.length,
    coldStart: waitedMs && Math.round(waitedMs),
    firstByte: times(({ firstByteMs }) => firstByteMs),
    firstToken: times(({ firstTokenMs }) => firstTokenMs),
    total: times(({ totalMs }) => totalMs),
    // From the fastest to the slowest.
    rate: rates && { p50: -rates.p50, min: -rates.max },
  };
}

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

const bounds = z.strictObject(requestBoundFields);
export type RequestBounds = z.output<typeof bounds>;
/** The bounds among other arguments. */
export const requestBoundsIn = (values: object): RequestBounds => z.object(requestBoundFields).parse(values);

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
type RequestFigures = z.output<typeof requestFigures>;

/** Compares measurements with the bounds, and with those of the last run that passed, if there was one. */
function judgeRequests(
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
    ...judgeReferences("total", notSlowerThan, figures, last),
  ];
}
