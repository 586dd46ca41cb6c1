import { ServiceError } from "../errors";
import type { Clock } from "../options";

/** Lists lag behind a delete, too. */
const LAG_MS = 3_000;
/** How long one list proves that the address and the key are right. */
const PROVES_FOR_MS = 60_000;

/**
 * Proves that a thing is gone. A 404 alone may come of a wrong path or a proxy: a list of the same kind has to answer,
 * and not to hold the id. One list serves all things of a kind that are gone.
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

  /** @throws ServiceError when the list shows what a read by id has not found, and whatever the list ends in */
  async confirm(id: string): Promise<void> {
    const proof = this.#proof;
    if (proof !== undefined && this.#clock.now() - proof.at < PROVES_FOR_MS && !(await proof.ids).has(id)) return;
    // Others that are gone may have asked anew meanwhile.
    if (this.#proof !== proof && !(await this.#proof?.ids)?.has(id)) return;
    if (!(await this.#ask()).has(id)) return;
    await this.#clock.sleep(LAG_MS);
    if (!(await this.#ask()).has(id)) return;
    const facts = { kind: this.#kind, id, status: 404 };
    throw new ServiceError(
      `${this.#kind} ${id}: the service answers 404, yet lists it, so that it is not taken for gone. Run it again later.`,
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
