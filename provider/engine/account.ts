import { createHash } from "node:crypto";
import { type Client, ContractError, NotFoundError, PermissionError, WrongAddressError } from "../client";
import type { EngineLog, Settings } from "../lifecycle/run";

/** The key belongs to another account than a resource. Nothing was changed, and nothing is removed from the state. */
export class OtherAccountError extends Error {
  override readonly name = "OtherAccountError";
}

/** `allowedAccounts` does not list the key's account, or the key may not ask which one that is. */
export class AccountNotAllowedError extends Error {
  override readonly name = "AccountNotAllowedError";
}

/** Nothing of what a refresh has asked for is there, and it is not known to be asked for in the right account. */
export class EmptyRefreshError extends Error {
  override readonly name = "EmptyRefreshError";
}

/** The account of a key. */
export interface Owner {
  /** What states hold: a short hash of the id. */
  readonly mark: string;
  /** For people. */
  readonly label: string;
}

const MARK_LENGTH = 8;

/** 32 bits are enough to tell one's own accounts apart, and cost a resource's state little. */
export function markOf(accountId: string): string {
  return createHash("sha256").update(accountId).digest("hex").slice(0, MARK_LENGTH);
}

/**
 * The account that a process works in. Whose the key is, is asked once, before the first call that reads, makes, changes or
 * deletes a resource, and in a preview when something is going to change. A run that changes nothing does not ask.
 */
export class RunAccount {
  #owner: Promise<Owner | undefined> | undefined;
  /** By mark: the resource that was first heard to be in that account. */
  readonly #heard = new Map<string, string>();
  #creates = false;
  readonly #reads = new Set<Promise<unknown>>();
  #sawOne = false;

  constructor(
    private readonly client: Client,
    private readonly settings: Pick<Settings, "allowedAccounts" | "allowEmptyRefresh" | "apiKeySource">,
    private readonly log: EngineLog,
    private readonly signal: AbortSignal,
  ) {}

  /** Undefined where the key may not ask, or the service has no answer. */
  owner(): Promise<Owner | undefined> {
    if (this.#owner === undefined) {
      const asked = this.#ask();
      this.#owner = asked;
      // What failed is asked again by the next operation.
      asked.catch(() => {
        this.#owner = undefined;
      });
    }
    return this.#owner;
  }

  /**
   * A resource's state says that it is in that account.
   *
   * @throws OtherAccountError when this process is going to create something, which would be in another account
   */
  async hear(mark: unknown, subject: string): Promise<void> {
    if (typeof mark !== "string") return;
    if (!this.#heard.has(mark)) this.#heard.set(mark, subject);
    if (this.#creates) await this.#compare([[mark, subject]]);
  }

  /**
   * Something is going to be made. Where nothing was heard so far, there is nothing to compare with, and what is heard later
   * is compared then.
   *
   * @throws OtherAccountError
   */
  async willCreate(): Promise<void> {
    this.#creates = true;
    if (this.#heard.size > 0 || this.#isLimited) await this.#compare(this.#heard);
  }

  /**
   * A resource is going to be changed.
   *
   * @throws OtherAccountError
   */
  async willChange(mark: unknown, subject: string): Promise<void> {
    if (typeof mark === "string") await this.#compare([[mark, subject]]);
    else if (this.#isLimited) await this.owner();
  }

  /**
   * Comes before the call itself.
   *
   * @returns whether the resource is known to be in the key's account
   * @throws OtherAccountError
   */
  async confirm(mark: unknown, subject: string): Promise<boolean> {
    const isMarked = typeof mark === "string";
    if (isMarked) await this.hear(mark, subject);
    await this.willChange(mark, subject);
    return isMarked && (await this.owner()) !== undefined;
  }

  /** What the state of a resource in this account has to hold; what it held before where that is not known. */
  async mark(before?: unknown): Promise<string | undefined> {
    return (await this.owner())?.mark ?? (typeof before === "string" ? before : undefined);
  }

  /** @param isProof finding one says that this is the right account */
  async reading<T>(read: Promise<T | undefined>, isProof: boolean): Promise<T | undefined> {
    const settled = read.then(
      () => {},
      () => {},
    );
    this.#reads.add(settled);
    try {
      const found = await read;
      if (found !== undefined && isProof) this.#sawOne = true;
      return found;
    } finally {
      this.#reads.delete(settled);
    }
  }

  /**
   * Another account's key finds nothing of what there is. What is not known to be in the key's account is believed to be gone
   * when a read of the same time found something else.
   *
   * @throws EmptyRefreshError
   */
  async believeGone(subject: string): Promise<void> {
    if (this.settings.allowEmptyRefresh) return;
    while (!this.#sawOne && this.#reads.size > 0) await Promise.race(this.#reads);
    if (this.#sawOne) return;
    throw new EmptyRefreshError(
      `${subject} was not found, nor was any other resource of this stack, and the state doesn't name its account: the key may ` +
        `be another account's. The state stays as it is. ${this.settings.apiKeySource} If all of it was deleted, run the same ` +
        "command once with COMPUTECLOUD_ALLOW_EMPTY_REFRESH=true.",
    );
  }

  get #isLimited(): boolean {
    return this.settings.allowedAccounts.length > 0;
  }

  async #compare(recorded: Iterable<readonly [mark: string, subject: string]>): Promise<void> {
    const owner = await this.owner();
    if (owner === undefined) return;
    for (const [mark, subject] of recorded) {
      if (mark === owner.mark) continue;
      throw new OtherAccountError(
        `${subject} is in the account ${this.#labelOf(mark)}, but the key belongs to ${owner.label}. Nothing was changed, and ` +
          `the state stays as it is. Use a key of the first account. ${this.settings.apiKeySource} To move the stack to the other ` +
          "account, destroy it with a key of the first one, then run `pulumi up` with the new key.",
      );
    }
  }

  async #ask(): Promise<Owner | undefined> {
    try {
      const { id, email } = await this.client.account.get({ signal: this.signal });
      const owner = { mark: markOf(id), label: `${markOf(id)} (${[id, email].filter(Boolean).join(", ")})` };
      const { allowedAccounts: allowed } = this.settings;
      if (this.#isLimited && !allowed.includes(id) && !allowed.includes(owner.mark)) {
        throw new AccountNotAllowedError(
          `The key belongs to the account ${owner.label}, which allowedAccounts does not list: ${allowed.join(", ")}. ` +
            `Nothing was changed. Use a key of an account in the list, or add this one. ${this.settings.apiKeySource}`,
        );
      }
      return owner;
    } catch (error) {
      if (!cannotTell(error)) throw error;
      if (this.#isLimited) {
        throw new AccountNotAllowedError(
          `allowedAccounts is set, but the key's account can't be determined: ${error.message} Or remove allowedAccounts.`,
          { cause: error },
        );
      }
      this.log.info(`The key's account can't be determined and is not compared with the state: ${error.message}`);
      return undefined;
    }
  }

  /** By the id where it is known. */
  #labelOf(mark: string): string {
    const id = this.settings.allowedAccounts.find((each) => markOf(each) === mark);
    return id === undefined ? mark : `${mark} (${id})`;
  }
}

/** The right is missing, or the service does not know the question. */
export function cannotTell(error: unknown): error is Error {
  return [PermissionError, NotFoundError, WrongAddressError, ContractError].some((kind) => error instanceof kind);
}
