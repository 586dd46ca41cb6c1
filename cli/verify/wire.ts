import { type Clock, type Connection, Pools, userAgent } from "../../client";
import { parseJson } from "../../common/json";
import { type Answer, Untried } from "./verdict";

const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
/** A quota that is used up for longer ends the trial. */
const LONGEST_WAIT_MS = 120_000;
/** For a 429 without `Retry-After`: the window of the queues. */
const USUAL_WAIT_MS = 10_000;

/** The configured key, as a bearer token or raw; a made-up key; or no key. */
type KeyForm = "bearer" | "raw" | "made up" | "none";

export interface Asked {
  readonly to?: "rest" | "graphql" | "queue";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With a `{name}` for each of `params`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Default: the usual form of the interface. */
  readonly key?: KeyForm | undefined;
}

/**
 * Sends single requests. The client is not used, because it would retry calls and check the very answers that trials look at.
 * Only a 429 is waited for and sent again, because the service did nothing.
 */
export class Wire {
  /** @param signal ends the calls */
  constructor(
    private readonly connection: Connection,
    readonly clock: Clock,
    private readonly pools = new Pools(undefined, CONNECT_MS),
    private readonly signal?: AbortSignal,
  ) {}

  /** A copy whose calls end with the signal. */
  until(signal: AbortSignal): Wire {
    return new Wire(this.connection, this.clock, this.pools, signal);
  }

  /** @throws Untried when no answer came */
  async ask(request: Asked): Promise<Answer> {
    const until = this.clock.now() + LONGEST_WAIT_MS;
    for (;;) {
      const answer = await this.#send(request);
      if (answer.status !== 429) return answer;
      const seconds = Number(answer.headers["retry-after"]);
      const waitMs = seconds > 0 ? seconds * 1000 : USUAL_WAIT_MS;
      if (this.clock.now() + waitMs > until) throw new Untried(`a quota is used up: ${answer.call} answered 429`);
      await this.clock.sleep(waitMs, this.signal);
    }
  }

  async #send({ to = "rest", method, path, params = {}, body, key }: Asked): Promise<Answer> {
    const call = to === "graphql" ? "GraphQL" : `${method} ${path.replace(/\?.*/, "")}`;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
    const { fetch } = require("undici") as typeof import("undici");
    const { baseUrl, graphqlUrl, serverlessUrl, apiKey } = this.connection;
    const keys = { bearer: `Bearer ${apiKey}`, raw: apiKey, "made up": "Bearer nobody-has-this-key", none: undefined };
    const authorization = keys[key ?? (to === "queue" ? "raw" : "bearer")];
    const { pools, signal } = this;
    signal?.throwIfAborted();
    try {
      const response = await fetch({ rest: baseUrl, graphql: graphqlUrl, queue: serverlessUrl }[to] + filled, {
        method,
        dispatcher: pools.for("calls"),
        redirect: "manual",
        headers: {
          "user-agent": userAgent,
          accept: "application/json",
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal === undefined ? [] : [signal])]),
      });
      const text = await response.text();
      return {
        call,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        body: parseJson(text),
      };
    } catch (error) {
      signal?.throwIfAborted();
      throw new Untried(`no answer to ${call}`, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.pools.release();
  }
}
