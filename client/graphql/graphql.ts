import type { Variables } from "graphql-request";
import { isRecord } from "../../common/json";
import { secretsIn } from "../../common/redact";
import type { Answer } from "../calls/call";
import { timeLeft } from "../calls/deadline";
import type { Transport } from "../calls/transport";
import { BadRequestError, ContractError, GraphqlError, RetiredError } from "../errors";
import type { CallOptions, GraphqlEnd } from "../options";
import type { Creator } from "../outcomes/create";
import { FailedAnswer } from "../outcomes/failures";
import type { CallClass, Reconcile, Tally } from "../outcomes/retry";
import { errorMessage, type Fault, SHOWN_OF_ANSWER } from "../outcomes/statuses";
import type { ReadWindows } from "../rest/batch";

export interface GraphqlCall extends CallOptions {
  /** The requested field, as errors name it. */
  operation: string;
  class: CallClass;
  kind: string;
  id?: string | undefined;
  document: string;
  /** The document for a service that refuses some of its fields. Only for queries. */
  older?: string | undefined;
  variables?: Variables | undefined;
  /** The document has several independent fields, and the caller handles the errors of each. */
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

/** The content of an answer, which may have both data and errors. The problems are redacted. */
export interface GraphqlReply {
  data: unknown;
  problems: readonly GraphqlProblem[];
  requestId: string | undefined;
}

/** Every answer of GraphQL has one of these. */
const MEMBERS = ["data", "errors", "extensions"];

/**
 * GraphQL over the transport. Each call is one POST. graphql-request makes the body from a document and its variables.
 */
export class Graphql {
  readonly transport: Transport;
  readonly windows: ReadWindows;
  readonly creator: Creator;
  readonly #end: GraphqlEnd | undefined;
  #hasEnded: boolean | undefined;
  /** The service has refused a document, and taken its older form. */
  #isOlder = false;

  constructor(transport: Transport, windows: ReadWindows, creator: Creator, end?: GraphqlEnd) {
    this.transport = transport;
    this.windows = windows;
    this.creator = creator;
    this.#end = end;
  }

  /** Whether the service has ended GraphQL, as far as this client knows. */
  get hasEnded(): boolean {
    this.#hasEnded ??= this.#end?.isNoted() ?? false;
    return this.#hasEnded;
  }

  #noteEnd(): void {
    if (this.#hasEnded !== true) this.#end?.note();
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

  /** The whole answer, for callers that handle its errors. */
  exchange(call: GraphqlCall): Promise<GraphqlReply> {
    return this.#send(call, (reply) => reply);
  }

  /** GraphQL may answer an invalid key with 200 and `myself: null`. @throws AuthenticationError */
  requireSomebody(
    data: GraphqlData,
    { kind, id }: { kind: string; id?: string | undefined },
    requestId?: string,
  ): void {
    if (data.myself === null)
      throw this.transport.unknownKey({ kind, id, requestId, detail: "GraphQL does not know this key" });
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
        isRefused = refusesDocument(reply);
        if (isRefused) throw graphqlError(call, reply.requestId, reply.problems[0]);
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

  /** @throws ContractError for an answer that is not GraphQL */
  #reply({ kind, id }: GraphqlCall, answer: Answer, secrets: () => readonly string[]): GraphqlReply {
    const { json, requestId, status } = answer;
    if (!isRecord(json) || !MEMBERS.some((member) => member in json)) {
      const detail = this.transport.redact(answer.text, secrets()).slice(0, SHOWN_OF_ANSWER);
      const facts = { kind, id, status, detail, requestId, path: "" };
      const wayOut =
        "Nothing is known to be done: a gateway or another service probably answers at this address. Check graphqlUrl and " +
        "any proxy.";
      throw new ContractError(errorMessage({ ...facts, title: "the answer is not GraphQL" }, wayOut), facts);
    }
    const problems = problemsOf(json.errors).map((problem) => ({
      ...problem,
      message: this.transport.redact(problem.message, secrets()),
    }));
    return { data: json.data, problems, requestId };
  }
}

/** Whether nothing of a document was executed. Errors of a field name its path. */
function refusesDocument({ data, problems }: GraphqlReply): boolean {
  return !isRecord(data) && problems.length > 0 && problems.every(({ path }) => path.length === 0);
}

function requestText(document: string, variables: Variables | undefined): string {
  // Loaded with the first GraphQL call: it brings a parser that REST programs never need.
  const { analyzeDocument } = require("graphql-request") as typeof import("graphql-request");
  const { expression, operationName } = analyzeDocument(document);
  return JSON.stringify({ query: expression, variables, operationName });
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
