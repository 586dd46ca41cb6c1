/** The interfaces of the service; `endpoint`: requests to load balancers; `pod`: requests to pods' http ports. */
export type Interface = "rest" | "graphql" | "queue" | "endpoint" | "pod";

/** One received call. `status` is 0 until it is answered, and stays 0 when the connection was dropped. */
export interface LoggedRequest {
  readonly number: number;
  /** When it arrived, ms since the epoch by the emulator's clock. */
  readonly at: number;
  readonly interface: Interface;
  readonly method: string;
  /** Including its query, without the key. */
  readonly path: string;
  /** Contract operationId, GraphQL fields with `+` between them, or queue operation; empty when no operation has this path. */
  operation: string;
  status: number;
  /** Real time until the answer was sent, in ms. */
  ms: number;
  /** Why the call was refused: the service's message, or the fault. */
  refusal?: { readonly by: "service" | "fault"; readonly why: string };
}

type NewRequest = Omit<LoggedRequest, "number" | "ms" | "status">;

/** The received calls, in order. Of very many calls, only the latest are kept. */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private received = 0;
  private readonly watchers = new Set<(entry: LoggedRequest) => void>();

  /** @param most how many calls are kept. */
  constructor(private readonly most: () => number) {}

  add(request: NewRequest): LoggedRequest {
    const entry = { number: ++this.received, ...request, status: 0, ms: 0 };
    this.entries.push(entry);
    // Dropping many at once is cheaper than one by one.
    if (this.entries.length >= 2 * this.most()) this.entries = this.entries.slice(-this.most());
    this.changed(entry);
    return entry;
  }

  /** Notifies the watchers that an entry has changed, because it was answered, for example. */
  changed(entry: LoggedRequest): void {
    for (const watch of this.watchers) watch(entry);
  }

  /** Calls `watcher` for every call that arrives or is answered, until the returned function is called. */
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

/** Removes the key from a path's query. */
export const withoutKey = (path: string): string => path.replace(/([?&]api_key=)[^&]*/g, "$1***");
