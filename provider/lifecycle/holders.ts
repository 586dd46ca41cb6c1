/**
 * Which ids the program's resources have, as far as this run has heard. A resource that was renamed, or moved to another
 * kind, and adopts its own id, is deleted under its old name by the engine in the same run: the one that has it by then
 * would be left without it.
 */
export class Holders {
  /** By id: the places in the program of those that have it. */
  readonly #places = new Map<string, Set<string>>();
  readonly #declared = new Set<string>();
  readonly #adopted = new Set<string>();
  readonly #told = new Set<string>();
  readonly #recorded = new Set<string>();

  /** The engine's state holds it, or does once the operation under way has been answered. */
  records(id: string): void {
    this.#recorded.add(id);
  }

  isRecorded(id: string): boolean {
    return this.#recorded.has(id);
  }

  /**
   * The program declares something at that place. A refresh compares without that: what it compares may stand under a name
   * that an alias has since renamed, and is then the same resource.
   */
  declares(place: string): void {
    this.#declared.add(place);
  }

  /** The program keeps it at that place. Answers, once for each id, whether it does so at another as well. */
  isSecond(id: string, place: string): boolean {
    if (!this.#declared.has(place)) return false;
    const places = this.#places.get(id) ?? new Set();
    this.#places.set(id, places.add(place));
    if (places.size < 2 || this.#told.has(id)) return false;
    this.#told.add(id);
    return true;
  }

  /** Whether a resource of this program has it. */
  has(id: string): boolean {
    return this.#adopted.has(id) || (this.#places.get(id)?.size ?? 0) > 0;
  }

  /**
   * What is made at that place now is another one than the engine compared: it was replaced. The place under which the old
   * one is deleted may be that of an alias.
   */
  replaces(place: string): void {
    for (const places of this.#places.values()) places.delete(place);
  }

  /** A new resource takes it over: even at the same place, what is deleted then is another one. */
  adopts(id: string): void {
    this.#adopted.add(id);
  }

  /** Whether it has to stay when the resource at that place goes. */
  isKept(id: string, place: unknown): boolean {
    return this.#adopted.has(id) || [...(this.#places.get(id) ?? [])].some((each) => each !== place);
  }
}
