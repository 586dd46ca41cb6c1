import type { Variables } from "graphql-request";
import type { ReadWindows } from "../batch";
import type { Answer } from "../calls/call";
import type { Transport } from "../calls/transport";
import { ContractError, GraphqlError, RetiredError } from "../errors";
import type { CallOptions, GraphqlEnd } from "../options";
import type { Creator } from "../outcomes/create";
import { FailedAnswer } from "../outcomes/failures";
import type { CallClass, Reconcile, Tally } from "../outcomes/retry";
import { errorMessage, type Fault } from "../outcomes/statuses";
import { secretsIn } from "../text/redact";
import { isRecord } from "../values/json";

export interface GraphqlCall extends CallOptions {
  /** Field asked for, as errors name it. */
  operation: string;
  class: CallClass;
  kind: string;
  id?: string | undefined;
  document: string;
  variables?: Variables | undefined;
  /** The document asks for several things: the errors of one field say nothing about the others, and are the caller's. */
  byField?: true | undefined;
  /** Milliseconds that the answer may take on top of the usual time. */
  heldMs?: number | undefined;
}

export type GraphqlData = Readonly<Record<string, unknown>>;

export interface GraphqlProblem {
  message: string;
  path: readonly (string | number)[];
  code: string | undefined;
}

/** What an answer says: GraphQL may carry data and errors side by side. Problems are safe to show. */
export interface GraphqlReply {
  data: unknown;
  problems: readonly GraphqlProblem[];
  requestId: string | undefined;
}

/**
 * GraphQL over the transport: one operation like those of REST, a POST whose answer is read once. graphql-request makes
 * the request out of a document and its variables.
 */
export class Graphql {
  readonly transport: Transport;
  readonly windows: ReadWindows;
  readonly creator: Creator;
  readonly #end: GraphqlEnd | undefined;
  #hasEnded: boolean | undefined;

  constructor(transport: Transport, windows: ReadWindows, creator: Creator, end?: GraphqlEnd) {
    this.transport = transport;
    this.windows = windows;
    this.creator = creator;
    this.#end = end;
  }

  /** Whether the service has ended GraphQL, as far as is known here. */
  get hasEnded(): boolean {
    this.#hasEnded ??= this.#end?.isNoted() ?? false;
    return this.#hasEnded;
  }

  #noteEnd(): void {
    if (this.#hasEnded !== true) this.#end?.note();
    this.#hasEnded = true;
  }

  /**
   * What `read` takes out of an answer's data.
   *
   * @param read a ContractError makes the answer a lost one
   * @param reconcile finds out what became of the call when its answer is lost
   * @throws GraphqlError when the answer carries errors or no data
   */
  call<T>(call: GraphqlCall, read: (data: GraphqlData) => T, reconcile?: Reconcile<T>): Promise<T> {
    return this.#send(
      call,
      (reply) => {
        const { data, problems, requestId } = reply;
        const [problem] = problems;
        if (problem !== undefined) throw graphqlError(call, requestId, problem);
        if (!isRecord(data)) throw failed(call, "unreadable", requestId);
        this.requireSomebody(data, call, requestId);
        return read(data);
      },
      reconcile,
    );
  }

  /** The answer as it is, for callers that can use one with errors in it. */
  exchange(call: GraphqlCall): Promise<GraphqlReply> {
    return this.#send(call, (reply) => reply);
  }

  /** A bad key may be answered with 200 and nobody. */
  requireSomebody(
    data: GraphqlData,
    { kind, id }: { kind: string; id?: string | undefined },
    requestId?: string,
  ): void {
    if (data.myself === null)
      throw this.transport.unknownKey({ kind, id, requestId, detail: "GraphQL knows nobody by this key" });
  }

  async #send<T>(call: GraphqlCall, read: (reply: GraphqlReply) => T, reconcile?: Reconcile<T>): Promise<T> {
    const { operation, document, variables, byField, ...options } = call;
    const secrets = () => secretsIn(variables);
    const wire = {
      ...options,
      quota: "graphql",
      method: "POST",
      url: this.transport.graphqlUrl,
      key: this.transport.graphqlKeyIn === "query" ? "query" : "bearer",
      label: `GraphQL ${operation}`,
      body: requestText(document, variables),
      secrets,
    } as const;
    const readAnswer = (answer: Answer) => {
      const reply = this.#reply(call, answer, secrets);
      const transient = reply.problems.find((problem) => isTransient(problem) && !(byField && problem.path.length > 0));
      if (transient !== undefined) throw failed(call, "doubtful", reply.requestId, transient);
      return read(reply);
    };
    try {
      return await this.transport.send(wire, readAnswer, reconcile);
    } catch (error) {
      if (error instanceof RetiredError) this.#noteEnd();
      throw error;
    }
  }

  /** @throws ContractError for an answer that is none of GraphQL's */
  #reply({ kind, id }: GraphqlCall, answer: Answer, secrets: () => readonly string[]): GraphqlReply {
    const { json, requestId, status } = answer;
    if (!isRecord(json)) {
      throw new ContractError(`${kind}: the answer is not GraphQL. Check graphqlUrl.`, {
        kind,
        id,
        status,
        requestId,
        path: "",
      });
    }
    const problems = problemsOf(json.errors).map((problem) => ({
      ...problem,
      message: this.transport.redact(problem.message, secrets()),
    }));
    return { data: json.data, problems, requestId };
  }
}

/** The body of a request. */
function requestText(document: string, variables: Variables | undefined): string {
  // Loaded with the first GraphQL call: it brings a parser that REST programs never need.
  const { analyzeDocument } = require("graphql-request") as typeof import("graphql-request");
  const { expression, operationName } = analyzeDocument(document);
  return JSON.stringify({ query: expression, variables, operationName });
}

/** An answer that says, in words of GraphQL, that nobody knows what was done. */
function failed(call: GraphqlCall, fault: Fault, requestId: string | undefined, problem?: GraphqlProblem) {
  return new FailedAnswer({
    fault,
    reason: problem?.code ?? "error",
    toError: (tally) => graphqlError(call, requestId, problem, tally),
  });
}

/** Codes of errors that say nothing about the request: the service, or something behind it, has failed. */
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

/** Whether an error says nothing about the request. */
export function isTransient({ code }: GraphqlProblem): boolean {
  return code !== undefined && transientCodes.has(code);
}

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
  const detail = problem?.message ?? "the answer has no data";
  const facts = { kind: call.kind, id: call.id, status: 200, detail, requestId, ...tally };
  const wayOut =
    problem === undefined ? "Check that the key is valid for GraphQL." : "Correct the arguments, or run it again.";
  return new GraphqlError(errorMessage({ ...facts, status: undefined, title: call.operation }, wayOut), {
    ...facts,
    operation: call.operation,
    extensionCode: problem?.code,
  });
}
