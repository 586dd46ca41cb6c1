import type { RunNotes } from "./runNotes";

/** The other processes of the run can't be told of an adoption, so that one of them could delete what is adopted. */
export class UntoldError extends Error {
  override readonly name = "UntoldError";
  constructor(id: string) {
    super(
      `"${id}" is not adopted: this run can't leave a note for its other providers, one of which may have it under another ` +
        "name and delete it. Set PULUMI_HOME to a folder that can be written to.",
    );
  }
}

/** What the checks of other resources need: a volume's data center, and whom a template is for. And its place, if it is known. */
export interface Known {
  readonly dataCenter?: unknown;
  readonly serverless?: unknown;
  readonly __seed?: unknown;
}

/**
 * Which resources of the program have which ids, as far as this run has learnt. It keeps an id from being deleted under
 * an old name. A program may rename a resource, move it to another kind, or to another provider, and adopt its own id. In
 * the same run the engine then deletes the old name, although the new one has the resource.
 *
 * The engine calls other processes for resources of another `Provider`. What a process adopts, or has adopted earlier, it
 * tells them. The engine deletes after creates and updates, so they learn of it in time.
 */
export class Holders {
  /** By id: the places in the program of the resources that have it. */
  readonly #places = new Map<string, Set<string>>();
  readonly #declared = new Set<string>();
  readonly #adopted = new Set<string>();
  readonly #told = new Set<string>();
  readonly #recorded = new Map<string, Known>();
  readonly #deleted = new Set<string>();

  /**
   * @param run tells the other processes of the run; without it nobody is told
   * @param account the short hash of the account that the process works in, once it is known
   */
  constructor(
    private readonly run?: Pick<RunNotes, "tell" | "heard">,
    private readonly account: () => string | undefined = () => undefined,
  ) {}

  /**
   * The engine's state holds this id, or will when the operation under way is answered.
   *
   * @param values the resource's arguments, where they are known
   */
  records(id: string, { dataCenter, serverless, __seed }: Known = {}): void {
    const before = this.#recorded.get(id);
    if (before === undefined || dataCenter !== undefined || serverless !== undefined)
      this.#recorded.set(id, { dataCenter, serverless, __seed: __seed ?? before?.__seed });
  }

  isRecorded(id: string): boolean {
    return this.#recorded.has(id);
  }

  /** Undefined if no state is known to hold this id. */
  recorded(id: string): Known | undefined {
    return this.#recorded.get(id);
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
    return this.#adopted.has(id) || (this.#places.get(id)?.size ?? 0) > 0 || this.#isHeldElsewhere(id);
  }

  /**
   * A new resource is created at this place, so its old ids are free to be deleted. The engine may delete the old
   * resource under the place of an alias, which would look like another resource.
   */
  replaces(place: string): void {
    for (const places of this.#places.values()) places.delete(place);
  }

  /**
   * A new resource adopts this id. From then on no delete of this run may remove it, not even one at the same place.
   *
   * @throws UntoldError
   */
  adopts(id: string): void {
    this.#adopted.add(id);
    // mutant adoption-untold: gone
    if (!this.#tell(id, this.account())) throw new UntoldError(id);
  }

  /**
   * The program declares a resource at this place that an earlier run adopted. What was adopted may be in the state under
   * another name as well, in another process.
   *
   * @param account of the resource's state
   */
  hasAdopted(id: string, place: unknown, account?: unknown): void {
    if (typeof place !== "string" || !this.#declared.has(place)) return;
    this.#tell(id, typeof account === "string" ? account : this.account());
  }

  #tell(holds: string, account: string | undefined): boolean {
    return this.run?.tell({ holds, ...(account !== undefined && { account }) }) ?? true;
  }

  /** This run has begun to delete it. */
  deletes(id: string): void {
    this.#deleted.add(id);
  }

  isDeleted(id: string): boolean {
    return this.#deleted.has(id);
  }

  /**
   * A new resource is what the account has only once. What it replaces has the same id, and is deleted after it: no delete
   * of this run may remove it, in whichever process.
   */
  makes(id: string): void {
    this.#adopted.add(id);
    this.#tell(id, this.account());
  }

  /** Whether a delete at this place must spare this id, because another resource has it. */
  isKept(id: string, place: unknown): boolean {
    // mutant deleted-under-its-old-name: false
    if (this.#adopted.has(id) || [...(this.#places.get(id) ?? [])].some((each) => each !== place)) return true;
    return this.#isHeldElsewhere(id);
  }

  /** Two accounts may use the same id, as for their lists of SSH keys. An account that is not known may be this one. */
  #isHeldElsewhere(id: string): boolean {
    const own = this.account();
    const lastOf = new Map(this.run?.heard().flatMap((note) => (note.holds === id ? [[note.process, note]] : [])));
    return [...lastOf.values()].some(({ account = own }) => own === undefined || account === own);
  }
}
