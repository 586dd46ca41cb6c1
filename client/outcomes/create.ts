import type { Settings } from "../calls/call";
import { awaitShared, timeLeft } from "../calls/cancellation";
import { CallHooks } from "../calls/hooks";
import { clocksApart } from "../calls/shared";
import type { Transport } from "../calls/transport";
import { AbortError, BadRequestError, ComputeCloudError, GraphqlError, MayExistError } from "../errors";
import type { CallOptions } from "../options";
import { withoutFlashBoot } from "../values/endpointTexts";
import { APPEARS_WITHIN_MS, type Reconcile } from "./retry";
import { faultOfStatus } from "./statuses";

export interface CreateOptions extends CallOptions {
  /** The name ends in a random suffix that we chose, so only this create can have made a resource of that name. */
  uniqueName?: boolean | undefined;
  /** Called when the answer was lost, with the time until which the resource may still appear. */
  onLost?: ((mayAppearUntil: Date) => void) | undefined;
}

/** The fields of a resource that the search for a lost create needs. */
export interface NamedResource {
  id: string;
  name?: string | null | undefined;
  createdAt?: string | null | undefined;
}

export interface Creation<T extends NamedResource, Listed extends NamedResource> {
  kind: string;
  name: string;
  /** The name is unique, by a rule of the service or by its random suffix. Otherwise `createdAt` has to tell. */
  nameIdentifies: boolean;
  options: CallOptions;
  onLost?: ((mayAppearUntil: Date) => void) | undefined;
  list(options: CallOptions): Promise<readonly Listed[]>;
  /** The created resource, from its entry in the list. */
  adopt(listed: Listed, options: CallOptions): Promise<T>;
  /** Sends the create; `reconcile` is called when the answer is lost. */
  send(reconcile: Reconcile<T>, options: CallOptions): Promise<T>;
}

/** What creates need of their transport. */
interface Creates extends Pick<Transport, "clock"> {
  serviceTime(ms: number): number;
  readonly settings: Pick<Settings, "observers">;
}

/** The search for the result of a create whose answer was lost. */
interface Search {
  readonly began: number;
  /** After this the resource can no longer appear. */
  readonly until: number;
  /** The error that lost the answer. */
  readonly lost: ComputeCloudError;
  readonly hooks: CallHooks;
}

/** Lists lag behind a create by 2.5 s and more. A resource that is missing from an earlier list may still exist. */
const LAG_MS = 3_000;
const LONGEST_PAUSE_MS = 20_000;
/** Time for the one look after an aborted create. */
const ABORTED_LOOK_MS = 2_000;
/** Time for one look, so that a slow list does not use up the whole search. */
const LOOK_MS = 30_000;
/** We know the service's clock only to a second, and `createdAt` has whole seconds too. */
const TOLERANCE_MS = 2_000;

/**
 * Creates resources once. The service has no idempotency keys, so a create whose answer was lost is never sent again: the
 * first one may still be under way. Instead we search for the resource by its name, until it can no longer appear. The
 * call's time limit applies to sending only; its signal ends the search too. Exactly one new match is adopted; anything
 * else ends in a MayExistError.
 *
 * Not guaranteed: a proxy that sends the request twice may leave a second resource. We notice it only if the list shows it
 * a moment later. Without a unique name, another program's create of the same name at the same time may be adopted.
 */
export class Creator {
  /** Ids of the resources that this client's creates made or adopted, or that it deletes. */
  readonly #claimed = new Set<string>();
  /** Names of this client's creates with an unknown result. A resource of such a name may belong to an earlier create. */
  readonly #unresolved = new Set<string>();
  /** By name: settles when all creates of that name are over. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor(private readonly transport: Creates) {}

  /** No later create can have made it, although lists and reads may still show it, by the name of what takes its place. */
  deletes(id: string): void {
    this.#claimed.add(id);
  }

