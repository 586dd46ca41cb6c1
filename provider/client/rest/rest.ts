import type { ReadWindows, SharedReads } from "../batch";
import type { CreateOptions, Creator } from "../create";
import { ContractError, NotFoundError } from "../errors";
import { conform } from "../json";
import type { Operation } from "../operation";
import type { CallOptions } from "../options";
import { fillPath, queryText } from "../path";
import { secretsIn } from "../redact";
import type { Settle } from "../retry";
import type { Transport, WireCall } from "../transport";

export interface RestArguments<Reply, Body, Query> extends CallOptions {
  params?: Readonly<Record<string, string>>;
  query?: Query | undefined;
  body?: Body;
  settle?: Settle<Reply> | undefined;
}

interface Named {
  id: string;
  name?: string | null | undefined;
  createdAt?: string | null | undefined;
}

interface Paged {
  pagination?: { nextCursor?: string | null | undefined; hasNextPage: boolean } | undefined;
}

/** REST v2: operations of the contract over the transport. */
export class Rest {
  readonly transport: Transport;
  readonly windows: ReadWindows;
  readonly creator: Creator;

  constructor(transport: Transport, windows: ReadWindows, creator: Creator) {
    this.transport = transport;
    this.windows = windows;
    this.creator = creator;
  }

  async call<Reply, Body, Query>(
    operation: Operation<Reply, Body, Query>,
    args: RestArguments<Reply, Body, Query> = {},
  ): Promise<Reply> {
    const call = this.wire(operation, args);
    const send = () =>
      this.transport.send(
        call,
        (answer) => read(operation, answer.json, { ...call, status: answer.status, requestId: answer.requestId }),
        args.settle,
      );
    return operation.method === "GET" ? send() : this.windows.during(operation.kind, send);
  }

  /** Every item of a list: pages are followed where the service has them. */
  async listAll<Reply extends Paged, Item>(
    operation: Operation<Reply, undefined, unknown>,
    itemsOf: (reply: Reply) => readonly Item[],
    args: Pick<RestArguments<Reply, undefined, object>, "params" | "query" | "signal"> = {},
  ): Promise<Item[]> {
    const items: Item[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? args.query : { ...args.query, cursor };
      const reply = await this.call<Reply, undefined, unknown>(operation, { ...args, query });
      items.push(...itemsOf(reply));
      cursor = reply.pagination?.hasNextPage === true ? (reply.pagination.nextCursor ?? undefined) : undefined;
      if (cursor !== undefined && seen.has(cursor)) {
        const path = "pagination.nextCursor";
        throw new ContractError(`${operation.path}: the list repeats a page. Run it again later.`, { path });
      }
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
    return items;
  }

  /** Creates once; see Creator. */
  async create<Item extends Named, Body extends { name?: string | null | undefined }>(
    operation: Operation<Item, Body, undefined>,
    body: Body,
    list: (options: CallOptions) => Promise<readonly Item[]>,
    { uniqueName = false, namesAreUnique = false, signal }: CreateOptions & { namesAreUnique?: boolean },
  ): Promise<Item> {
    return this.creator.create({
      kind: operation.kind,
      name: body.name ?? "",
      nameTells: uniqueName || namesAreUnique,
      list: () => list({ signal }),
      adopt: async (item) => item,
      send: (settle) => this.call(operation, { body, settle, signal }),
    });
  }

  /** Deletes; already gone is as good. */
  async remove(
    operation: Operation<undefined, undefined, undefined>,
    id: string,
    { signal }: CallOptions = {},
  ): Promise<void> {
    try {
      await this.call(operation, { params: { id }, signal });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  /** Reads by id that share this kind's list. */
  share<Item extends { id: string }>(
    kind: string,
    list: () => Promise<readonly Item[]>,
    get: (id: string) => Promise<Item>,
  ): SharedReads<Item> {
    const confirmOne = async (id: string): Promise<Item | undefined | Error> => {
      try {
        return await get(id);
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        return error instanceof Error ? error : new Error("The read was aborted.", { cause: error });
      }
    };
    return this.windows.share({ kind, list, confirm: (ids) => Promise.all(ids.map(confirmOne)) });
  }

  wire<Reply, Body, Query>(
    operation: Operation<Reply, Body, Query>,
    args: RestArguments<Reply, Body, Query>,
  ): WireCall {
    const path = fillPath(operation.path, args.params ?? {});
    return {
      class: operation.class ?? "repeatable",
      quota: "rest",
      method: operation.method,
      url: `${this.transport.baseUrl}${path}${queryText(args.query)}`,
      label: `${operation.method} ${path}`,
      kind: operation.kind,
      id: args.params?.id,
      body: args.body === undefined ? undefined : JSON.stringify(args.body),
      secrets: () => secretsIn(args.body),
      signal: args.signal,
      timeoutMs: args.timeoutMs,
      attempts: args.attempts,
      onResponse: args.onResponse,
    };
  }
}

function read<Reply>(operation: Operation<Reply>, json: unknown, facts: Parameters<typeof conform>[2]): Reply {
  // An operation without a reply schema has Reply undefined: nothing of a 204 is read.
  return operation.reply === undefined ? (undefined as Reply) : conform(operation.reply, json, facts);
}
