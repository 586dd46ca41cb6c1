import { isRecord } from "../../common/json";
import { excerpt, secretsIn } from "../../common/redact";
import type { Answer, WireCall } from "../calls/call";
import { timeLeft } from "../calls/cancellation";
import type { Send, Transport } from "../calls/transport";
import { BadRequestError, type ComputeCloudError, ContractError, GraphqlError, RetiredError } from "../errors";
import type { CallOptions, GraphqlEnd } from "../options";
import type { Creator } from "../outcomes/create";
import { FailedAnswer, shortened } from "../outcomes/failures";
import type { Reconcile, Tally } from "../outcomes/retry";
import { errorMessage, type Fault, SHOWN_OF_ANSWER } from "../outcomes/statuses";
import type { ReadWindows } from "../rest/batch";

export interface GraphqlCall extends CallOptions, Pick<WireCall, "class" | "kind" | "id" | "changes" | "heldMs"> {
  /** The requested field, as errors name it. */
  operation: string;
  document: string;
  /** The document where the service, or the key, lacks some of its fields. Only for queries. */
  older?: string | undefined;
  variables?: object | undefined;
  /** The document has several independent fields, and the caller handles the errors of each. */
  byField?: true | undefined;
}

export type GraphqlData = Readonly<Record<string, unknown>>;

export interface GraphqlProblem {
  message: string;
  path: readonly (string | number)[];
  code: string | undefined;
}

/** The content of an answer, which may have both data and errors. */
export interface GraphqlReply {
  data: unknown;
  problems: readonly GraphqlProblem[];
  /** Redacted, which takes longer than the rest of reading an answer. */
  requestId(): string | undefined;
}

const JSON_TYPE = "application/json";

/** What an answer may have: every answer of GraphQL has one of these. */
interface Members {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: unknown;
}

/** GraphQL over the transport. graphql-request's client makes each request and reads its answer, the transport sends it. */
export class Graphql {
  #hasEnded: boolean | undefined;
  /** The service has refused newer fields, and taken an older form. */
  #isOlder = false;

  constructor(
    readonly transport: Transport,
    readonly windows: ReadWindows,
    readonly creator: Creator,
    private readonly end?: GraphqlEnd,
  ) {}

  /** Whether the service has ended GraphQL, as far as this client knows. */
  get hasEnded(): boolean {
    this.#hasEnded ??= this.end?.isNoted() ?? false;
    return this.#hasEnded;
  }

  #noteEnd(): void {
    if (this.#hasEnded !== true) this.end?.note();
    this.#hasEnded = true;
  }

  /**
   * Sends a call and reads the answer's data.
   *
   * @param read extracts the result; a ContractError makes the answer count as lost
   * @param reconcile finds out whether the call was done, when its answer is lost
   * @throws GraphqlError when the answer carries errors or no data
   */
  call<T>(call: GraphqlCall, read: (data: GraphqlData) => T, reconcile?: Reconcile<T>): Promise<T> {
    return this.#send(
      call,
      (reply) => {
        const [problem] = reply.problems;
        if (problem !== undefined) throw graphqlError(call, reply.requestId(), problem);
        if (!isRecord(reply.data)) throw failed(call, "unreadable", reply.requestId());
        if (reply.data.myself === null) throw this.unknownKey(call, reply);
        return read(reply.data);
      },
      reconcile,
    );
  }

  /** The whole answer, for callers that handle its errors. */
  exchange(call: GraphqlCall): Promise<GraphqlReply> {
    return this.#send(call, (reply) => reply);
  }

  /** GraphQL may answer an invalid key with 200 and `myself: null`. */
  unknownKey({ kind, id }: Pick<GraphqlCall, "kind" | "id">, { requestId }: GraphqlReply): ComputeCloudError {
    return this.transport.unknownKey({ kind, id, requestId: requestId(), detail: "GraphQL does not know this key" });
  }

  async #send<T>(
    { older, ...call }: GraphqlCall,
    read: (reply: GraphqlReply) => T,
    reconcile?: Reconcile<T>,
  ): Promise<T> {
    if (older === undefined) return this.#sendOnce(call, read, reconcile);
    const remaining = timeLeft(call, this.transport.clock, call);
    const sendOlder = () => this.#sendOnce({ ...remaining(), document: older }, read);
    if (this.#isOlder) return sendOlder();
    let isRefused = false;
    try {
      return await this.#sendOnce(remaining(), (reply) => {
        isRefused = needsOlder(reply, older);
        if (isRefused) throw graphqlError(call, reply.requestId(), reply.problems[0]);
        return read(reply);
      });
    } catch (error) {
      if (!isRefused && !(error instanceof BadRequestError)) throw error;
      const value = await sendOlder();
      this.#isOlder = true;
      return value;
    }
  }

  async #sendOnce<T>(call: GraphqlCall, read: (reply: GraphqlReply) => T, reconcile?: Reconcile<T>): Promise<T> {
    const { operation, document, variables, byField, ...options } = call;
    const { graphqlUrl, graphqlKeyIn } = this.transport.settings;
    const wire = {
      ...options,
      quota: "graphql",
      method: "POST",
      url: graphqlUrl,
      key: graphqlKeyIn === "query" ? "query" : "bearer",
      label: `GraphQL ${operation}`,
      secrets: () => secretsIn(variables),
    } as const;
    const use = async (send: Send) => {
      const reply = await this.#reply(call, send);
      const transient = reply.problems.find((problem) => isTransient(problem) && !(byField && problem.path.length > 0));
      if (transient !== undefined) throw failed(call, "doubtful", reply.requestId(), transient);
      return read(reply);
    };
    try {
      return await this.transport.sendBy(wire, use, reconcile);
    } catch (error) {
      if (error instanceof RetiredError) this.#noteEnd();
      throw error;
    }
  }

  /** @throws ContractError for an answer that is not GraphQL */
  async #reply(call: GraphqlCall, send: Send): Promise<GraphqlReply> {
    // Loaded with the first call: programs that make none need no parser.
    const { GraphQLClient } = require("./library") as typeof import("./library");
    let answer: Answer | undefined;
    // Not a Response of Node's own, which would cost each process more time than all the rest of the call.
    const fetch = async (_: string | URL | Request, init?: RequestInit) => {
      answer = await send(String(init?.body));
      const { status, text } = answer;
      return { ok: true, status, headers: { get: (_: string): string | null => JSON_TYPE }, text: async () => text };
    };
    const options = { errorPolicy: "all", fetch: fetch as typeof globalThis.fetch } as const;
    const client = new GraphQLClient(this.transport.settings.graphqlUrl, options);
    const reading: Promise<Members> = client.rawRequest<unknown>(call.document, call.variables);
    const { data, errors, extensions } = await reading.catch((error: unknown): Members => {
      if (answer === undefined) throw error;
      return {};
    });
    if (answer === undefined || (data === undefined && errors === undefined && extensions === undefined))
      throw this.#foreign(call, answer);
    return { data, problems: problemsOf(errors), requestId: () => answer?.requestId };
  }

  #foreign({ kind, id }: GraphqlCall, answer: Answer | undefined): ContractError {
    const { status, text = "", requestId }: Partial<Answer> = answer ?? {};
    const detail = excerpt(text, SHOWN_OF_ANSWER);
    const facts = { kind, id, status, detail, requestId, path: "" };
    const wayOut =
      "Nothing is known to be done: a gateway or another service probably answers at this address. Check graphqlUrl and " +
      "any proxy.";
    return new ContractError(errorMessage({ ...facts, title: "the answer is not GraphQL" }, wayOut), facts);
  }
}

