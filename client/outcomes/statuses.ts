import { inSeconds, inTimeAt } from "../../common/duration";
import { printableLine } from "../../common/printable";
import {
  AuthenticationError,
  BadRequestError,
  BalanceError,
  ComputeCloudError,
  ConflictError,
  ConnectionError,
  type ErrorFacts,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RetiredError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "../errors";
import type { KeyPlace } from "../options";

/** Whether the service may have acted on a failed call. */
export type Fault =
  /** It certainly did nothing: no connection, or the quota was used up. */
  | "untouched"
  /** It may have done the work. */
  | "doubtful"
  /** The answer is not the service's. It probably did nothing, but that is not certain, and a retry would fail again. */
  | "unreadable"
  /** The service refused it. */
  | "refused";

/** Statuses below 500 that proxies send, and that do not tell whether the service did the work. */
const doubtful = new Set([408, 425, 499]);
/** Statuses above 500 for which nothing was done: unknown method or HTTP version, or a network's sign-in page. */
const unable = new Set([501, 505, 511]);

export function faultOfStatus(status: number): Fault {
  if (status === 429) return "untouched";
  return doubtful.has(status) || (status >= 500 && !unable.has(status)) ? "doubtful" : "refused";
}

/** Characters of a foreign answer that its error shows. */
export const SHOWN_OF_ANSWER = 120;

/** What the advice at a message's end may depend on. */
interface Situation extends ErrorFacts {
  method: string;
  /** `rest`, `graphql` or `queue <id>`. */
  quota?: string | undefined;
  apiKeySource?: string | undefined;
  /** Where else GraphQL may take the key. Only known to be right once REST has accepted the key. */
  otherKeyPlace?: (() => KeyPlace | undefined) | undefined;
}

interface StatusRow {
  error: new (message: string, facts?: ErrorFacts) => ComputeCloudError;
  wayOut: (situation: Situation) => string;
}

/** What to do about an id that the service does not have. */
export const NOT_FOUND = "Check the id: it may have been deleted elsewhere.";

const rows: Readonly<Record<number, StatusRow>> = {
  400: {
    error: BadRequestError,
    wayOut: ({ method, kind, id }) => badRequest[method]?.(kind, id) ?? "Correct the arguments.",
  },
  401: {
    error: AuthenticationError,
    wayOut: ({ apiKeySource, quota, otherKeyPlace }) => {
      const place = quota === "graphql" ? otherKeyPlace?.() : undefined;
      if (place !== undefined)
        return `REST takes this key, GraphQL does not: set computecloud:graphqlKeyIn to ${place} (COMPUTECLOUD_GRAPHQL_KEY_IN).`;
      const key =
        apiKeySource === undefined
          ? "Set COMPUTECLOUD_API_KEY to a valid key."
          : `Use a valid key. ${sentence(apiKeySource)}`;
      return quota === "graphql" ? `${key} Where REST takes it, try the other place of graphqlKeyIn.` : key;
    },
  },
  402: { error: BalanceError, wayOut: () => "Add funds: the balance must cover the first hour of what is started." },
  403: { error: PermissionError, wayOut: (situation) => `Give the key ${accessFor(situation)}, or use another key.` },
  404: {
    error: NotFoundError,
    wayOut: ({ kind }) =>
      kind === "Job"
        ? "Its result may have expired, after 30 minutes or a minute of runSync, or its ttl is over. If not, check the id and the endpoint."
        : NOT_FOUND,
  },
  407: {
    error: ConnectionError,
    wayOut: () =>
      "A proxy on the way asks for a name and a password: set HTTPS_PROXY to http://<name>:<password>@<proxy>, or add the " +
      "address to NO_PROXY.",
  },
  408: { error: TimeoutError, wayOut: () => "Run the same command again." },
  409: { error: ConflictError, wayOut: () => "Wait until its state allows this, or change the state first." },
  410: {
    error: RetiredError,
    wayOut: ({ quota }) =>
      quota === "graphql"
        ? "The service has ended GraphQL: set computecloud:endpointsThrough to auto or rest (COMPUTECLOUD_ENDPOINTS_THROUGH), " +
          "which keeps serverless endpoints through REST."
        : "The service has ended this interface: look for a newer version of this package.",
  },
  413: {
    error: BadRequestError,
    wayOut: ({ kind }) =>
      kind === "Pod"
        ? "A pod takes 102,400 bytes, its template included: keep large values in a Secret, in the image or on a volume."
        : "Send less: put large inputs into storage and pass their address.",
  },
  422: { error: ValidationError, wayOut: () => "Correct the properties named above." },
  429: {
    error: RateLimitError,
    wayOut: ({ kind, retryAfter = 0 }) => {
      const when = retryAfter > 0 ? inTimeAt(retryAfter * 1000) : "later";
      // Of a long window it is used up, however few calls run at once.
      const isOfRun = retryAfter <= 60 && kind !== "Job" && kind !== "Queue";
      return `Run it again ${when}${isOfRun ? ", with a lower --parallel if it was large" : ""}.`;
    },
  },
};

/**
 * Each noun's area of a key's access rights, in words, and the service's own word for it. The words are those of the
 * service's schema. `inferred`: the service's pages don't state that the word covers the noun.
 */
export const rights = {
  Pod: { area: "pods", word: "pods" },
  Cluster: { area: "clusters", word: "clusters" },
  Endpoint: { area: "serverless", word: "serverless" },
  Template: { area: "templates", word: "templates" },
  NetworkVolume: { area: "network volumes", word: "volumes" },
  GlobalVolume: { area: "global volumes", word: "volumes" },
  Registry: { area: "registries", word: "secrets" },
  EcrDelegation: { area: "registries", word: "secrets", inferred: true },
  Secret: { area: "secrets", word: "secrets" },
  Tag: { area: "tags", word: "tags" },
  CostCenter: { area: "cost centers", word: "billing", inferred: true },
  Account: { area: "the account", word: "account" },
  SshKeys: { area: "the account", word: "authentication", inferred: true },
  GpuType: { area: "the catalog", word: "catalog" },
  CpuType: { area: "the catalog", word: "catalog" },
  DataCenter: { area: "the catalog", word: "catalog" },
  Billing: { area: "billing", word: "billing" },
  Request: { area: "this part of the account", word: undefined },
} as const satisfies Readonly<Record<string, Right>>;

export interface Right {
  readonly area: string;
  readonly word: string | undefined;
  readonly inferred?: true;
}

/** What a REST operation acts on. A new noun needs an area of rights: a 403 names it, and `doctor` tries to read it. */
export type Subject = keyof typeof rights;

const rightOf: ReadonlyMap<string | undefined, Right> = new Map(Object.entries(rights));

export const areaOf = <N extends Subject>(noun: N): (typeof rights)[N]["area"] => rights[noun].area;

/** The right that a call needs, as the service calls it: `pods:read`. Undefined for a request of the caller's own. */
export function scopeOf(noun: Subject, method: string): string | undefined {
  const { word } = rights[noun];
  return word && `${word}:${actionOf(method)}`;
}

const actionOf = (method: string) => (method === "GET" ? "read" : "write");

function accessFor({ method, kind, scope, quota = "" }: Situation): string {
  if (quota === "graphql") return "access to GraphQL";
  const [, endpoint] = /^queue (\S+)/.exec(quota) ?? [];
  if (endpoint !== undefined) return `access to the queue of endpoint ${endpoint}`;
  const { area, inferred }: Right = rightOf.get(kind) ?? rights.Request;
  const access = `${actionOf(method)} access to ${area}`;
  return scope === undefined ? access : `${access} (${inferred ? "probably " : ""}${scope})`;
}

const badRequest: Readonly<Record<string, (kind: string | undefined, id: string | undefined) => string>> = {
  DELETE: () => "If something still uses it, delete that first.",
  POST: (kind, id) =>
    kind === "Pod" && id !== undefined
      ? "If no GPU is free on its machine, start it again later: its disk is there, and only a network volume moves along."
      : kind === "Pod" || kind === "Cluster"
        ? "Correct the arguments. If nothing is free, ask for another GPU or CPU type or data center; the catalog functions list what is available."
        : kind === "Endpoint"
          ? "Correct the arguments. The maxima of all endpoints together must not exceed the account's quota of workers."
          : "Correct the arguments.",
};

const serviceFailed: StatusRow = {
  error: ServiceError,
  wayOut: ({ requestId }) =>
    `Run the same command again later${requestId === undefined ? "" : `; the service's support asks for request ${requestId}`}.`,
};
const otherRefusal: StatusRow = { error: ComputeCloudError, wayOut: () => "Check the address and the arguments." };

/** The error for a status: what happened, how often it was tried, and the way out. */
export function errorOfStatus(
  status: number,
  facts: ErrorFacts,
  call: Pick<Situation, "method" | "quota" | "apiKeySource" | "otherKeyPlace">,
): ComputeCloudError {
  const row = rows[status] ?? (status >= 500 ? serviceFailed : otherRefusal);
  return new row.error(errorMessage(facts, row.wayOut({ ...facts, ...call })), facts);
}

/** `Pod abc: 409 Conflict: pod is locked (request r1, 3 attempts in 2.1 s). Way out.` */
export function errorMessage(facts: ErrorFacts, wayOut: string): string {
  const subject = [facts.kind, facts.id].filter(Boolean).join(" ");
  const status = [facts.status, facts.title].filter(Boolean).join(" ");
  const circumstances = [
    facts.requestId === undefined ? "" : `request ${facts.requestId}`,
    facts.attempts === undefined || facts.attempts < 2
      ? ""
      : `${facts.attempts} attempts in ${inSeconds(facts.elapsedMs ?? 0)}`,
  ].filter(Boolean);
  const parts = [subject, status, facts.detail, facts.errors?.join("; ")];
  const summary = parts.flatMap((part) => printableLine(part ?? "").replace(/\.$/, "") || []).join(": ");
  return `${summary}${circumstances.length > 0 ? ` (${circumstances.join(", ")})` : ""}. ${sentence(wayOut)}`;
}

/** Callers write their advice with or without a capital letter and a full stop. */
function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

/** Whether a call may have failed because the service has no such address, or no such method there. */
export function isUnknownAddress(error: unknown): boolean {
  return error instanceof ComputeCloudError && (error.status === 404 || error.status === 405);
}
