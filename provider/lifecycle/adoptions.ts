const ANEW = "";

/**
 * What the program's resources take over by `adoptId`, as far as this run has heard. A resource that was renamed, or moved
 * to another kind, and adopts its own id, is deleted under its old name by the engine in the same run: the one that has it
 * by then would be left without it.
 */
export class Adoptions {
  /** By id: the places in the program of those that have it. */
  readonly #places = new Map<string, Set<string>>();

  /** @param place undefined where the resource is new: even at the same place, what is deleted then is another one */
  declared(id: string, place: string | undefined): void {
    const places = this.#places.get(id) ?? new Set();
    this.#places.set(id, places.add(place ?? ANEW));
  }

  /** Whether it has to stay when the resource at that place goes. */
  isKept(id: string, place: unknown): boolean {
    return [...(this.#places.get(id) ?? [])].some((each) => each !== place);
  }
}
