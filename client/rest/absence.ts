import { ServiceError } from "../errors";
import type { Clock } from "../options";

/** Lists lag behind a delete, so one that still shows the id is read again after this time. */
const LAG_MS = 3_000;
/** How long one list counts as proof that the address and the key are right. */
const PROVES_FOR_MS = 60_000;

/**
 * Confirms that a resource is deleted. A 404 alone may come from a wrong path or a proxy, so a list of the same kind must
 * answer and lack the id. One list confirms all deleted resources of a kind.
 *
 * Not guaranteed: with another account's key the list answers too, and every resource looks deleted.
 */
export class Absence {
  readonly #kind: string;
  readonly #clock: Clock;
  readonly #list: () => Promise<readonly { id: string }[]>;
  #proof: { at: number; ids: Promise<ReadonlySet<string>> } | undefined;

  constructor(kind: string, clock: Clock, list: () => Promise<readonly { id: string }[]>) {
    this.#kind = kind;
    this.#clock = clock;
    this.#list = list;
  }

  /** @throws ServiceError when the list shows the id although a read by id answered 404; any error of the list */
  async confirm(id: string): Promise<void> {
    const proof = this.#proof;
    if (proof !== undefined && this.#clock.now() - proof.at < PROVES_FOR_MS && !(await proof.ids).has(id)) return;
    // Another confirmation may have fetched a newer list in the meantime.
    if (this.#proof !== proof && !(await this.#proof?.ids)?.has(id)) return;
    // mutant no-confirmation-by-a-list: true
    if (!(await this.#ask()).has(id)) return;
    await this.#clock.sleep(LAG_MS);
    if (!(await this.#ask()).has(id)) return;
    const facts = { kind: this.#kind, id, status: 404 };
    throw new ServiceError(
      `${this.#kind} ${id}: the service answers 404, yet lists it, so it does not count as deleted. Run it again later.`,
      facts,
    );
  }

  #ask(): Promise<ReadonlySet<string>> {
    const ids = this.#list().then((items) => new Set(items.map(({ id }) => id)));
    const proof = { at: this.#clock.now(), ids };
    this.#proof = proof;
    ids.catch(() => {
      if (this.#proof === proof) this.#proof = undefined;
    });
    return ids;
  }
}
