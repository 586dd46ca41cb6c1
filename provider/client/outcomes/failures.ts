import { retryAfterMs } from "../calls/quotas";
import {
  ComputeCloudError,
  ConnectionError,
  ContractError,
  type ErrorFacts,
  TimeoutError,
  TooLargeError,
  WrongAddressError,
} from "../errors";
import { inSeconds } from "../values/duration";
import { isRecord, parseJson } from "../values/json";
import type { Failure } from "./retry";
import { errorMessage, errorOfStatus, type Fault, faultOfStatus } from "./statuses";

/** What a failure is told about the call. */
export interface CallFacts {
  method: string;
  kind: string;
  id?: string | undefined;
  scope?: string | undefined;
  /** e.g. `GET /v2/pods`. */
  label: string;
  /** `rest`, `graphql` or `queue <id>`. */
  quota: string;
  apiKeySource?: string | undefined;
  /** A text of the service, safe to show. */
  redact(text: string): string;
}

/** A 2xx that says, in the words of its interface, that the call has failed. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer";
  constructor(readonly failure: Failure) {
    super(failure.reason);
  }
}

export interface AnswerFacts {
  status: number;
  header(name: string): string | undefined;
  text: string;
}

/** A proxy that makes no tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  readonly code = "PROXY_REFUSED";
  constructor(readonly status: number) {
    super(`the proxy answered ${status} instead of making a connection`);
  }
}

/** A body that goes on for longer than is taken. */
export class BodyLimit extends Error {
  override readonly name = "BodyLimit";
  constructor(readonly bytes: number) {
    super(`more than ${bytes} bytes`);
  }
}

/** Codes of failures before a byte of the request left: nothing answers at the address. */
const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "PROXY_REFUSED"]);
/** The same, where it was the connect that failed: a route may also be lost while the answer is awaited. */
const unreachableByConnect = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);
const timedOut = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
/** What a proxy says of a service that may come back. */
const proxyIsWaiting = new Set([502, 503, 504]);

interface Special {
  codes: RegExp;
  fault: Fault;
  title: string;
  wayOut: string;
}

/** Failures that are told apart by their codes; most of them another attempt meets again. */
const special: readonly Special[] = [
  {
    codes: /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|UND_ERR_PRX_TLS)/,
    fault: "refused",
    title: "its certificate is not trusted",
    wayOut: "Check the configured address; behind a proxy that opens TLS, set NODE_EXTRA_CA_CERTS to its certificate.",
  },
  {
    // A record that came broken is an accident of one connection, not of the address.
    codes: /^(EPROTO$|ERR_SSL_(?!.*BAD_RECORD_MAC))/,
    fault: "refused",
    title: "what listens there does not speak TLS",
    wayOut: "Check the configured address and its port.",
  },
  {
    codes: /^(Z_|ERR__ERROR_)/,
    fault: "doubtful",
    title: "the compressed answer is broken",
    wayOut: "Run it again; if it stays so, a proxy alters it.",
  },
  {
    codes: /^HPE_/,
    fault: "unreadable",
    title: "what listens there does not speak HTTP",
    wayOut: "Check the configured address and its port.",
  },
  {
    codes: /^UND_ERR_(CLOSED|DESTROYED)$/,
    fault: "refused",
    title: "its dispatcher is closed",
    wayOut: "Make a new client.",
  },
  {
    codes: /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|ERR_INVALID_)/,
    fault: "refused",
    title: "the request cannot be sent",
    wayOut: "Correct the arguments.",
  },
];

/** What the network did; undefined when the exception is not of its making: those of sockets and of undici have codes. */
export function failureOfException(exception: unknown, call: CallFacts): Failure | undefined {
  if (exception instanceof BodyLimit) return failureOfSize(exception, call);
  // Attempts at the several addresses of one name fail together.
  const cause: unknown = isRecord(exception) && Array.isArray(exception.errors) ? exception.errors[0] : exception;
  if (exception instanceof ComputeCloudError || !isRecord(cause)) return undefined;
  // undici's parser gives no code to an answer that does not even begin as one.
  const code = cause.name === "HTTPParserError" ? "HPE_INVALID" : cause.code;
  if (typeof code !== "string") return undefined;
  if (cause instanceof ProxyRefusal && !proxyIsWaiting.has(cause.status)) return failureOfProxy(cause, call);
  const words = call.redact(String(cause.message || code));
  const away = unreachable.has(code) || (cause.syscall === "connect" && unreachableByConnect.has(code));
  const timeout = timedOut.has(code);
  const Kind = timeout ? TimeoutError : ConnectionError;
  const found = special.find(({ codes }) => codes.test(code));
  const {
    fault = away ? "untouched" : "doubtful",
    title = timeout ? "no answer in time" : "no connection",
    wayOut = "Check the network, the proxy variables and the configured address, then run it again.",
  } = found ?? {};
  return {
    fault,
    reason: code,
    unreachable: away ? (timeout ? "silent" : "refusing") : undefined,
    toError(tally) {
      const facts: ErrorFacts = { kind: call.kind, id: call.id, code, detail: words, ...tally };
      return new Kind(errorMessage({ ...facts, title }, wayOut), facts);
    },
  };
}

function failureOfProxy({ status, code, message }: ProxyRefusal, call: CallFacts): Failure {
  const wayOut =
    status === 407
      ? "It asks for a name and a password: set HTTPS_PROXY to http://<name>:<password>@<proxy>."
      : "Ask for the address to be allowed, or add it to NO_PROXY.";
  return {
    fault: "refused",
    reason: `proxy ${status}`,
    toError(tally) {
      const facts: ErrorFacts = { kind: call.kind, id: call.id, code, detail: message, ...tally };
      return new ConnectionError(errorMessage({ ...facts, title: "no connection" }, wayOut), facts);
    },
  };
}

