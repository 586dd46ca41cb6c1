import {
  AuthenticationError,
  BadRequestError,
  BalanceError,
  ComputeCloudError,
  ConflictError,
  type ErrorFacts,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RetiredError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "../errors";
import { printableLine } from "../text/printable";
import { inSeconds } from "../values/duration";

/** Whether the service can have acted on a call that failed. */
export type Fault =
  /** It did nothing: no connection, or the quota was used up. */
  | "untouched"
  /** It may have done the work. */
  | "doubtful"
  /** What answered is not the service: it hardly did the work, and asking again meets the same. */
  | "unreadable"
  /** It said no. */
  | "refused";

/** Answers below 500 that say nothing of whether the work was done: of those that stand before the service. */
const doubtful = new Set([408, 425, 499]);
/** Answers that say that nobody has begun: the method or the version of HTTP is not known, or a network asks for a sign-in. */
const unable = new Set([501, 505, 511]);

export function faultOfStatus(status: number): Fault {
  if (status === 429) return "untouched";
  return doubtful.has(status) || (status >= 500 && !unable.has(status)) ? "doubtful" : "refused";
}

/** What a way out may lean on. */
interface Situation extends ErrorFacts {
  method: string;
  /** `rest`, `graphql` or `queue <id>`. */
  quota?: string | undefined;
  apiKeySource?: string | undefined;
}

interface StatusRow {
  error: new (message: string, facts?: ErrorFacts) => ComputeCloudError;
  wayOut: (situation: Situation) => string;
}

const rows: Readonly<Record<number, StatusRow>> = {
  400: { error: BadRequestError, wayOut: ({ method, kind }) => badRequest[method]?.(kind) ?? "Correct the arguments." },
  401: {
    error: AuthenticationError,
    wayOut: ({ apiKeySource, quota }) => {
      const key =
        apiKeySource === undefined
          ? "Set COMPUTECLOUD_API_KEY to a valid key."
          : `Use a valid key. ${sentence(apiKeySource)}`;
      return quota === "graphql" ? `${key} Where REST takes it, try the other place of graphqlKeyIn.` : key;
    },
  },
  402: { error: BalanceError, wayOut: () => "Add funds: the balance must cover the first hour of what is started." },
  403: {
    error: PermissionError,
    wayOut: (situation) => `Give the key ${accessFor(situation)}, or use another key.`,
  },
  404: { error: NotFoundError, wayOut: () => "Check the id, or refresh the stack if it was deleted elsewhere." },
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
    wayOut: ({ retryAfter }) =>
      `Run it again ${retryAfter === undefined ? "later" : `in ${retryAfter} s`}, with a lower --parallel if it was large.`,
  },
};

/** What the access of a key is set for, by what is called. */
const areas = {
  Pod: "pods",
  Cluster: "clusters",
  Endpoint: "serverless",
  Template: "templates",
  NetworkVolume: "network volumes",
  GlobalVolume: "global volumes",
  Registry: "registries",
  EcrDelegation: "registries",
  Secret: "secrets",
  Tag: "tags",
  CostCenter: "cost centers",
  Account: "the account",
  SshKeys: "the account",
  GpuType: "the catalog",
  CpuType: "the catalog",
  DataCenter: "the catalog",
  Billing: "billing",
  Request: "this part of the account",
} as const;

/** What operations of REST are about. A new one needs an area of rights, which a 403 names and `doctor` tries to read. */
export type Noun = keyof typeof areas;
export type Area = Exclude<(typeof areas)[Noun], typeof areas.Request>;

const areaNames: ReadonlyMap<string | undefined, string> = new Map(Object.entries(areas));

export const areaOf = <N extends Noun>(noun: N): (typeof areas)[N] => areas[noun];

function accessFor({ method, kind, scope, quota = "" }: Situation): string {
  if (quota === "graphql") return "access to GraphQL";
  const [, endpoint] = /^queue (.+)$/.exec(quota) ?? [];
  if (endpoint !== undefined) return `access to the queue of endpoint ${endpoint}`;
  const access = `${method === "GET" ? "read" : "write"} access to ${areaNames.get(kind) ?? areas.Request}`;
  return scope === undefined ? access : `${access} (${scope})`;
}

const badRequest: Readonly<Record<string, (kind: string | undefined) => string>> = {
  DELETE: () => "If something still uses it, delete that first.",
  POST: (kind) =>
    kind === "Pod" || kind === "Cluster" || kind === "Endpoint"
      ? "If nothing is free, ask for another GPU or CPU type or data center; the catalog functions list what is available."
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
  call: Pick<Situation, "method" | "quota" | "apiKeySource">,
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
  const said = parts.flatMap((part) => printableLine(part ?? "").replace(/\.$/, "") || []).join(": ");
  return `${said}${circumstances.length > 0 ? ` (${circumstances.join(", ")})` : ""}. ${sentence(wayOut)}`;
}

/** Ways out come from callers too, who write them as they like. */
function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}