  /** Creates of one name run one after another: two at once could adopt each other's resource. */
  async create<T extends NamedResource, Listed extends NamedResource>(creation: Creation<T, Listed>): Promise<T> {
    const key = keyOf(creation);
    const before = this.#turns.get(key);
    const turn = this.#createAfter(before, creation);
    // A create that was aborted while it waited must not release the queue before the creates ahead of it are over.
    const turns = Promise.allSettled([before, turn]).then(() => {
      if (this.#turns.get(key) === turns) this.#turns.delete(key);
    });
    this.#turns.set(key, turns);
    return turn;
  }

  async #createAfter<T extends NamedResource, Listed extends NamedResource>(
    before: Promise<void> | undefined,
    creation: Creation<T, Listed>,
  ): Promise<T> {
    const { clock } = this.transport;
    const remaining = timeLeft(creation.options, clock, creation);
    // mutant creates-of-one-name-at-once: gone
    if (before !== undefined) await awaitShared(before, creation.options, creation);
    const hooks = new CallHooks(this.transport.settings.observers);
    const began = clock.now();
    const options = remaining();
    let created: T;
    try {
      created = await creation.send(async (lost) => {
        const until = Math.ceil(clock.now()) + APPEARS_WITHIN_MS;
        creation.onLost?.(new Date(until));
        const listed = await this.#lookFor(creation, { began, until, lost, hooks });
        this.#claimed.add(listed.id);
        return { value: await this.#adopted(creation, listed, until, lost) };
      }, options);
    } catch (error) {
      const nothingCreated = error instanceof ComputeCloudError && error.outcomeUnknown !== true;
      if (!nothingCreated) this.#unresolved.add(keyOf(creation));
      throw hooks.errorOver(error instanceof AbortError ? await this.#aborted(creation, began, error) : error);
    }
    this.#claimed.add(created.id);
    hooks.throwIfThrown();
    return created;
  }

  /** Takes one quick look only, because the caller does not want to wait. */
  async #aborted<Listed extends NamedResource>(
    creation: Creation<NamedResource, Listed>,
    began: number,
    error: AbortError,
  ) {
    const { kind } = creation;
    const seen = await this.#look(creation, began, { timeoutMs: ABORTED_LOOK_MS }).catch(() => []);
    const candidates = seen instanceof Error ? [] : seen.map(({ id }) => id);
    const until = Math.ceil(this.transport.clock.now()) + APPEARS_WITHIN_MS;
    const message = `${subjectOf(creation)} may exist: its create was aborted after it was sent. ${wayOutOf(candidates, until)}`;
    const facts = { kind, code: error.code, candidates, mayComeUpUntil: new Date(until) };
    return new AbortError(message, facts, error.cause);
  }

  async #adopted<T extends NamedResource, Listed extends NamedResource>(
    creation: Creation<T, Listed>,
    listed: Listed,
    until: number,
    lost: ComputeCloudError,
  ): Promise<T> {
    try {
      return await creation.adopt(listed, { signal: creation.options.signal });
    } catch (error) {
      if (!(error instanceof ComputeCloudError)) throw error;
      const why = `${listed.id} is the one, but could not be read (${error.message})`;
      throw mayExist(creation, lost, [listed.id], until, why);
    }
  }

  /** The only resource that the create can have made. @throws MayExistError when there is none, or more than one */
  async #lookFor<Listed extends NamedResource>(
    creation: Creation<NamedResource, Listed>,
    search: Search,
  ): Promise<Listed> {
    const { clock } = this.transport;
    const { began, until, lost } = search;
    let candidates: readonly Listed[] | undefined;
    let unread: string | undefined;
    for (let looks = 1, pauseMs = LAG_MS; ; looks += 1, pauseMs *= 1.5) {
      const leftMs = Math.max(until - clock.now(), LAG_MS);
      await this.#pause(creation, looks, Math.min(pauseMs, LONGEST_PAUSE_MS, leftMs), search);
      const seen = await this.#look(creation, began);
      if (seen instanceof Error) {
        unread = seen.message;
        if (!passes(seen)) break;
      } else {
        candidates = seen;
        const only = this.#only(creation, seen);
        // A proxy may have sent the create twice, so a second resource may appear a moment later.
        const twins = only === undefined ? seen : await this.#lookForTwins(creation, looks, search, only);
        // mutant lost-create-not-looked-for: false
        if (only !== undefined && twins.length < 2) return only;
        candidates = twins;
        if (twins.length > 1) break;
      }
      if (clock.now() >= until) break;
    }
    const ids = candidates?.map(({ id }) => id) ?? [];
    const why = reasonOf(
      candidates,
      unread,
      clock.now() < until,
      creation.nameIdentifies ? undefined : this.#clocksApart(),
    );
    throw mayExist(creation, lost, ids, until, why);
  }

  async #lookForTwins<Listed extends NamedResource>(
    creation: Creation<NamedResource, Listed>,
    looks: number,
    search: Search,
    listed: Listed,
  ): Promise<readonly Listed[]> {
    await this.#pause(creation, looks, LAG_MS, search);
    const seen = await this.#look(creation, search.began);
    return seen instanceof Error ? [listed] : [listed, ...seen.filter(({ id }) => id !== listed.id)];
  }

  /** Listed resources of the same name that this create may have made. */
  async #look<Listed extends NamedResource>(
    creation: Creation<NamedResource, Listed>,
    began: number,
    options: CallOptions = { signal: creation.options.signal, timeoutMs: LOOK_MS },
  ): Promise<readonly Listed[] | ComputeCloudError> {
    const { name, nameIdentifies } = creation;
    try {
      const listed = await creation.list({ ...options, attempts: 1 });
      const sameName = listed.filter(
        (item) => withoutFlashBoot(item.name) === withoutFlashBoot(name) && !this.#claimed.has(item.id),
      );
      const earliest = Math.min(began, this.transport.serviceTime(began));
      return nameIdentifies ? sameName : sameName.filter((item) => !isOlder(item, earliest));
    } catch (error) {
      if (error instanceof ComputeCloudError) return error;
      throw error;
    }
  }

  #only<Listed extends NamedResource>(
    creation: Creation<NamedResource, Listed>,
    seen: readonly Listed[],
  ): Listed | undefined {
    const [only] = seen;
    if (seen.length !== 1 || only === undefined || this.#unresolved.has(keyOf(creation))) return undefined;
    if (creation.nameIdentifies) return only;
    return ageOf(only) !== undefined && this.#clocksApart() === undefined ? only : undefined;
  }

  #clocksApart(): string | undefined {
    const now = this.transport.clock.now();
    return clocksApart(now, this.transport.serviceTime(now));
  }

  async #pause(
    creation: Creation<NamedResource, NamedResource>,
    attempt: number,
    waitMs: number,
    { lost, hooks }: Search,
  ): Promise<void> {
    const { clock } = this.transport;
    const reason = String(lost.status ?? lost.code ?? lost.name);
    hooks.retry({ call: `looking for ${subjectOf(creation)}`, attempt, waitMs, reason });
    await clock.sleep(waitMs, creation.options.signal);
  }
}

