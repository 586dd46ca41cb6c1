import type { Client } from "../../client";
import { GateError, spreadOf } from "./bounds";
import { inTurns, type Side, together } from "./measure";
import {
  judgeRequests,
  type RequestBounds,
  type RequestFigures,
  requestBoundNames,
  requestFigures,
} from "./requestBounds";
import { type Reply, type RequestPlan, Requests } from "./runRequest";
import { type Address, type Addresses, targetOf } from "./target";

export interface RequestGatePlan extends RequestPlan {
  readonly address: Address;
}

/** Result of a gate that passed. */
export interface Answered {
  /** The last answer. */
  readonly reply: Reply;
  readonly measured: RequestFigures;
}

/**
 * Sends the requests of a gate and compares their measurements with the bounds. The first request goes alone, once a server
 * is there. The others go `concurrency` at a time, in turns with those to the live endpoint.
 *
 * @param before measurements of the last run that passed, from its state
 * @throws RequestError if an answer is not as expected, or none comes
 * @throws GateError if a bound is exceeded or could not be measured
 */
export async function runRequestGate(
  client: Client,
  plan: RequestGatePlan,
  addresses: Addresses,
  bounds: RequestBounds,
  before?: unknown,
): Promise<Answered> {
  const { requests = 1, concurrency = 1, liveEndpointId } = bounds;
  const ends = client.clock.now() + plan.timeoutMs;
  const leftMs = () => Math.max(1, ends - client.clock.now());
  const side = async (address: Address) =>
    new RequestsTo(client, await targetOf(client, address, addresses, plan.signal), plan, leftMs);
  const tried = await side(plan.address);
  const live = liveEndpointId === undefined ? undefined : await side({ endpointId: liveEndpointId });
  await inTurns(live === undefined ? [tried] : [tried, live], requests, concurrency);
  const measured: RequestFigures = { ...figures(tried.replies), live: live && figures(live.replies).total };
  const judges = requestBoundNames.some((name) => bounds[name] !== undefined);
  const judged = judges ? judgeRequests(bounds, measured, requestFigures.safeParse(before).data) : [];
  if (judged.some(({ holds }) => !holds)) {
    throw new GateError(tried.name, measured, judged, `${measured.requests} requests`);
  }
  return { reply: tried.last(), measured };
}

class RequestsTo implements Side {
  readonly replies: Reply[] = [];
  readonly name: string;
  readonly #requests: Requests;

  constructor(
    client: Client,
    target: Awaited<ReturnType<typeof targetOf>>,
    private readonly plan: RequestPlan,
    private readonly leftMs: () => number,
  ) {
    this.name = target.name;
    this.#requests = new Requests(client, target, plan);
  }

  first(): Promise<void> {
    return this.run(1);
  }

  async run(count: number): Promise<void> {
    const send = (signal: AbortSignal) => this.#requests.send(signal, this.leftMs());
    this.replies.push(...(await together(count, this.plan.signal, send)));
  }

  last(): Reply {
    const reply = this.replies.at(-1);
    if (reply === undefined) throw new TypeError("a gate has sent a request");
    return reply;
  }
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
