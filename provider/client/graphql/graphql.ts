import type { ReadWindows } from "../batch";
import type { Answer, Transport } from "../calls/transport";
import { ComputeCloudError, ContractError, GraphqlError, RetiredError } from "../errors";
import type { CallOptions, GraphqlEnd } from "../options";
import type { Creator } from "../outcomes/create";
import { FailedAnswer } from "../outcomes/failures";
import type { CallClass, Failure, Reconcile, Tally } from "../outcomes/retry";
import { describe } from "../outcomes/statuses";
import { secretsIn } from "../text/redact";
import { isRecord } from "../values/json";

export interface GraphqlCall extends CallOptions {
  /** Field asked for, as errors name it. */
  operation: string;
  class: CallClass;
  kind: string;
  id?: string | undefined;
  document: string;
  variables?: Readonly<Record<string, unknown>> | undefined;
  /** Looks at the data of an answer without errors. @throws ContractError when it is as good as lost */
  accept?: ((data: GraphqlData) => void) | undefined;
  /** The data that a lost answer would have carried. */
  reconcile?: Reconcile<GraphqlData> | undefined;
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

/** What an answer says: GraphQL may carry data and errors side by side. */
export interface GraphqlReply {
  data: unknown;
  problems: readonly GraphqlProblem[];
  requestId: string | undefined;
}

/** GraphQL over the same transport: graphql-request speaks the protocol, the transport carries it. */
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

  /** The data of an answer. @throws GraphqlError when it carries errors or no data */
  async call(call: GraphqlCall): Promise<GraphqlData> {
    const reply = await this.exchange(call);
    const [problem] = reply.problems;
    if (problem !== undefined || !isRecord(reply.data)) throw graphqlError(call, reply.requestId, problem);
    this.requireSomebody(reply.data, call, reply.requestId);
    return reply.data;
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

  /** The answer as it is, for callers that can use one with errors in it. */
  async exchange(call: GraphqlCall): Promise<GraphqlReply> {
    // Loaded with the first GraphQL call: it brings a parser that REST programs never need.
    const { GraphQLClient } = require("graphql-request") as typeof import("graphql-request");
    const secrets = () => secretsIn(call.variables);
    let failed: { readonly error: unknown } | undefined;
    const carry = async (body: string): Promise<Response> => {
      const answer = await this.#send(call, body, secrets).catch((error: unknown) => {
        failed = { error };
        if (error instanceof RetiredError) this.#noteEnd();
        throw error;
      });
      const headers = { "content-type": "application/json", "x-request-id": answer.requestId ?? "" };
      return new Response(answer.text, { status: answer.status, headers });
    };
    const client = new GraphQLClient(this.transport.graphqlUrl, {
      errorPolicy: "all",
      fetch: (_url, init) => carry(String(init?.body)),
    });
    try {
      const reply = await client.rawRequest<unknown>(call.document, { ...call.variables });
      const problems = problemsOf(reply.errors).map((problem) => ({
        ...problem,
        message: this.transport.redact(problem.message, secrets()),
      }));
      return { data: reply.data, problems, requestId: reply.headers.get("x-request-id") || undefined };
    } catch (error) {
      if (failed !== undefined) throw failed.error;
      if (error instanceof ComputeCloudError) throw error;
      throw new ContractError(`${call.kind}: the answer is not GraphQL. Check graphqlUrl.`, {
        kind: call.kind,
        path: "",
      });
    }
  }

  #failureOf(
    problem: GraphqlProblem,
    call: GraphqlCall,
    { requestId }: Answer,
    secrets: () => readonly string[],
  ): Failure {
    const message = this.transport.redact(problem.message, secrets());
    return {
      fault: "doubtful",
      reason: problem.code ?? "error",
      toError: (tally) => graphqlError(call, requestId, { ...problem, message }, tally),
    };
  }

  #send(call: GraphqlCall, body: string, secrets: () => readonly string[]): Promise<Answer> {
    const { reconcile } = call;
    return this.transport.send<Answer>(
      {
        class: call.class,
        quota: "graphql",
        method: "POST",
        url: this.transport.graphqlUrl,
        key: this.transport.graphqlKeyIn === "query" ? "query" : "bearer",
        label: `GraphQL ${call.operation}`,
        kind: call.kind,
        id: call.id,
        body,
        secrets,
        signal: call.signal,
        timeoutMs: call.timeoutMs,
        attempts: call.attempts,
        onResponse: call.onResponse,
        heldMs: call.heldMs,
      },
      (answer) => {
        const { data, errors } = isRecord(answer.json) ? answer.json : {};
        const transient = problemsOf(errors).find(
          (problem) => isTransient(problem) && !(call.byField && problem.path.length > 0),
        );
        if (transient !== undefined) throw new FailedAnswer(this.#failureOf(transient, call, answer, secrets));
        if (errors === undefined) call.accept?.(isRecord(data) ? data : {});
        return answer;
      },
      reconcile === undefined
        ? undefined
        : async (error) => {
            const found = await reconcile(error);
            return found && { value: answerWith(found.value) };
          },
    );
  }
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

function answerWith(data: GraphqlData): Answer {
  const json = { data };
  return { status: 200, header: () => undefined, text: JSON.stringify(json), json, requestId: undefined };
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
  return new GraphqlError(describe({ ...facts, status: undefined, title: call.operation }, wayOut), {
    ...facts,
    operation: call.operation,
    extensionCode: problem?.code,
  });
}