/** Whether nothing was executed, or only fields that the older document lacks. Errors of a field name its path. */
function needsOlder({ data, problems }: GraphqlReply, older: string): boolean {
  const isRefused = ({ path }: GraphqlProblem) =>
    path.length === 0 ? !isRecord(data) : path.some((part) => typeof part === "string" && !older.includes(part));
  return problems.length > 0 && problems.every(isRefused);
}

/** A 200 that reports a failure, or has no data. */
function failed(call: GraphqlCall, fault: Fault, requestId: string | undefined, problem?: GraphqlProblem) {
  return new FailedAnswer({
    fault,
    reason: problem?.code ?? "error",
    toError: (tally) => graphqlError(call, requestId, problem, tally),
  });
}

/** Codes of errors that are not the request's fault: the service, or something behind it, has failed. */
const transientCodes = new Set([
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
  "DOWNSTREAM_SERVICE_ERROR",
  "BAD_GATEWAY",
  "GATEWAY_TIMEOUT",
  "TIMEOUT",
  "RATE_LIMITED",
  "TOO_MANY_REQUESTS",
  "THROTTLED",
]);

/** Whether an error is not the request's fault. It does not tell whether the service has done the work. */
export const isTransient = ({ code }: GraphqlProblem): boolean => code !== undefined && transientCodes.has(code);

function problemsOf(errors: unknown): GraphqlProblem[] {
  if (errors === undefined) return [];
  return (Array.isArray(errors) ? errors : [errors]).map((error: unknown) => {
    const fields = isRecord(error) ? error : {};
    const code = isRecord(fields.extensions) ? fields.extensions.code : undefined;
    return {
      message: typeof fields.message === "string" ? fields.message : "error without a message",
      path: Array.isArray(fields.path) ? fields.path : [],
      code: typeof code === "string" ? code : undefined,
    };
  });
}

/** The error of an answer with problems, or without data. */
export function graphqlError(
  call: { operation: string; kind: string; id?: string | undefined },
  requestId: string | undefined,
  problem?: GraphqlProblem,
  tally?: Tally,
): GraphqlError {
  const detail = shortened(problem?.message ?? "the answer has no data");
  const facts = { kind: call.kind, id: call.id, status: 200, detail, requestId, ...tally };
  const wayOut =
    problem === undefined ? "Check that the key is valid for GraphQL." : "Correct the arguments, or run it again.";
  return new GraphqlError(errorMessage({ ...facts, status: undefined, title: call.operation }, wayOut), {
    ...facts,
    operation: call.operation,
    extensionCode: problem?.code,
  });
}
