import type { Emulator } from "../../../emulator";
import { callsTo } from "../../../tools/run/calls";
import { stopTime } from "../../harness/account";
import { type Deviation, deviationFor } from "../openapi/deviations";
import type { OpenApi } from "../openapi/document";
import { contract, LATER_OPERATIONS } from "../openapi/later";
import { type Exchange, Validator } from "../openapi/validator";

export interface Ask {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent in place of the body as it is. */
  readonly rawBody?: string;
  /** The account's own key unless told; empty sends none. */
  readonly key?: string;
}

/** A story about one noun, told in calls. */
export type Scenario = (talk: Conversation) => Promise<void>;
export type Scenarios = Readonly<Record<string, Scenario>>;

// biome-ignore lint/suspicious/noExplicitAny: scenarios look into answers of every shape
type Body = any;

const STREAM = "text/event-stream";

/**
 * Calls operations by their ids. Every request and every answer is held against the emulator's own OpenAPI document,
 * and against the contract where it is present.
 */
export class Conversation {
  /** Operation id -> the statuses that it has answered with. */
  readonly seen = new Map<string, Set<number>>();
  /** Names of the deviations that were met. */
  readonly deviations = new Set<string>();

  private constructor(
    private readonly emulator: Emulator,
    readonly ownDocument: Validator,
    readonly contract: Validator | undefined,
  ) {}

  static async begin(emulator: Emulator): Promise<Conversation> {
    const response = await fetch(`${emulator.baseUrl}/v2/openapi.json`);
    const openApi: OpenApi = JSON.parse(await response.text());
    const talk = new Conversation(emulator, new Validator(openApi), contract && new Validator(contract));
    const calls = callsTo(emulator);
    await stopTime(calls);
    // A boot of no time would come between two reads.
    await calls.control("PUT", "/settings", { podBootMs: 1 });
    return talk;
  }

  /** Calls an operation, and fails when it does not answer with `status` or a document contradicts the exchange. */
  async call(operationId: string, status: number, ask: Ask = {}): Promise<Body> {
    const { answer, problems, ...exchange } = await this.exchange(operationId, ask);
    if (exchange.status !== status) problems.unshift(`status ${exchange.status} instead of ${status}`);
    if (problems.length > 0)
      throw new Error(`${operationId}: ${problems.join("; ")}\nasked ${show(ask)}\nanswered ${show(answer)}`);
    this.seen.set(operationId, (this.seen.get(operationId) ?? new Set()).add(status));
    return answer;
  }

  /** Calls an operation; returns what came of it and what the documents have against that. */
  async exchange(operationId: string, ask: Ask = {}): Promise<Exchange & { readonly problems: string[] }> {
    const { params = {}, query = {}, body, rawBody = JSON.stringify(body), key = this.emulator.apiKey } = ask;
    const operation = this.ownDocument.operations.get(operationId);
    if (operation === undefined) throw new Error(`the emulator has no operation ${operationId}`);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? "nobody"));
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
    const response = await fetch(this.emulator.baseUrl + path + search, {
      method: operation.method,
      headers: {
        ...(key !== "" && { authorization: `Bearer ${key}` }),
        ...(rawBody !== undefined && { "content-type": "application/json" }),
      },
      ...(rawBody !== undefined && { body: rawBody }),
    });
    const answer = await readBody(response);
    const exchange = { operationId, query, body, status: response.status, headers: response.headers, answer };
    const problems = [
      ...(response.headers.has("x-request-id") ? [] : ["header x-request-id is missing"]),
      ...this.problemsOf("own document", this.ownDocument, exchange),
      ...(LATER_OPERATIONS.has(operationId) ? [] : this.problemsOf("contract", this.contract, exchange)),
    ];
    return { ...exchange, problems };
  }

  async control(method: string, path: string, body?: unknown): Promise<Body> {
    return (await callsTo(this.emulator).control(method, path, body)).body;
  }

  advance(advanceMs: number): Promise<Body> {
    return this.control("POST", "/clock", { advanceMs });
  }

  private problemsOf(name: string, validator: Validator | undefined, exchange: Exchange): string[] {
    if (validator === undefined) return [];
    const unnamed = validator.namesStatus(exchange) ? [] : [`it does not list status ${exchange.status}`];
    const check = (kind: Deviation["kind"], errors: string[]) =>
      validator === this.contract ? this.unexcused(kind, exchange, errors) : errors;
    return [
      ...requestVerdict(validator, exchange),
      ...check("status", unnamed),
      ...check("answer", validator.answerErrors(exchange)),
    ].map((error) => `${name}: ${error}`);
  }

  /** What no deviation from the contract explains. */
  private unexcused(kind: Deviation["kind"], { operationId, status }: Exchange, errors: string[]): string[] {
    if (errors.length === 0) return [];
    const deviation = deviationFor(kind, operationId, status);
    if (deviation === undefined) return errors;
    this.deviations.add(deviation.name);
    return [];
  }
}

/** A 422 that lists broken schema rules must have a document on its side; any other answer means that none is broken. */
function requestVerdict(validator: Validator, exchange: Exchange): string[] {
  // The schemas are looked at only once the key, the quota and the JSON are in order.
  if ([401, 403, 429].includes(exchange.status) || exchange.body === undefined) return [];
  const errors = validator.requestErrors(exchange);
  const listsErrors = exchange.status === 422 && Object(exchange.answer).errors !== undefined;
  if (listsErrors) return errors.length > 0 ? [] : ["the request that was refused is valid"];
  return errors.map((error) => `the request is not valid: ${error}`);
}

/** An answer's body. Of a stream, which has no end, the first event. */
async function readBody(response: Response): Promise<unknown> {
  if (response.headers.get("content-type")?.startsWith(STREAM)) {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    await reader?.cancel();
    return first?.value;
  }
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 2000) ?? "nothing";
