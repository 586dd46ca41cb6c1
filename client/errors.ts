import { keepNames } from "../common/keepNames";
import { redactor } from "../common/redact";
// All that this file exports at its end.
import * as errors from "./errors";

const factNames = [
  "kind",
  "id",
  "status",
  "title",
  "detail",
  "requestId",
  "scope",
  "window",
  "retryAfter",
  "code",
  "attempts",
  "elapsedMs",
  "outcomeUnknown",
] as const;

/** What is known of a failed call. An error removes keys and credentials from every field. */
export type ErrorFacts = {
  -readonly [Name in (typeof factNames)[number] | "errors" | "headers"]?: ComputeCloudError[Name] | undefined;
};

/** Marks the errors of every copy of this module: a bundle may hold the package and its client, each with a copy. */
const MARK = Symbol.for("pulumi-computecloud.error");

/** Base of all errors of this client, except a signal's own reason. The message ends with what to do. */
export class ComputeCloudError extends Error {
  /** The kind of thing the call was about, e.g. `Pod`. */
  declare readonly kind: string | undefined;
  /** Id of that thing, where the call named one. */
  declare readonly id: string | undefined;
  /** HTTP status; absent when no answer came. */
  declare readonly status: number | undefined;
  /** Title of the problem, e.g. `Not Found`. */
  declare readonly title: string | undefined;
  /** The service's own words. */
  declare readonly detail: string | undefined;
  /** One entry for each property that the service refused (422). */
  declare readonly errors: readonly string[];
  /** `x-request-id` of the answer: what the service's support asks for. */
  declare readonly requestId: string | undefined;
  /** The answer's headers, in lower case; absent when no answer came. Not enumerable. */
  declare readonly headers: Readonly<Record<string, string | string[] | undefined>> | undefined;
  /** The right that a restricted key needs for the call, e.g. `tags:write`. */
  declare readonly scope: string | undefined;
  /** Exhausted rate-limit window, e.g. `minute`. */
  declare readonly window: string | undefined;
  /** Seconds to wait, as the service said. */
  declare readonly retryAfter: number | undefined;
  /** System's code of a connection failure, e.g. `ECONNREFUSED`. */
  declare readonly code: string | undefined;
  /** How often the call was sent. */
  declare readonly attempts: number | undefined;
  /** Milliseconds from the first attempt to giving up. */
  declare readonly elapsedMs: number | undefined;
  /** The answer was lost, so the service may have done the work. */
  declare readonly outcomeUnknown: boolean | undefined;

  /** All that an error of this client says passes here: the door at which secrets stay behind. */
  constructor(message: string, facts: ErrorFacts = {}) {
    const safe = redactor();
    // mutant client-errors-in-clear: message
    super(safe(message));
    this.name = new.target.name;
    this.errors = safe(facts.errors ?? []);
    this.set(facts, factNames, safe);
    if (facts.headers !== undefined) Object.defineProperty(this, "headers", { value: safe(facts.headers) });
  }

  /** An error of another copy is an instance, too, by the names of its classes. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked for, which may be a derived one
    return isInstance(this, value);
  }

  /** The id of the job that it is about. */
  get jobId(): string | undefined {
    return this.kind === "Job" ? this.id : undefined;
  }

  /**
   * Sets only the named facts, and only those that are known. The given object may hold more, such as the request's body,
   * which a printed error must not show.
   */
  protected set<Facts extends ErrorFacts>(
    facts: Facts,
    names: readonly (keyof Facts & string)[],
    safe = redactor(),
  ): void {
    for (const name of names)
      if (facts[name] !== undefined) Object.defineProperty(this, name, { value: safe(facts[name]), enumerable: true });
  }
}

Object.defineProperty(ComputeCloudError.prototype, MARK, { value: true });

function isInstance({ name, prototype }: { name: string; prototype: object }, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.prototype.isPrototypeOf.call(prototype, value) || (MARK in value && classNames(value).includes(name));
}

function classNames(error: object): string[] {
  const names: string[] = [];
  for (let type: unknown = error; type instanceof Error; type = Object.getPrototypeOf(type))
    names.push(type.constructor.name);
  return names;
}

