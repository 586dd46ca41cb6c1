import { ComputeCloudError, MayExistError } from "./errors";
import type { CallOptions, Clock } from "./options";
import type { Settle } from "./retry";

export interface CreateOptions extends CallOptions {
  /** The name carries a random suffix of ours: whatever bears it came of this create. */
  uniqueName?: boolean | undefined;
}

interface Named {
  id: string;
  name?: string | null | undefined;
  createdAt?: string | null | undefined;
}

export interface Creation<T extends Named, Listed extends Named> {
  kind: string;
  name: string;
  /** The name alone tells: by a rule of the service, or because of its random suffix. */
  nameTells: boolean;
  list(): Promise<readonly Listed[]>;
  /** The created thing, by what the list shows of it. */
  adopt(found: Listed): Promise<T>;
  /** Sends the create; `settle` is asked when the answer is lost. */
  send(settle: Settle<T>): Promise<T>;
}

/** A refusal that means 'the name is taken' when an attempt of ours may have taken it. */
const nameTaken = new Set([400, 409]);

/**
 * Creates things once. The service has no idempotency keys: after a lost answer the thing is looked for by its name.
 * Exactly one new match is adopted; none means that the create may be sent again; several, or one that may be older,
 * end in a MayExistError.
 */
export class Creator {
  readonly #clock: Clock;
  readonly #serviceTime: (ms: number) => number;
  /** Ids that creates of this client have already answered with. */
  readonly #claimed = new Set<string>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /** @param serviceTime a time of ours as the service's clock has it */
  constructor(clock: Clock, serviceTime: (ms: number) => number) {
    this.#clock = clock;
    this.#serviceTime = serviceTime;
  }

  /** Creates of one name go one after another: two that are under way at once could adopt each other's thing. */
  async create<T extends Named, Listed extends Named>(creation: Creation<T, Listed>): Promise<T> {
    const key = `${creation.kind} ${creation.name}`;
    const before = this.#turns.get(key);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return this.#createOnce(creation);
    })();
    this.#turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    }
  }

  async #createOnce<T extends Named, Listed extends Named>(creation: Creation<T, Listed>): Promise<T> {
    const began = this.#clock.now();
    let lost = false;
    const settle: Settle<T> = async (error) => {
      lost = true;
      const found = await this.#find(creation, began, error);
      return found && { value: await creation.adopt(found) };
    };
    try {
      const created = await creation.send(settle);
      this.#claimed.add(created.id);
      return created;
    } catch (error) {
      if (!lost || !creation.nameTells || !(error instanceof ComputeCloudError) || !nameTaken.has(error.status ?? 0)) {
        throw error;
      }
      const found = await this.#find(creation, began, error);
      if (found === undefined) throw error;
      return creation.adopt(found);
    }
  }

  async #find<Listed extends Named>(
    creation: Creation<Named, Listed>,
    began: number,
    lost: ComputeCloudError,
  ): Promise<Listed | undefined> {
    const { kind, name } = creation;
    const listed = await creation.list().catch((error: unknown) => {
      if (!(error instanceof ComputeCloudError)) throw error;
      throw mayExist(kind, name, lost, [], `the list that would tell could not be read (${error.message})`);
    });
    const sameName = listed.filter((item) => bareName(item.name) === bareName(name) && !this.#claimed.has(item.id));
    const candidates = creation.nameTells
      ? sameName
      : sameName.filter((item) => !isOlder(item, this.#serviceTime(began)));
    const [only] = candidates;
    if (only === undefined) return undefined;
    const ours = creation.nameTells || typeof only.createdAt === "string";
    if (candidates.length === 1 && ours) {
      this.#claimed.add(only.id);
      return only;
    }
    const ids = candidates.map((item) => item.id);
    const reason = ids.length === 1 ? "it may be an older one" : "any of them may be the one";
    throw mayExist(kind, name, lost, ids, `the service lists ${ids.join(", ")} by that name, and ${reason}`);
  }
}

function isOlder(item: Named, began: number): boolean {
  return typeof item.createdAt === "string" && Date.parse(item.createdAt) < began - toleranceMs;
}

/** The service's clock is known to a second, and so is `createdAt`. */
const toleranceMs = 2_000;

/** Older clients turned FlashBoot on by a suffix of the name, which the service may show or take off. */
function bareName(name: string | null | undefined): string {
  return (name ?? "").replace(/ ?-fb$/, "");
}

function mayExist(kind: string, name: string, lost: ComputeCloudError, candidates: string[], why: string) {
  const wayOut =
    candidates.length === 0
      ? `Look for ${name} before running again, and delete it or adopt it by its id.`
      : `Adopt the right one by its id (adoptId), or delete it, then run again.`;
  return new MayExistError(
    `${kind} ${name} may exist: its create was sent, the answer was lost (${lost.message}), ${why}. ${wayOut}`,
    {
      kind,
      status: lost.status,
      requestId: lost.requestId,
      code: lost.code,
      attempts: lost.attempts,
      elapsedMs: lost.elapsedMs,
      candidates,
    },
  );
}
