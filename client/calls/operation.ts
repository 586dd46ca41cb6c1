import type { z } from "zod";
import type { CallClass } from "../outcomes/retry";
import type { Subject } from "../outcomes/statuses";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One call of the contract, as data: what is sent and what is expected. The client makes its calls from it, and the contract
 * check compares it with the service's own schema.
 */
export interface Operation<Reply = unknown, Body = unknown, Query = unknown> {
  readonly method: Method;
  /** Path with its parameters in braces, e.g. `/v2/pods/{id}`. */
  readonly path: string;
  /** The kind of resource that errors name and that a write changes. */
  readonly kind: Subject;
  /** What sending it twice would do. Default `repeatable`. */
  readonly class?: CallClass;
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  /** Absent: the answer has no JSON body. */
  readonly reply?: z.ZodType<Reply>;
  /** The content of each event of a stream. */
  readonly stream?: z.ZodType;
}

/** Returns its argument; lets the compiler infer the types. */
export function operation<Reply = undefined, Body = undefined, Query = undefined>(
  definition: Operation<Reply, Body, Query>,
): Operation<Reply, Body, Query> {
  return definition;
}