/** Whether the service refused a request for its content, other than its form. */
export const isRefusal = (error: unknown): boolean => error instanceof BadRequestError || error instanceof GraphqlError;

/** Whether the service refused a create, through REST or GraphQL, and so made nothing. A 408 is no proof of that. */
export function wasRefused(error: ComputeCloudError): boolean {
  if (error.outcomeUnknown === true || error instanceof MayExistError) return false;
  const { status = 0 } = error;
  return error instanceof GraphqlError || (status >= 400 && status < 500 && status !== 408);
}

const keyOf = ({ kind, name }: Creation<NamedResource, NamedResource>): string => `${kind} ${withoutFlashBoot(name)}`;

/** Whether another look may succeed. */
function passes({ status }: ComputeCloudError): boolean {
  return status === undefined || status < 300 || faultOfStatus(status) !== "refused";
}

function ageOf({ createdAt }: NamedResource): number | undefined {
  const time = Date.parse(createdAt ?? "");
  return Number.isNaN(time) ? undefined : time;
}

function isOlder(item: NamedResource, began: number): boolean {
  const time = ageOf(item);
  // mutant older-one-taken-over: false
  return time !== undefined && time < began - TOLERANCE_MS;
}

function reasonOf(
  candidates: readonly NamedResource[] | undefined,
  unread: string | undefined,
  isEarly: boolean,
  ageless: string | undefined,
): string {
  const [only, second] = candidates ?? [];
  if (candidates === undefined) return `the list that would tell could not be read (${unread})`;
  if (only === undefined) {
    if (!isEarly) return `it has not appeared within ${APPEARS_WITHIN_MS / 1000} s`;
    return `it has not appeared yet, and the list can no longer be read (${unread})`;
  }
  const ids = candidates.map(({ id }) => id).join(", ");
  const older = ageless ? `it may have come of an older create: ${ageless}` : "it may have come of an older create";
  const why = second === undefined ? older : "any of them may be the one";
  return `the service lists ${ids} by that name, and ${why}`;
}

/** @param until when the resource can no longer appear */
function mayExist(
  creation: Creation<NamedResource, NamedResource>,
  lost: ComputeCloudError,
  candidates: string[],
  until: number,
  why: string,
) {
  const subject = subjectOf(creation);
  const wayOut = wayOutOf(candidates, until);
  const { status, requestId, code, attempts, elapsedMs } = lost;
  const facts = { kind: creation.kind, status, requestId, code, attempts, elapsedMs, outcomeUnknown: true };
  return new MayExistError(
    `${subject} may exist: its create was sent, the answer was lost (${lost.message}), and ${why}. ${wayOut}`,
    { ...facts, candidates, mayComeUpUntil: new Date(until) },
  );
}

function subjectOf({ kind, name }: Creation<NamedResource, NamedResource>): string {
  return [kind, name].filter(Boolean).join(" ");
}

function wayOutOf([only]: readonly string[], until: number): string {
  return only === undefined
    ? `It may still appear until ${new Date(until).toISOString()}. Look for it after that: adopt it by its id ` +
        '(adoptId: "<id>"), or delete it. If there is none, nothing came of the create: run again.'
    : `Adopt the right one by its id (adoptId: "${only}"), or delete it, then run again.`;
}
