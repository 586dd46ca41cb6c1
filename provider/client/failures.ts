import { ComputeCloudError, ConnectionError, ContractError, type ErrorFacts, TimeoutError } from "./errors";
import { isRecord, parseJson } from "./json";
import { redact } from "./redact";
import type { Failure } from "./retry";
import { describe, errorOfStatus, faultOfStatus } from "./statuses";

/** What a failure is told about the call. */
export interface CallFacts {
  method: string;
  kind: string;
  id?: string | undefined;
  apiKeySource?: string | undefined;
  /** Removed from every text of the service that is shown. */
  secrets: readonly string[];
}

export interface AnswerFacts {
  status: number;
  header(name: string): string | undefined;
  text: string;
}

/** Codes of failures before a byte of the request left. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const timedOut = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
/** Codes of a certificate that is not trusted: another attempt meets the same one. */
const untrusted = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** What the network did; undefined when the exception is not of its making: those of sockets and of undici have codes. */
export function failureOfException(exception: unknown, call: CallFacts): Failure | undefined {
  // Attempts at the several addresses of one name fail together.
  const cause: unknown = isRecord(exception) && Array.isArray(exception.errors) ? exception.errors[0] : exception;
  if (exception instanceof ComputeCloudError || !isRecord(cause) || typeof cause.code !== "string") return undefined;
  const { code } = cause;
  const words = redact(String(cause.message || code), call.secrets);
  const timeout = timedOut.has(code);
  const Kind = timeout ? TimeoutError : ConnectionError;
  return {
    fault: untrusted.test(code) ? "refused" : neverSent.has(code) ? "untouched" : "doubtful",
    reason: code,
    toError(tally) {
      const facts: ErrorFacts = { kind: call.kind, id: call.id, code, detail: words, ...tally };
      const wayOut = "Check the network, the proxy variables and the configured address, then run it again.";
      return new Kind(describe({ ...facts, title: timeout ? "no answer in time" : "no connection" }, wayOut), facts);
    },
  };
}

/** How long a used-up quota keeps calls back. */
export interface Refusal {
  window: string | undefined;
  waitMs: number;
}

/** An answer other than 2xx. */
export function failureOfAnswer(answer: AnswerFacts, call: CallFacts, refusal: Refusal | undefined): Failure {
  const askedMs = refusal?.waitMs ?? retryAfterMs(answer.header("retry-after"));
  const retryAfter = askedMs === undefined ? undefined : Math.ceil(askedMs / 1000);
  return {
    fault: faultOfStatus(answer.status),
    reason: String(answer.status),
    // After a 429 the gate keeps every call back, this one too.
    waitMs: refusal === undefined ? askedMs : undefined,
    toError: (tally) => {
      const facts = {
        ...problemOf(answer, call.secrets),
        kind: call.kind,
        id: call.id,
        window: refusal?.window,
        retryAfter,
        ...tally,
      };
      return errorOfStatus(answer.status, facts, call);
    },
  };
}

/** A 2xx whose body broke off or is no JSON: the work was done, the news of it was lost. */
export function failureOfBody(answer: AnswerFacts, call: CallFacts): Failure {
  return {
    fault: "doubtful",
    reason: "broken body",
    toError(tally) {
      const requestId = answer.header("x-request-id");
      const facts = { kind: call.kind, id: call.id, status: answer.status, requestId, path: "", ...tally };
      const title = "the answer is not JSON";
      return new ContractError(
        describe({ ...facts, title }, "Run it again; if it stays so, a proxy alters it."),
        facts,
      );
    },
  };
}

/** problem+json, the `{error}` of the queue, GraphQL's `errors`, or no JSON at all. */
function problemOf(answer: AnswerFacts, secrets: readonly string[]): ErrorFacts {
  const body = parseJson(answer.text);
  const problem = isRecord(body) ? body : {};
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? redact(value, secrets) : undefined);
  const list = Array.isArray(problem.errors) ? problem.errors : [];
  const first: unknown = list[0];
  return {
    status: answer.status,
    title: text(problem.title),
    detail: text(problem.detail) ?? text(problem.error) ?? text(isRecord(first) ? first.message : undefined),
    errors: list.flatMap((entry: unknown) => text(entry) ?? []),
    requestId: answer.header("x-request-id"),
  };
}

/** From either form of the header: seconds or a date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
