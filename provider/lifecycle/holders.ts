/**
 * Which resources of the program have which ids, as far as this run has learnt. It keeps an id from being deleted under
 * an old name. A program may rename a resource, or move it to another kind, and adopt its own id. In the same run the
 * engine then deletes the old name, although the new one has the resource.
 *
 * A process learns only of its own resources: dynamic and native ones don't protect each other.
 */
export class Holders {
  /** By id: the places in the program of the resources that have it. */
  readonly #places = new Map<string, Set<string>>();
  readonly #declared = new Set<string>();
  readonly #adopted = new Set<string>();
  readonly #told = new Set<string>();
  readonly #recorded = new Set<string>();

  /** The engine's state holds this id, or will when the operation under way is answered. */
  records(id: string): void {
    this.#recorded.add(id);
  }

  isRecorded(id: string): boolean {
    return this.#recorded.has(id);
  }

  /**
   * The program declares a resource at this place. A refresh compares without declarations. It may then see the old name
   * of an alias, which is not a second resource.
   */
  declares(place: string): void {
    this.#declared.add(place);
  }

  /**
   * Notes that the resource at this place has this id. Answers true, once for each id, if a resource at another place has
   * it as well.
   */
  isSecond(id: string, place: string): boolean {
    if (!this.#declared.has(place)) return false;
    const places = this.#places.get(id) ?? new Set();
    this.#places.set(id, places.add(place));
    if (places.size < 2 || this.#told.has(id)) return false;
    this.#told.add(id);
    return true;
  }

  /** Whether a resource of this program has this id. */
  has(id: string): boolean {
    return this.#adopted.has(id) || (this.#places.get(id)?.size ?? 0) > 0;
  }

  /**
   * A new resource is created at this place, so its old ids are free to be deleted. The engine may delete the old
   * resource under the place of an alias, which would look like another resource.
   */
  replaces(place: string): void {
    for (const places of this.#places.values()) places.delete(place);
  }

  /** A new resource adopts this id. From then on no delete of this run may remove it, not even one at the same place. */
  adopts(id: string): void {
    this.#adopted.add(id);
  }

  /** Whether a delete at this place must spare this id, because another resource has it. */
  isKept(id: string, place: unknown): boolean {
    return this.#adopted.has(id) || [...(this.#places.get(id) ?? [])].some((each) => each !== place);
  }
}
