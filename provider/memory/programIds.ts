import type { RunPages } from "./runPages";

/** The processes of the run can't tell each other what they have, so that one could delete what another one declares. */
export class UntoldError extends Error {
  override readonly name = "UntoldError";
  constructor(id: string, undone: "adopted" | "deleted") {
    super(
      `"${id}" is not ${undone}: this run can't leave a note for its other providers, one of which may have it under another ` +
        "name and delete it, or declare it. Set PULUMI_HOME to a folder that can be written to.",
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
 * Which resource of the program has which id. A program may rename a resource, move it to another kind, or to another
 * provider, and adopt its own id. In the same run the engine then deletes the old name, although the new one has the
 * resource, and perhaps in another process: that of another `Provider`. It deletes after creates and updates, so the other
 * process can be told in time.
 */
export class ProgramIds {
  readonly #declared = new Set<string>();
  /** By id: the places in the program of the resources that have it. */
  readonly #places = new Map<string, Set<string>>();
  readonly #sharedIds = new Set<string>();
  readonly #adopted = new Set<string>();
  /** By id: the account under which the other processes of the run were told of it. */
  readonly #told = new Map<string, string | undefined>();
  readonly #recorded = new Map<string, Known>();
  readonly #deleting = new Set<string>();
  readonly #bound = new Map<string, string>();

  /** @param account short hash of the account that the process works in, once it is known */
  constructor(
    private readonly pages: RunPages,
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

  /** Undefined if no state is known to hold this id. */
  recorded(id: string): Known | undefined {
    return this.#recorded.get(id);
  }

  /**
   * The program declares a resource at this place. A refresh compares without declarations: it may see the old name of an
   * alias, which is not a second resource.
   */
  declares(place: string): void {
    this.#declared.add(place);
  }

  /** The resource at this place has this id. Answers true, once for each id, if one at another place has it as well. */
  claim(id: string, place: string): boolean {
    if (!this.#declared.has(place)) return false;
    const places = this.#places.get(id) ?? new Set();
    this.#places.set(id, places.add(place));
    if (places.size < 2 || this.#sharedIds.has(id)) return false;
    this.#sharedIds.add(id);
    return true;
  }

  /**
   * A new resource is created at this place, so its old ids are free to be deleted. The engine may delete the old
   * resource under the place of an alias, which would look like another resource, or in another process.
   */
  replaces(place: string): void {
    for (const [id, places] of this.#places) {
      if (!places.delete(place) || places.size > 0 || this.#adopted.has(id)) continue;
      if (this.#told.delete(id) && this.pages.hasRun) this.pages.write({ is: "frees", id });
    }
  }

  /**
   * A new resource adopts this id. From then on no delete of this run may remove it, not even one at the same place.
   *
   * @throws UntoldError
   */
  adopts(id: string): void {
    // mutant adoption-untold: gone
    if (!this.makes(id)) throw new UntoldError(id, "adopted");
  }

  /** Whether a new resource of this process adopts this id, or an import does. */
  isAdopting(id: string): boolean {
    return this.#adopted.has(id);
  }

  /** The same of what the account has only once: a new resource, and what it replaces and is deleted after it, have one id. */
  makes(id: string): boolean {
    this.#adopted.add(id);
    return this.#hold(id, this.account());
  }

  /**
   * The program declares the resource that has this id at this place. The state may have it under another name as well, in
   * another process, which that one may be about to delete.
   *
   * @param account of the resource's state
   */
  holds(id: string, place: unknown, account?: unknown): void {
    if (typeof place !== "string" || !this.#declared.has(place)) return;
    this.#hold(id, typeof account === "string" ? account : this.account());
  }

  #hold(id: string, account: string | undefined): boolean {
    if (this.#told.has(id) && this.#told.get(id) === account) return true;
    if (this.pages.hasRun && !this.pages.write({ is: "holds", id, ...(account !== undefined && { account }) }))
      return false;
    this.#told.set(id, account);
    return true;
  }

  /** Whether a resource of this program has this id. */
  isHeld(id: string): boolean {
    return this.isHeldElsewhere(id, undefined);
  }

  /**
   * Whether a delete at this place must spare this id, because another resource has it.
   *
   * @param isAdopted whether it was adopted, so that another resource may well have it
   * @throws UntoldError
   */
  isHeldElsewhere(id: string, place: unknown, isAdopted = false): boolean {
    // mutant deleted-under-its-old-name: false
    if (this.#adopted.has(id) || [...(this.#places.get(id) ?? [])].some((each) => each !== place)) return true;
    const ownAccount = this.account();
    // Two accounts may use the same id, as for their lists of SSH keys. An account that is not known may be this one.
    const isHere = ({ account = ownAccount }) => ownAccount === undefined || account === ownAccount;
    const said = this.pages.entriesOfRun("holds", "frees").filter((each) => each.id === id);
    const lastOf = new Map(said.map((each) => [each.process, each]));
    if ([...lastOf.values()].some((each) => each.is === "holds" && isHere(each))) return true;
    if (isAdopted && this.pages.isMute) throw new UntoldError(id, "deleted");
    return false;
  }

  /** An endpoint of this process keeps the template: the service refuses to delete that as long as the endpoint lives. */
  binds(id: string, endpoint: string): void {
    this.#bound.set(id, endpoint);
    this.pages.tell({ is: "binds", id, endpoint });
  }

  /** The endpoint, of whichever process of the run, that keeps this template. */
  boundTo(id: string): string | undefined {
    const ofOthers = () => this.pages.entriesOfRun("binds").find((each) => each.id === id);
    return this.#bound.get(id) ?? ofOthers()?.endpoint;
  }

  /** This run has begun to delete it. */
  deletes(id: string): void {
    this.#deleting.add(id);
  }

  isBeingDeleted(id: string): boolean {
    return this.#deleting.has(id);
  }
}
