import type { Answer } from "../../cli/verify/verdict";
import type { Wire } from "../../cli/verify/wire";
import { isRecord } from "../../common/json";
import { type Exchange, PLACEHOLDER, type Recording } from "./recording";
import { differencesOf } from "./shape";

/** What came of playing a recording. */
export interface Played {
  /** How many calls were made and compared. */
  readonly compared: number;
  /** One line for each thing that differs, however often it does. */
  readonly differences: readonly string[];
  /** Calls that lacked an id that the emulator did not give out: why is told by a difference before. */
  readonly unplayable: readonly string[];
}

/** Answers that tell of the account or the moment, not of the service. */
const SAYS_NOTHING = new Set([402, 403, 429]);

/** Makes the calls of a recording, with the ids that are answered now in place of those of then, and compares the answers. */
export async function play({ exchanges }: Recording, wire: Wire): Promise<Played> {
  const texts = new Texts(exchanges);
  const differences = new Set<string>();
  const unplayable: string[] = [];
  let compared = 0;
  for (const exchange of exchanges) {
    if (saysNothing(exchange)) continue;
    const asked = texts.filled(exchange);
    if (asked === undefined) {
      unplayable.push(`${callOf(exchange)} (${exchange.fact})`);
      continue;
    }
    const answer = await wire.ask(asked);
    compared += 1;
    texts.learn(exchange.answer.body, answer.body);
    for (const difference of compare(exchange, answer)) differences.add(`${callOf(exchange)}: ${difference}`);
  }
  return { compared, differences: [...differences], unplayable };
}

const saysNothing = ({ answer: { status } }: Exchange): boolean => SAYS_NOTHING.has(status) || status >= 500;

/** For a line: without the ids of the recording, and without the query. */
function callOf({ to, method, path }: Exchange): string {
  if (to === "graphql") return "GraphQL";
  return `${method} ${path.replace(/\?.*/, "").replaceAll(PLACEHOLDER, "{$1}")}`;
}

/** What the placeholders of a recording stand for today. */
class Texts {
  readonly #now = new Map<string, string>();
  /** Those that an answer of the recording shows: what they stand for has to be learned. */
  readonly #answered: ReadonlySet<string>;

  constructor(exchanges: readonly Exchange[]) {
    this.#answered = new Set(exchanges.flatMap(({ answer }) => placeholdersIn(answer.body)));
  }

  /** The call as it is made now; undefined when something that it needs has not been answered. */
  filled({ to, method, path, key, body }: Exchange): Parameters<Wire["ask"]>[0] | undefined {
    const lacks = placeholdersIn([path, body]).some(
      (each) => this.#answered.has(each) && !this.#now.has(each) && !isSecret(each),
    );
    if (lacks) return undefined;
    return {
      to,
      method,
      path: this.#fill(path, encodeURIComponent),
      key,
      ...(body !== undefined && { body: this.#filledBody(body) }),
    };
  }

  /** Pairs the placeholders of the answer of then with the texts of today's. */
  learn(then: unknown, now: unknown): void {
    if (typeof then === "string" && typeof now === "string" && isWhole(then)) {
      if (!this.#now.has(then)) this.#now.set(then, now);
    } else if (Array.isArray(then) && Array.isArray(now))
      for (const [index, each] of then.entries()) this.learn(each, now[index]);
    else if (isRecord(then) && isRecord(now))
      for (const [name, each] of Object.entries(then)) this.learn(each, now[name]);
  }

  #filledBody(value: unknown): unknown {
    if (typeof value === "string") return this.#fill(value, (text) => text);
    if (Array.isArray(value)) return value.map((each) => this.#filledBody(each));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#filledBody(each)]));
  }

  #fill(text: string, encode: (text: string) => string): string {
    return text.replaceAll(PLACEHOLDER, (placeholder, kind: string, length?: string) =>
      encode(
        this.#now.get(placeholder) ?? (length === undefined ? madeUp(placeholder) : kind.charAt(0).repeat(+length)),
      ),
    );
  }
}

/** A text that nobody has, another for each placeholder. */
const madeUp = (placeholder: string): string => placeholder.slice(1, -1);
const isSecret = (placeholder: string): boolean => placeholder.startsWith("<secret-");
const isWhole = (text: string): boolean => text.replace(PLACEHOLDER, "") === "" && text !== "";
const placeholdersIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(PLACEHOLDER) ?? [];

function* compare({ answer: then }: Exchange, now: Answer): Generator<string> {
  if (then.status !== now.status) {
    yield `the service answers ${then.status}, the emulator ${now.status}`;
    // Of another answer all is other.
    return;
  }
  const [mediaThen, mediaNow] = [then.headers, now.headers].map((headers) => headers["content-type"]?.split(";")[0]);
  if (mediaThen !== mediaNow)
    yield `the service answers ${mediaThen ?? "no body"}, the emulator ${mediaNow ?? "no body"}`;
  for (const name of ["allow", "x-request-id", "ratelimit", "ratelimit-policy", "retry-after", "www-authenticate"]) {
    const [isThen, isNow] = [name in then.headers, name in now.headers];
    if (isThen !== isNow) yield `${isThen ? "the service" : "the emulator"} alone sends ${name}`;
  }
  yield* differencesOf(then.body, isBodyless(now) ? undefined : (now.body ?? now.text));
}

const isBodyless = ({ text }: Answer): boolean => text === "";
