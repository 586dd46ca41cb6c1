import { inSeconds } from "../../common/duration";
import { isRecord, parseJson } from "../../common/json";
import type { Answer, WireCall } from "../calls/call";
import { type Refusal, retryAfterMs } from "../calls/headers";
import {
  ComputeCloudError,
  ConnectionError,
  ContractError,
  type ErrorFacts,
  NoWorkerError,
  TimeoutError,
  TooLargeError,
  WrongAddressError,
} from "../errors";
import type { KeyPlace } from "../options";
import type { Failure, Tally } from "./retry";
import { errorMessage, errorOfStatus, type Fault, faultOfStatus } from "./statuses";

/** What a failure needs to know about its call. */
export interface CallFacts extends Pick<WireCall, "kind" | "id" | "scope" | "label" | "quota"> {
  method: string;
  apiKeySource?: string | undefined;
  /** Where else GraphQL may take a key that REST has accepted; undefined before it has, which may be during the call. */
  otherKeyPlace?(): KeyPlace | undefined;
}

/** A 2xx whose body reports a failure, as GraphQL's `errors` do. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer";
  constructor(readonly failure: Failure) {
    super(failure.reason);
  }
}

type Answered = Pick<Answer, "status" | "header" | "text"> & Partial<Pick<Answer, "headers">>;

/** The proxy refused to open a tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
  readonly code = "PROXY_REFUSED";
  constructor(readonly status: number) {
    super(`the proxy answered ${status} instead of making a connection`);
  }
}

/** A body exceeds the limit. */
export class BodyLimit extends Error {
  override readonly name = "BodyLimit";
  constructor(readonly bytes: number) {
    super(`more than ${bytes} bytes`);
  }
}

/** Codes of failures before a byte of the request was sent: nothing answers at the address. */
const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "PROXY_REFUSED"]);
/** The same, but only if `connect` failed: these codes also occur while waiting for an answer, after the request was sent. */
const unreachableByConnect = new Set(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);
const timedOut = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
/** Statuses of a proxy that can't reach the service for now. */
const proxyIsWaiting = new Set([502, 503, 504]);

