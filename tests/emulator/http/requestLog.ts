/** The three interfaces of the service. */
export type Interface = "rest" | "graphql" | "queue";

/** One call as it came in; `status` is 0 until it is answered, and stays so when the connection was dropped. */
export interface LoggedRequest {
  /** Counts from 1. */
  readonly number: number;
  /** When it came in, ms since the epoch on the emulator's clock. */
  readonly at: number;
  readonly interface: Interface;
  readonly method: string;
  /** With its query, the key taken out. */
  readonly path: string;
  /** Contract operationId, GraphQL field or queue operation; empty when no operation has this path. */
  operation: string;
  status: number;
  /** Until the answer left, real ms. */
  ms: number;
  /** Why it did not get what it asked for: the service's own words, or the fault that was met. */
  refusal?: Refusal;
}

export interface Refusal {
  readonly by: "service" | "fault";
  readonly why: string;
}

type NewRequest = Omit<LoggedRequest, "number" | "ms" | "status">;

/** The calls received, in order: all of them, or the last ones of very many. */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private received = 0;
  private readonly watchers = new Set<(entry: LoggedRequest) => void>();

  /** @param most how many calls are kept. */
  constructor(private readonly most: () => number) {}

  add(request: NewRequest): LoggedRequest {
    const entry = { number: ++this.received, ...request, status: 0, ms: 0 };
    this.entries.push(entry);
    // Forgetting many at once costs less than one by one.
    if (this.entries.length >= 2 * this.most()) this.entries = this.entries.slice(-this.most());
    this.changed(entry);
    return entry;
  }

  /** Says that something is known of an entry that was not: how it was answered, say. */
  changed(entry: LoggedRequest): void {
    for (const watch of this.watchers) watch(entry);
  }

  /** Calls `watcher` for every call that comes in or is answered, until the function that is returned is called. */
  watch(watcher: (entry: LoggedRequest) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
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
