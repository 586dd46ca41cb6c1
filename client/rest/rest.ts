import { isRecord } from "../../common/json";
import { excerpt, secretsIn } from "../../common/redact";
import type { Answer, WireCall } from "../calls/call";
import { awaitShared, timeLeft } from "../calls/cancellation";
import { each } from "../calls/gathered";
import type { Operation } from "../calls/operation";
import type { Transport } from "../calls/transport";
import {
  BadRequestError,
  ComputeCloudError,
  ConflictError,
  ContractError,
  type ErrorFacts,
  NotFoundError,
  ServiceError,
  TooLargeError,
  type WrongAddressError,
} from "../errors";
import type { CallOptions, Clock } from "../options";
import type { CreateOptions, Creator, NamedResource } from "../outcomes/create";
import { FailedAnswer, foreignAnswer, wrongAddress } from "../outcomes/failures";
import type { Reconcile } from "../outcomes/retry";
import { SHOWN_OF_ANSWER, scopeOf } from "../outcomes/statuses";
import { checkedRequest, fillPath, queryText } from "../values/request";
import { type Page, readPage, readTolerantly, type Tolerant } from "../values/tolerant";
import type { ReadWindows, SharedReads } from "./batch";
import { type ListCall, listCall } from "./listCall";

export interface RestArguments<Reply, Body, Query> extends CallOptions {
  params?: Readonly<Record<string, string>>;
  query?: Query | undefined;
  body?: Body;
  reconcile?: Reconcile<Tolerant<Reply>> | undefined;
}

export type Created<Item> = Tolerant<Item> & NamedResource;

/** An operation that answers a list under the key. */
type List<Key extends string, Item> = Operation<{ [K in Key]: Item[] }, undefined, unknown>;

type ListArguments = Pick<RestArguments<unknown, undefined, object>, "params" | "query"> & CallOptions;

/** How to find the resource of a create whose answer was lost. */
interface Creating<Item> extends CreateOptions {
  readonly name: string;
  /** The name is unique. */
  readonly nameIdentifies: boolean;
  list(options: CallOptions): Promise<readonly Created<Item>[]>;
}

/** The readable items of a list. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** About the first item without a readable id. A list with such an item does not prove that any id is missing. */
  readonly unreadable: ContractError | undefined;
}

/** How late a read or a list may show what was created or deleted, and the pause between two looks. */
const LAGS_WITHIN_MS = 15_000;
const LAG_MS = 3_000;
/** A list that grows at its start while it is read may repeat a page or two. */
const MOST_STALE_PAGES = 3;

/** How long one list counts as proof that the address and the key are right. */
const PROVES_FOR_MS = 60_000;

/** REST v2: operations of the contract over the transport. */
export class Rest {
  /** By kind. */
  readonly #absences = new Map<string, Absence>();
  readonly #gets = new Map<string, (id: string) => Promise<unknown>>();

  constructor(
    readonly transport: Transport,
    readonly windows: ReadWindows,
    readonly creator: Creator,
  ) {}

  async call<Reply, Body, Query>(
    operation: Operation<Reply, Body, Query>,
    args: RestArguments<Reply, Body, Query> = {},
  ): Promise<Tolerant<Reply>> {
    const read = (answer: Answer, call: WireCall): Tolerant<Reply> => {
      if (operation.reply !== undefined) return readTolerantly(operation.reply, answer.json, factsOf(answer, call));
      if (answer.text !== "") {
        const error = this.#foreign(answer, call, "done");
        throw new FailedAnswer({ fault: "unreadable", reason: "not the service's answer", toError: () => error });
      }
      // Without a reply schema, `Reply` is undefined.
      return undefined as Tolerant<Reply>;
    };
    return this.#exchange(operation, args, read, args.reconcile);
  }