/** Failures with a title and advice of their own, by code. Most of them would fail again, so they are not retried. */
const special: readonly { codes: RegExp; fault: Fault; title: string; wayOut: string }[] = [
  {
    codes: /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|UND_ERR_PRX_TLS)/,
    fault: "refused",
    title: "its certificate is not trusted",
    wayOut: "Check the configured address; behind a proxy that opens TLS, set NODE_EXTRA_CA_CERTS to its certificate.",
  },
  {
    codes: /^ERR_SSL_.*_ALERT_(?!BAD_RECORD_MAC)/,
    fault: "refused",
    title: "the server refused the TLS connection",
    wayOut:
      "The detail has its reason, such as a missing client certificate or an old version of TLS: check the address, and any " +
      "proxy that opens TLS.",
  },
  {
    codes: /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
    fault: "unreadable",
    title: "the headers of the answer are too large",
    wayOut: "A proxy may add them. Node takes more with NODE_OPTIONS=--max-http-header-size=65536.",
  },
  {
    codes: /^UND_MOCK_ERR_/,
    fault: "refused",
    title: "the MockAgent of this test has no answer",
    wayOut: "Add an intercept for the call, or use mockQueue of pulumi-computecloud/testing.",
  },
  {
    // A bad record is a fault of one connection, not of the address, so it is retried.
    codes: /^(EPROTO$|ERR_SSL_(?!.*BAD_RECORD_MAC))/,
    fault: "unreadable",
    title: "the server at this address does not speak TLS",
    wayOut: "Check the configured address and its port.",
  },
  {
    codes: /^(Z_|ERR__ERROR_|HPE_BROKEN$)/,
    fault: "doubtful",
    title: "the answer is broken",
    wayOut: "Run it again; if it stays so, a proxy alters it.",
  },
  {
    codes: /^HPE_/,
    fault: "unreadable",
    title: "the server at this address does not speak HTTP",
    wayOut: "Check the configured address and its port.",
  },
  {
    codes: /^UND_ERR_(CLOSED|DESTROYED)$/,
    // It may have been destroyed while the request was under way.
    // mutant destroyed-is-not-sent: "refused"
    fault: "unreadable",
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

/** How a failure is reported, once it is final. */
interface Words<Facts extends ErrorFacts> {
  Kind: new (message: string, facts: Facts) => ComputeCloudError;
  title: string;
  wayOut: string;
  /** What the error has besides the call and the tally. */
  facts: Facts;
}

/** @param words called when the failure is final, because most failures are retried */
function failure<Facts extends ErrorFacts>(
  call: Pick<CallFacts, "kind" | "id">,
  outcome: Omit<Failure, "toError">,
  words: () => Words<Facts>,
): Failure {
  const toError = (tally: Tally) => {
    const { Kind, title, wayOut, facts } = words();
    const all = { kind: call.kind, id: call.id, ...facts, ...tally };
    return new Kind(errorMessage({ ...all, title }, wayOut), all);
  };
  return { ...outcome, toError };
}

/**
 * The failure of a network error; undefined for any other exception, such as a bug in a hook. Errors of sockets and of undici
 * are recognized by having a code.
 *
 * @param hasBegun whether the answer had begun: then its server speaks HTTP, and something broke the rest
 */
export function failureOfException(exception: unknown, call: CallFacts, hasBegun = false): Failure | undefined {
  if (exception instanceof BodyLimit) return failureOfSize(exception, call);
  // Node collects the errors of all addresses of one host name in an AggregateError.
  const cause: unknown = isRecord(exception) && Array.isArray(exception.errors) ? exception.errors[0] : exception;
  if (exception instanceof ComputeCloudError || !isRecord(cause)) return undefined;
  // undici's parser sets no code.
  const code = cause.name === "HTTPParserError" ? (hasBegun ? "HPE_BROKEN" : "HPE_INVALID") : cause.code;
  if (typeof code !== "string") return undefined;
  if (cause instanceof ProxyRefusal && !proxyIsWaiting.has(cause.status)) return failureOfProxy(cause, call);
  const detail = String(cause.message || code);
  const away = unreachable.has(code) || (cause.syscall === "connect" && unreachableByConnect.has(code));
  const timeout = timedOut.has(code);
  const {
    fault = away ? "untouched" : "doubtful",
    title = timeout ? "no answer in time" : "no connection",
    wayOut = "Check the network, the proxy variables and the configured address, then run it again.",
  } = special.find(({ codes }) => codes.test(code)) ?? {};
  const Kind = timeout ? TimeoutError : ConnectionError;
  const outcome = { fault, reason: code, unreachable: away ? (timeout ? "silent" : "refusing") : undefined } as const;
  return failure(call, outcome, () => ({ Kind, title, wayOut, facts: { code, detail } }));
}

function failureOfProxy({ status, code, message }: ProxyRefusal, call: CallFacts): Failure {
  const wayOut =
    status === 407
      ? "It asks for a name and a password: set HTTPS_PROXY to http://<name>:<password>@<proxy>."
      : "Ask for the address to be allowed, or add it to NO_PROXY.";
  const words = { Kind: ConnectionError, title: "no connection", wayOut, facts: { code, detail: message } };
  return failure(call, { fault: "refused", reason: `proxy ${status}` }, () => words);
}

function failureOfSize({ bytes, message }: BodyLimit, call: CallFacts): Failure {
  return failure(call, { fault: "unreadable", reason: message }, () => ({
    Kind: TooLargeError,
    title: `the answer has ${message}`,
    wayOut: "Ask for less, or raise limits.answerBytes of the client.",
    facts: { limit: bytes },
  }));
}

/** Where a call was when its time limit passed. Only one that was sent may have been done. */
export type Phase = "waiting" | "unsent" | "sent";

export function failureOfTime(limitMs: number, phase: Phase, call: Pick<CallFacts, "kind" | "id">): Failure {
  const fault = phase === "sent" ? "doubtful" : "refused";
  const over = `the call was not over within ${inSeconds(limitMs)}`;
  return failure(call, { fault, reason: "time limit", cutShort: true, patienceMs: 0 }, () => ({
    Kind: TimeoutError,
    title: phase === "waiting" ? "kept back by the limits of its calls" : "no answer in time",
    wayOut: "Run it again, or give it more time (timeoutMs of the call, timeouts.callMs of the client).",
    facts: { code: "TIME_LIMIT", detail: over },
  }));
}

/** An answer other than 2xx. */
export function failureOfAnswer(answer: Answered, call: CallFacts, refusal: Refusal | undefined): Failure {
  const askedMs = refusal?.waitMs ?? retryAfterMs((name) => answer.header(name));
  const retryAfter = askedMs === undefined ? undefined : Math.ceil(askedMs / 1000);
  if (isForeign403(answer, call)) return failureBefore(answer, call, EDGE);
  // mutant gateway-404-is-gone: false
  if (isForeign404(answer, call)) return failureBefore(answer, call, GATEWAY);
  return {
    fault: faultOfStatus(answer.status),
    reason: String(answer.status),
    waitMs: askedMs,
    isLimit: refusal !== undefined,
    toError: (tally) => {
      const facts = {
        ...problemOf(answer),
        kind: call.kind,
        id: call.id,
        headers: answer.headers,
        scope: answer.status === 403 ? call.scope : undefined,
        window: refusal?.window,
        retryAfter,
        ...tally,
      };
      if (isStrange404(answer, call))
        return wrongAddress(facts, call.label, call.quota === "graphql" ? GRAPHQL_MAY_HAVE_ENDED : "");
      return answer.status < 400 ? redirected(facts, answer) : errorOfStatus(answer.status, facts, call);
    },
  };
}

/** How long the next wait may be after an answer of what stands before the service. It lasts for moments only, or for ever. */
const EDGE_PATIENCE_MS = 5_000;

/** An edge or a proxy refused the call. It hardly ever let it through before, but that is not certain. */
const EDGE = {
  fault: "doubtful",
  reason: "403 of an edge",
  title: "Forbidden, by an edge or a proxy and not by the service",
  wayOut:
    "The key is not the reason. Run it again later; if it stays so, have this machine's address allowed, by your network or " +
    "by the service's support.",
} as const;

/** A gateway before the queue has no way to it, for now or for ever. The queue got nothing, and its jobs run on. */
const GATEWAY = {
  fault: "untouched",
  reason: "404 of a gateway",
  title: "Not Found, by a gateway and not by the queue",
  wayOut: "Nothing is known of the job. Run it again later; if it stays so, check serverlessUrl and any proxy.",
} as const;

/** What stands before the service answered in its place. */
function failureBefore(answer: Answered, call: CallFacts, { fault, reason, ...words }: typeof EDGE | typeof GATEWAY) {
  const facts = { status: answer.status, requestId: requestIdOf(answer) };
  return failure(call, { fault, reason, patienceMs: EDGE_PATIENCE_MS }, () => ({
    Kind: ConnectionError,
    ...words,
    facts,
  }));
}

/** How long a client is told to wait before it asks a load balancer again. */
const WORKER_AGAIN_MS = 5_000;

/** A load balancer had no worker for a request, which nothing has begun. */
export function failureOfNoWorker(answer: Answered, call: CallFacts): Failure {
  // A limit: the wait for a worker, minutes long, does not count against the budget of retries.
  const outcome = { fault: "untouched", reason: "no worker", waitMs: WORKER_AGAIN_MS, isLimit: true } as const;
  return failure(call, outcome, () => ({
    Kind: NoWorkerError,
    title: "no worker became ready to take the request",
    wayOut: "Look at the workers' logs and health checks, and whether GPUs are free; workers.min 1 keeps one ready.",
    facts: problemOf(answer),
  }));
}

/** Whether a queue's 404 does not come from it: its own has an `error`, or is a problem document. */
function isForeign404({ status, text }: Answered, { quota }: CallFacts): boolean {
  if (status !== 404 || !quota.startsWith("queue ")) return false;
  const body = parseJson(text);
  return !isRecord(body) || (body.error === undefined && body.status !== 404 && typeof body.title !== "string");
}

/** Whether an answer of a queue's `/openai/` is its worker's: the queue's own errors are a text, a gateway's say even less. */
export function hasWorkersWords({ text }: Pick<Answered, "text">): boolean {
  const body = parseJson(text);
  return (
    isRecord(body) &&
    (isRecord(body.error) ||
      body.object === "error" ||
      (body.detail !== undefined && body.title === undefined && body.error === undefined))
  );
}

/**
 * Whether a 403 does not come from the service. Its own has a problem document, and JSON on queues and over GraphQL; an edge
 * answers with a page.
 */
function isForeign403({ status, text }: Answered, { quota }: CallFacts): boolean {
  if (status !== 403) return false;
  const body = parseJson(text);
  if (!isRecord(body)) return true;
  return quota === "rest" && body.status !== 403 && typeof body.title !== "string";
}

/**
 * Whether a 404 does not come from the service: a proxy or a wrong address answers 404 to everything. The service's own 404
 * has a problem document. GraphQL never answers 404. A queue's is judged by `isForeign404`.
 */
function isStrange404(answer: Answered, { quota }: CallFacts): boolean {
  if (answer.status !== 404 || quota.startsWith("queue ")) return false;
  const body = parseJson(answer.text);
  const type = answer.header("content-type") ?? "";
  const isFromService = type.startsWith("application/problem+json") && isRecord(body) && body.status === 404;
  // mutant any-404-is-gone: false
  return quota === "graphql" || !isFromService;
}

/** The service answers 410 after its end, but what stands before it may answer 404. */
const GRAPHQL_MAY_HAVE_ENDED =
  " If the address is right and REST works, the service may have ended GraphQL: set computecloud:endpointsThrough to rest " +
  "(COMPUTECLOUD_ENDPOINTS_THROUGH).";

/** The error for a 404 that says nothing about the resource. */
export function wrongAddress(facts: ErrorFacts, label: string, more = ""): WrongAddressError {
  const wayOut =
    "The address looks wrong, or something else answers there, so nothing counts as deleted: check baseUrl and " +
    `graphqlUrl (without /v1 or /v2 at the end) and any proxy.${more}`;
  const title = `Not Found, which is not the service's answer to ${label}`;
  return new WrongAddressError(errorMessage({ ...facts, status: 404, title, detail: undefined }, wayOut), facts);
}

/** The error for a 2xx that the service does not answer this call with. */
export function foreignAnswer(facts: ErrorFacts, label: string, undone: "deleted" | "done"): WrongAddressError {
  const wayOut =
    `Nothing is known to be ${undone}: a gateway or another service probably answers at this address. Check baseUrl ` +
    "and any proxy.";
  const title = `is not the service's answer to ${label}`;
  return new WrongAddressError(errorMessage({ ...facts, title }, wayOut), facts);
}

/** Redirects are not followed: they would send the key to an address that nobody configured. */
function redirected(facts: ErrorFacts, answer: Answered): WrongAddressError {
  const [to] = answer.header("location")?.split(/[?#]/) ?? [];
  const title = to === undefined ? "which no call is answered with" : `a redirect to ${to}`;
  const wayOut =
    "The address looks wrong, or something else answers there: redirects are not followed. Check the configured address and any proxy.";
  return new WrongAddressError(errorMessage({ ...facts, title, detail: undefined }, wayOut), facts);
}

const WEB_PAGE = {
  fault: "unreadable",
  reason: "a web page",
  title: "the answer is a web page, not the service's",
  wayOut: "Check the configured address: a website, a sign-in page or a proxy answers there.",
} as const;

const NOT_JSON = {
  fault: "doubtful",
  reason: "broken body",
  title: "the answer is not JSON",
  wayOut: "Run it again; if it stays so, a proxy alters it.",
} as const;

/** A 2xx whose body is not JSON: cut off after the service did the work, or a web page of something else. */
export function failureOfBody(answer: Answered, call: CallFacts): Failure {
  const isPage = /^\s*</.test(answer.text) || (answer.header("content-type") ?? "").startsWith("text/html");
  const { fault, reason, ...words } = isPage ? WEB_PAGE : NOT_JSON;
  const facts = { status: answer.status, requestId: requestIdOf(answer), path: "" };
  return failure(call, { fault, reason }, () => ({ Kind: ContractError, ...words, facts }));
}

/** A 2xx of another type where a stream of events was asked for. */
export function failureOfStream(answer: Pick<Answer, "status" | "header">, call: CallFacts): Failure {
  const type = answer.header("content-type") ?? "";
  return failure(call, { fault: "unreadable", reason: type }, () => ({
    Kind: ContractError,
    title: `the answer is ${type}, and not a stream of events`,
    wayOut:
      "Nothing of the log was read: a website, a gateway or another service answers at this address. Check baseUrl and any proxy.",
    facts: { status: answer.status, path: "" },
  }));
}

const requestIdOf = (answer: Answered): string | undefined => answer.header("x-request-id");

/** An error shows so many of the service's errors, and so many characters of each. */
const MOST_ERRORS = 50;
const MOST_OF_TEXT = 2_000;
/** Of a text that is redacted after that: the mark tells that a secret may be cut. */
export const shortened = (text: string) => (text.length > MOST_OF_TEXT ? `${text.slice(0, MOST_OF_TEXT)}…` : text);

/** Reads problem+json, the queue's `{error}`, a gateway's `{message}`, GraphQL's `errors`, or a body that is not JSON. */
function problemOf(answer: Answered): ErrorFacts {
  const body = parseJson(answer.text);
  const problem = isRecord(body) ? body : {};
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? shortened(value) : undefined);
  const all: readonly unknown[] = Array.isArray(problem.errors) ? problem.errors : [];
  const list = all.slice(0, MOST_ERRORS);
  const words = [problem.detail, problem.error, problem.message, list[0]].flatMap(
    (entry) => text(isRecord(entry) ? entry.message : entry) ?? [],
  );
  return {
    status: answer.status,
    title: text(problem.title),
    detail: words[0],
    errors: [
      ...list.flatMap((entry) => text(entry) ?? []),
      ...(all.length > list.length ? [`and ${all.length - list.length} more`] : []),
    ],
    requestId: requestIdOf(answer),
  };
}
