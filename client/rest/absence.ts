import type { Clock } from "../options";

/** How long one list counts as proof that the address and the key are right. */
const PROVES_FOR_MS = 60_000;

/**
 * Confirms that a resource is deleted. A 404 alone may come from a wrong path or a proxy, so a list of the same kind must
 * answer and lack the id. One list confirms all deleted resources of a kind.
 *
 * Not guaranteed: with another account's key the list answers too, and every resource looks deleted. So does one that was
 * created a moment ago, where reads and lists lag: who knows its age has to ask for that.
 */
export class Absence {
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