/** 400: a rule across fields is broken, there is no capacity, or the resource is still in use. */
export class BadRequestError extends ComputeCloudError {}
/** 401: the key is missing, malformed, expired or revoked. */
export class AuthenticationError extends ComputeCloudError {}
/** 402: the balance does not cover an hour of the requested resource. */
export class BalanceError extends ComputeCloudError {}
/** 403: the key is valid but its scope does not allow the call. */
export class PermissionError extends ComputeCloudError {}
/** 404: the service has no such id. */
export class NotFoundError extends ComputeCloudError {}
/** A 404 that is not the service's own, or a redirect: the address is wrong, or something else answers there. */
export class WrongAddressError extends ComputeCloudError {}
/** 409: not possible in the current state. */
export class ConflictError extends ComputeCloudError {}
/** 410: the service has ended this interface. */
export class RetiredError extends ComputeCloudError {}
/** 422: the request breaks the service's schema; `errors` names the properties. */
export class ValidationError extends ComputeCloudError {}
/** 429: a quota is used up for longer than the retry budget; `window` and `retryAfter` say which and for how long. */
export class RateLimitError extends ComputeCloudError {}
/** 5xx: the service failed. */
export class ServiceError extends ComputeCloudError {}
/** No connection, or it broke before the answer was complete. */
export class ConnectionError extends ComputeCloudError {}
/** A load balancer's 400: none of its workers became ready in time. The request was not begun. */
export class NoWorkerError extends ComputeCloudError {}
/** No answer in time. */
export class TimeoutError extends ComputeCloudError {}
/** A body, an event or a list exceeds the client's `limits`. */
export class TooLargeError extends ComputeCloudError {
  /** The limit: bytes of a body, characters of an event, or pages of a list. */
  declare readonly limit: number;

  constructor(message: string, facts: ErrorFacts & { limit: number }) {
    super(message, facts);
    this.set(facts, ["limit"]);
  }
}

/** An address, id or option that cannot be used; nothing was sent. */
export class UsageError extends ComputeCloudError {}

/** The answer breaks the contract. */
export class ContractError extends ComputeCloudError {
  /** Place in the answer, e.g. `pods[3].status`; empty when it is not JSON. */
  declare readonly path: string;

  constructor(message: string, facts: ErrorFacts & { path: string }) {
    super(message, facts);
    this.set(facts, ["path"]);
  }
}

/** The answer to a create was lost, and the service's list does not show one thing that the create must have made. */
export class MayExistError extends ComputeCloudError {
  /** Ids of the things that the create may have made. */
  declare readonly candidates: readonly string[];
  /** When the service has given up the create: a thing that does not exist by then will not exist later. */
  declare readonly mayComeUpUntil: Date;

  constructor(message: string, facts: ErrorFacts & { candidates: readonly string[]; mayComeUpUntil: Date }) {
    super(message, facts);
    this.set(facts, ["candidates", "mayComeUpUntil"]);
  }
}

/** A change was made, but an earlier change of the same field, whose answer was lost, may still arrive and undo it. */
export class MayBeUndoneError extends ComputeCloudError {
  /** When the earlier change can't arrive any more. */
  declare readonly mayBeUndoneUntil: Date;

  constructor(message: string, facts: ErrorFacts & { mayBeUndoneUntil: Date }, reason?: unknown) {
    super(message, { ...facts, outcomeUnknown: true });
    this.set(facts, ["mayBeUndoneUntil"]);
    this.cause = reason;
  }
}

/**
 * The signal ended a call after it was sent. The service may have done the work, or may still do it. `cause` is the signal's
 * reason. A call that can't have acted, such as a read, throws that reason itself. Also thrown by a batch that was left while
 * jobs may run on; then `cause` is what ended it.
 */
export class AbortError extends ComputeCloudError {
  /** After a create: ids of the things that it may have made, as far as a list showed them. */
  declare readonly candidates: readonly string[] | undefined;
  /** After a create: when the service has given up the create. */
  declare readonly mayComeUpUntil: Date | undefined;
  /** After a batch: ids of its jobs that may still run. */
  declare readonly jobIds: readonly string[] | undefined;

  constructor(
    message: string,
    facts: ErrorFacts & Partial<Pick<AbortError, "candidates" | "mayComeUpUntil" | "jobIds">>,
    reason: unknown,
  ) {
    super(message, { ...facts, outcomeUnknown: facts.outcomeUnknown ?? true });
    this.set(facts, ["candidates", "mayComeUpUntil", "jobIds"]);
    this.cause = reason;
  }
}

/** GraphQL answered 200, but with errors or without data. */
export class GraphqlError extends ComputeCloudError {
  /** Field that failed, e.g. `saveEndpoint`. */
  declare readonly operation: string;
  /** `extensions.code` of the first error. */
  declare readonly extensionCode: string | undefined;

  constructor(message: string, facts: ErrorFacts & { operation: string; extensionCode?: string | undefined }) {
    super(message, facts);
    this.set(facts, ["operation", "extensionCode"]);
  }
}

keepNames(errors);