function failureOfSize({ bytes, message }: BodyLimit, call: CallFacts): Failure {
  return {
    fault: "unreadable",
    reason: message,
    toError(tally) {
      const facts = { kind: call.kind, id: call.id, ...tally, limit: bytes };
      const wayOut = "Ask for less, or raise limits.answerBytes of the client.";
      return new TooLargeError(errorMessage({ ...facts, title: `the answer has ${message}` }, wayOut), facts);
    },
  };
}

/** The time of the whole call is over while something was under way. */
export function failureOfTime(limitMs: number, sent: boolean, call: Pick<CallFacts, "kind" | "id">): Failure {
  return {
    fault: sent ? "doubtful" : "refused",
    reason: "time limit",
    cutShort: true,
    patienceMs: 0,
    toError(tally) {
      const detail = `the call was not over within ${inSeconds(limitMs)}`;
      const facts: ErrorFacts = { kind: call.kind, id: call.id, code: "TIME_LIMIT", detail, ...tally };
      const wayOut = "Run it again, or give it more time (timeoutMs of the call, timeouts.callMs of the client).";
      return new TimeoutError(errorMessage({ ...facts, title: "no answer in time" }, wayOut), facts);
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
  const askedMs = refusal?.waitMs ?? retryAfterMs((name) => answer.header(name));
  const retryAfter = askedMs === undefined ? undefined : Math.ceil(askedMs / 1000);
  return {
    fault: faultOfStatus(answer.status),
    reason: String(answer.status),
    // After a 429 the rate limiter keeps every call back, this one too.
    waitMs: refusal === undefined ? askedMs : undefined,
    quotaMs: refusal?.waitMs,
    toError: (tally) => {
      const facts = {
        ...problemOf(answer, call),
        kind: call.kind,
        id: call.id,
        scope: answer.status === 403 ? call.scope : undefined,
        window: refusal?.window && call.redact(refusal.window),
        retryAfter,
        ...tally,
      };
      if (isStrange404(answer, call)) return wrongAddress(facts, call.label);
      return answer.status < 400 ? redirected(facts, answer, call) : errorOfStatus(answer.status, facts, call);
    },
  };
}

/** The service says 404 with a problem document; GraphQL never says it, and the queue has documents of its own. */
function isStrange404(answer: AnswerFacts, { quota }: CallFacts): boolean {
  if (answer.status !== 404 || quota.startsWith("queue ")) return false;
  const body = parseJson(answer.text);
  const type = answer.header("content-type") ?? "";
  const own = type.startsWith("application/problem+json") && isRecord(body) && body.status === 404;
  return quota === "graphql" || !own;
}

/** The error for a 404 that is not about the thing. */
export function wrongAddress(facts: ErrorFacts, label: string): WrongAddressError {
  const wayOut =
    "The address looks wrong, or something else answers there, so that nothing is taken for gone: check baseUrl and " +
    "graphqlUrl (without /v1 or /v2 at the end) and any proxy.";
  const title = `Not Found, which is not the service's answer to ${label}`;
  return new WrongAddressError(errorMessage({ ...facts, status: 404, title, detail: undefined }, wayOut), facts);
}

/** A redirect is not followed: the key would go where nobody has configured it to go. */
function redirected(facts: ErrorFacts, answer: AnswerFacts, call: CallFacts): WrongAddressError {
  const [to] = answer.header("location")?.split(/[?#]/) ?? [];
  const title = to === undefined ? "which no call is answered with" : `a redirect to ${call.redact(to)}`;
  const wayOut =
    "The address looks wrong, or something else answers there: redirects are not followed. Check the configured address and any proxy.";
  return new WrongAddressError(errorMessage({ ...facts, title, detail: undefined }, wayOut), facts);
}

/** A 2xx whose body is not JSON: it broke off, so that the work was done and the news of it lost; or it is a web page. */
export function failureOfBody(answer: AnswerFacts, call: CallFacts): Failure {
  const page = /^\s*</.test(answer.text) || (answer.header("content-type") ?? "").startsWith("text/html");
  return {
    fault: page ? "unreadable" : "doubtful",
    reason: page ? "a web page" : "broken body",
    toError(tally) {
      const requestId = requestIdOf(answer, call);
      const facts = { kind: call.kind, id: call.id, status: answer.status, requestId, path: "", ...tally };
      const title = page ? "the answer is a web page, not the service's" : "the answer is not JSON";
      const wayOut = page
        ? "Check the configured address: a website, a sign-in page or a proxy answers there."
        : "Run it again; if it stays so, a proxy alters it.";
      return new ContractError(errorMessage({ ...facts, title }, wayOut), facts);
    },
  };
}

/** A service, or what stands before it, may quote anything in it. */
function requestIdOf(answer: AnswerFacts, call: CallFacts): string | undefined {
  const id = answer.header("x-request-id");
  return id === undefined ? undefined : call.redact(id);
}

/** problem+json, the `{error}` of the queue, `{message}` of what stands before the service, GraphQL's `errors`, or no JSON. */
function problemOf(answer: AnswerFacts, call: CallFacts): ErrorFacts {
  const body = parseJson(answer.text);
  const problem = isRecord(body) ? body : {};
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? call.redact(value) : undefined);
  const list = Array.isArray(problem.errors) ? problem.errors : [];
  const words = [problem.detail, problem.error, problem.message, list[0]].flatMap(
    (said) => text(isRecord(said) ? said.message : said) ?? [],
  );
  return {
    status: answer.status,
    title: text(problem.title),
    detail: words[0],
    errors: list.flatMap((entry: unknown) => text(entry) ?? []),
    requestId: requestIdOf(answer, call),
  };
}
