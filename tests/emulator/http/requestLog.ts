/** The three interfaces of the service. */
export type Interface = "rest" | "graphql" | "queue";

/** One call as it came in; `status` is 0 until it is answered, and stays so when the connection was dropped. */
export interface LoggedRequest {
  readonly interface: Interface;
  readonly method: string;
  /** With its query, the key taken out. */
  readonly path: string;
  /** Contract operationId, GraphQL field or queue operation; empty when no operation has this path. */
  operation: string;
  status: number;
  /** Until the answer left, real ms. */
  ms: number;
}

/** The calls received, in order: all of them, or the last ones of very many. */
export class RequestLog {
  private entries: LoggedRequest[] = [];

  /** @param most how many calls are kept. */
  constructor(private readonly most: () => number) {}

  add(entry: LoggedRequest): LoggedRequest {
    this.entries.push(entry);
    // Forgetting many at once costs less than one by one.
    if (this.entries.length >= 2 * this.most()) this.entries = this.entries.slice(-this.most());
    return entry;
  }

  list(): readonly LoggedRequest[] {
    return this.entries.slice(-this.most());
  }

  clear(): void {
    this.entries = [];
  }
}

/** A path as it may be shown: `?api_key=` is a credential. */
export const withoutKey = (path: string): string => path.replace(/([?&]api_key=)[^&]*/g, "$1***");
