import type { z } from "zod";
import type { CallClass } from "./outcomes/retry";
import type { Noun } from "./outcomes/statuses";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Rights of restricted keys, as the service's pages name them. */
export type Scope = "account:read" | "billing:read" | "secrets:write" | "tags:read" | "tags:write";

/**
 * One call of the contract, as data: what is sent, what is expected. The client calls by it, and the contract check
 * compares it with the service's own schema.
 */
export interface Operation<Reply = unknown, Body = unknown, Query = unknown> {
  readonly method: Method;
  /** Path with its parameters in braces, e.g. `/v2/pods/{id}`. */
  readonly path: string;
  /** Kind of thing that errors name and that a write changes. */
  readonly kind: Noun;
  /** What sending it twice would do. Default: nothing more than once. */
  readonly class?: CallClass;
  /** The right that the service's pages name for it. Default: no page names one. */
  readonly scope?: Scope;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** Absent: the answer has no JSON body. */
  readonly reply?: z.ZodType<Reply>;
  /** What each event of a stream carries. */
  readonly stream?: z.ZodType;
}

/** The same operation, with its types known to the compiler. */
export function operation<Reply = undefined, Body = undefined, Query = undefined>(
  definition: Operation<Reply, Body, Query>,
): Operation<Reply, Body, Query> {
  return definition;
}