  async #exchange<Body, Query, T>(
    operation: Operation<unknown, Body, Query>,
    args: Omit<RestArguments<unknown, Body, Query>, "reconcile">,
    read: (answer: Answer, call: WireCall) => T,
    reconcile?: Reconcile<T>,
  ): Promise<T> {
    const call = this.wire(operation, args);
    const send = () => this.transport.send(call, (answer) => read(answer, call), reconcile);
    return operation.method === "GET" ? send() : this.windows.during(operation.kind, args.params?.id, send);
  }

  #foreign(answer: Answer, call: WireCall, undone: "deleted" | "done"): WrongAddressError {
    return foreignAnswer(
      { ...factsOf(answer, call), requestId: answer.requestId, detail: excerpt(answer.text, SHOWN_OF_ANSWER) },
      call.label,
      undone,
    );
  }

  /** Every readable item of a list, from all pages. */
  listAll<Key extends string, Item>(list: List<Key, Item>, key: Key, args?: ListArguments): ListCall<Tolerant<Item>> {
    return listCall(this.listing(list, key, args).then(({ items }) => [...items]));
  }

  async listing<Key extends string, Item>(
    list: List<Key, Item>,
    key: Key,
    args?: ListArguments,
  ): Promise<Listing<Tolerant<Item>>> {
    const items: Tolerant<Item>[] = [];
    let unreadable: ContractError | undefined;
    for await (const page of this.#pages(list, key, args)) {
      items.push(...page.items);
      unreadable ??= page.unreadable;
    }
    return { items, unreadable };
  }

  /** The items of a list. A page is requested when the loop reaches it. */
  async *iterate<Key extends string, Item>(
    list: List<Key, Item>,
    key: Key,
    args?: ListArguments,
  ): AsyncGenerator<Tolerant<Item>, void, undefined> {
    for await (const page of this.#pages(list, key, args)) yield* page.items;
  }

  /** The pages of a list. `timeoutMs` applies to all requests together, without the time that the caller spends between them. */
  async *#pages<Key extends string, Item>(
    operation: List<Key, Item>,
    key: Key,
    args: ListArguments = {},
  ): AsyncGenerator<Page<Item>, void, undefined> {
    const { clock, limits, timeouts } = this.transport.settings;
    const seen = new Set<string>();
    // A list that changes while it is read may show an item on two pages.
    const ids = new Set<unknown>();
    const isNew = (item: unknown) => {
      const id = isRecord(item) ? item.id : undefined;
      const isKnown = id !== undefined && ids.has(id);
      ids.add(id);
      return !isKnown;
    };
    /** Pages in a row without a new item, as from a cache that ignores the cursor. */
    let stale = 0;
    let { timeoutMs } = args;
    let cursor: string | undefined;
    do {
      const began = clock.now();
      const query = cursor === undefined ? args.query : { ...args.query, cursor };
      const call = this.wire<unknown, undefined, unknown>(operation, { ...args, query, timeoutMs });
      const send = () =>
        this.transport.send(call, (answer) => readPage<Item>(operation.reply, answer.json, key, factsOf(answer, call)));
      const page = await (args.params === undefined ? alwaysThere(call.label, send) : send());
      timeoutMs = timeoutMs === undefined ? timeouts.callMs : Math.max(0, timeoutMs - (clock.now() - began));
      const isAlone = cursor === undefined && page.next === undefined;
      const items = isAlone ? page.items : page.items.filter(isNew);
      stale = items.length === 0 && page.items.length > 0 ? stale + 1 : 0;
      if (stale >= MOST_STALE_PAGES) throw repeatsItself(operation);
      yield { ...page, items };
      cursor = page.next;
      if (cursor === undefined) return;
      if (seen.has(cursor)) throw repeatsItself(operation);
      seen.add(cursor);
    } while (seen.size < limits.pages);
    throw new TooLargeError(
      `${operation.path}: the list has more than ${limits.pages} pages. Ask for less, or raise limits.pages of the client.`,
      { kind: operation.kind, limit: limits.pages },
    );
  }

  /** Creates once; see Creator. */
  async create<Item, Body>(
    operation: Operation<Item, Body, undefined>,
    body: Body,
    { name, nameIdentifies, list, onLost, uniqueName: _, ...options }: Creating<Item>,
  ): Promise<Created<Item>> {
    return this.creator.create<Created<Item>, Created<Item>>({
      kind: operation.kind,
      name,
      nameIdentifies,
      options,
      onLost,
      list,
      adopt: async (item) => item,
      send: (reconcile, remaining) => this.call(operation, { ...remaining, body, reconcile }) as Promise<Created<Item>>,
    });
  }

  /**
   * Deletes. Only 204 says that it is done: a gateway or a health page at a wrong address answers 200 to everything. After
   * any other 2xx a read decides, and after a 400 or 409, which does not say that the resource is still there.
   *
   * @param read undefined means deleted
   * @returns false if the resource was already deleted, which a list has confirmed
   */
  async remove<Body>(
    operation: Operation<undefined, Body, undefined>,
    id: string,
    read: (options: CallOptions) => Promise<unknown>,
    { body, ...options }: Pick<RestArguments<undefined, Body, undefined>, "body"> & CallOptions = {},
  ): Promise<boolean> {
    this.creator.deletes(id);
    const remaining = timeLeft(options, this.transport.clock, { kind: operation.kind, id });
    const doubtIn = (answer: Answer, call: WireCall) =>
      // mutant any-2xx-deletes: true
      answer.status === 204 ? undefined : this.#foreign(answer, call, "deleted");
    const call = async (left: CallOptions) => ({
      doubt: await this.#exchange(operation, { params: { id }, ...(body !== undefined && { body }), ...left }, doubtIn),
    });
    const isAbsent = () => isGone(() => read(remaining()));
    let answered: { readonly doubt: WrongAddressError | undefined } | undefined;
    try {
      answered = await this.find(operation.kind, id, call, remaining());
    } catch (error) {
      // Of credentials that are gone the service answers 400, as of those in use.
      const isInUse = error instanceof BadRequestError || error instanceof ConflictError;
      if (!isInUse || !(await isAbsent())) throw error;
      return false;
    }
    if (answered?.doubt !== undefined && !(await isAbsent())) throw answered.doubt;
    return answered !== undefined;
  }

  /**
   * The result of a call about an id; undefined when it answers 404 and a list confirms that the resource is deleted. While a
   * list shows what the call does not find, one of the two lags: the call is repeated.
   *
   * @throws ServiceError with the status 404 when the two don't agree in time
   */
  async find<T>(
    kind: string,
    id: string,
    call: (options: CallOptions) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T | undefined> {
    const { clock } = this.transport;
    const remaining = timeLeft(options, clock, { kind, id });
    let until: number | undefined;
    for (;;) {
      try {
        return await call(remaining());
      } catch (error) {
        const absence = this.#absences.get(kind);
        if (!(error instanceof NotFoundError) || absence === undefined) throw error;
        if (await awaitShared(absence.confirms(id), remaining(), { kind, id })) return undefined;
        until ??= clock.now() + LAGS_WITHIN_MS;
        if (clock.now() >= until) {
          const text = "the service answers 404, yet lists it, so it does not count as deleted. Run it again later.";
          throw new ServiceError(`${kind} ${id}: ${text}`, { kind, id, status: 404 });
        }
      }
      await clock.sleep(LAG_MS, options.signal);
    }
  }

  /** Whether there is such a resource, by a read of its own. Of a kind that has none, the list tells. */
  async exists(kind: string, id: string): Promise<boolean> {
    const get = this.#gets.get(kind);
    if (get !== undefined) return (await this.find(kind, id, () => get(id))) !== undefined;
    return (await this.#absences.get(kind)?.confirms(id)) !== true;
  }

  /** Reads by id that share this kind's list. */
  share<Item extends { id: string }>(
    kind: string,
    listing: () => Promise<Listing<Item>>,
    get: (id: string) => Promise<Item>,
  ): SharedReads<Item> {
    this.provesAbsence(kind, listing);
    this.#gets.set(kind, get);
    const list = async () => (await listing()).items;
    return this.windows.share({ kind, list, confirm: (ids) => each(ids, (id) => this.find(kind, id, () => get(id))) });
  }

  /** Sets the list that must lack an id before it counts as deleted. A list with an unreadable item proves nothing. */
  provesAbsence(kind: string, listing: () => Promise<Listing<{ id: string }>>): void {
    const inFull = async () => {
      const { items, unreadable } = await listing();
      // mutant half-a-list-proves: gone
      if (unreadable !== undefined) throw unreadable;
      return items;
    };
    this.#absences.set(kind, new Absence(this.transport.clock, inFull));
  }

  wire<Reply, Body, Query>(
    operation: Operation<Reply, Body, Query>,
    { params = {}, query, body, reconcile: _, ...options }: RestArguments<Reply, Body, Query>,
  ): WireCall {
    const path = fillPath(operation.path, params);
    return {
      ...options,
      class: operation.class ?? "repeatable",
      quota: "rest",
      method: operation.method,
      url: `${this.transport.settings.baseUrl}${path}${queryText(query)}`,
      label: `${operation.method} ${path}`,
      kind: operation.kind,
      id: params.id,
      scope: scopeOf(operation.kind, operation.method),
      body: operation.body && JSON.stringify(checkedRequest(operation.body, body, operation.kind)),
      secrets: () => secretsIn(body, path),
    };
  }
}

/**
 * Confirms that a resource is deleted. A 404 alone may come from a wrong path or a proxy, so a list of the same kind must
 * answer and lack the id. One list confirms all deleted resources of a kind.
 *
 * Not guaranteed: with another account's key the list answers too, and every resource looks deleted. So does one that was
 * created a moment ago, where reads and lists lag: who knows its age has to ask for that.
 */
class Absence {
  #proof: { at: number; ids: Promise<ReadonlySet<string>> } | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly list: () => Promise<readonly { id: string }[]>,
  ) {}

  /**
   * Whether the list lacks the id, which a read by id has not found.
   *
   * @throws any error of the list
   */
  async confirms(id: string): Promise<boolean> {
    const proof = this.#proof;
    if (proof !== undefined && this.clock.now() - proof.at < PROVES_FOR_MS && !(await proof.ids).has(id)) return true;
    // Another confirmation may have fetched a newer list in the meantime.
    const newer = this.#proof;
    if (newer !== undefined && newer !== proof && !(await newer.ids).has(id)) return true;
    // mutant no-confirmation-by-a-list: true
    if (!(await this.#ask()).has(id)) return true;
    return false;
  }

  #ask(): Promise<ReadonlySet<string>> {
    const ids = this.list().then((items) => new Set(items.map(({ id }) => id)));
    const proof = { at: this.clock.now(), ids };
    this.#proof = proof;
    ids.catch(() => {
      if (this.#proof === proof) this.#proof = undefined;
    });
    return ids;
  }
}

function repeatsItself({ path }: Operation<unknown, unknown, unknown>): ContractError {
  return new ContractError(`${path}: the list repeats a page. Run it again later.`, { path: "pagination.nextCursor" });
}

/** For what every account has, such as a list: a 404 means that the address is wrong. */
export async function alwaysThere<T>(label: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof NotFoundError ? wrongAddress(error, label) : error;
  }
}

/** A read that fails proves nothing. */
async function isGone(read: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await read()) === undefined;
  } catch (error) {
    if (error instanceof ComputeCloudError) return false;
    throw error;
  }
}

const factsOf = ({ status }: Answer, { kind, id }: WireCall): ErrorFacts => ({ kind, id, status });
