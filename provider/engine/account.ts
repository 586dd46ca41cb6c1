import { createHash } from "node:crypto";
import {
  type Account,
  AuthenticationError,
  abortable,
  type Client,
  ContractError,
  NotFoundError,
  PermissionError,
  WrongAddressError,
} from "../../client";
import type { AccountProof, EngineLog, Settings } from "../lifecycle/run";
import type { Ledger } from "../memory/ledger";

/** The key belongs to another account than a resource. Nothing was changed, and the state keeps the resource. */
export class OtherAccountError extends Error {
  override readonly name = "OtherAccountError";
}

/** The service does not tell whose the key is, and not for want of a right. */
export class UnknownAccountError extends Error {
  override readonly name = "UnknownAccountError";
}

/** `allowedAccounts` does not list the key's account, or the key may not read which account that is. */
export class AccountNotAllowedError extends Error {
  override readonly name = "AccountNotAllowedError";
}

/** A run found none of the resources that it looked for, and nothing tells whether the key is of their account. */
export class EmptyRefreshError extends Error {
  override readonly name = "EmptyRefreshError";
}

/** The account of a key. */
export interface Owner {
  /** Short hash of the account's id, which states hold. */
  readonly mark: string;
  /** For messages: the hash, the id and the e-mail address. */
  readonly label: string;
}

/** What shows the accounts of the stack's other resources. */
export interface StackAccounts {
  /** What the run's processes tell each other. */
  readonly run: Pick<Ledger, "recordsAccount" | "createsIn" | "accountsOfRun" | "isMute">;
  /** The accounts that the stack's state names, without what was created since then. Takes about a second. */
  accounts(before: number): Promise<readonly unknown[]>;
}

const MARK_LENGTH = 8;
/** Pauses before the account is asked for again, after an answer that is not the service's: its gateway may be restarting. */
const AGAIN_AFTER_MS = [250, 1_000, 3_000];
const PREVIEW_PATIENCE_MS = 10_000;

/**
 * The hash that states hold. Its 32 bits tell one's own accounts apart and keep states small. They do not protect against
 * somebody who looks for an id with the same hash.
 */
export function markOf(accountId: string): string {
  // mutant account-in-the-state: accountId
  return createHash("sha256").update(accountId).digest("hex").slice(0, MARK_LENGTH);
}

/**
 * The account that a process works in. The service is asked once whose the key is. That happens before the first call
 * that reads, creates, changes or deletes a resource, and in a preview that finds a change. A run that changes nothing
 * does not ask.
 *
 * The check can't protect everything. A key that may not read its account, and a state that names none, leave nothing to
 * compare.
 */
export class RunAccount implements AccountProof {
  #owner: Promise<Owner | undefined> | undefined;
  /** The short hash of the key's account, once the service has been asked for it. */
  knownMark: string | undefined;
  /** By mark: the first resource whose state named that account. */
  readonly #subjectByMark = new Map<string, string>();
  readonly #began = Date.now();
  #isCreating = false;
  /** Whether a state names the key's account. */
  #isConfirmed = false;
  /** Calls about resources that are under way. */
  readonly #lookups = new Set<Promise<unknown>>();
  /** The accounts in the states of resources that were found; undefined for states that name none. */
  readonly #foundIn = new Set<unknown>();

  constructor(
    private readonly client: Client,
    private readonly settings: Pick<Settings, "allowedAccounts" | "allowEmptyRefresh" | "apiKeySource">,
    private readonly log: EngineLog,
    private readonly signal: AbortSignal,
    private readonly stack?: StackAccounts,
  ) {}

  /**
   * The key's account. Undefined if the key may not read it.
   *
   * @throws AccountNotAllowedError
   * @throws UnknownAccountError, WrongAddressError or ContractError if there is no answer of the service
   */
  owner(): Promise<Owner | undefined> {
    if (this.#owner === undefined) {
      const request = this.#ask();
      this.#owner = request;
      // After a failure the next operation asks again.
      request.catch(() => {
        this.#owner = undefined;
      });
    }
    return this.#owner;
  }

  /**
   * Called with the account that a compared resource's state names.
   *
   * @throws OtherAccountError when a process of the run creates something, which is in another account
   */
  async addRecorded(mark: unknown, subject: string): Promise<void> {
    if (typeof mark !== "string") return;
    const isFirst = !this.#subjectByMark.has(mark);
    await this.#record(mark, subject);
    if (isFirst) await this.#refuseOtherCreates(mark, subject);
  }

  async #record(mark: string, subject: string): Promise<void> {
    if (!this.#subjectByMark.has(mark)) {
      this.#subjectByMark.set(mark, subject);
      this.stack?.run.recordsAccount(mark);
    }
    if (this.#isCreating) await this.#compare([[mark, subject]]);
  }

  /**
   * Called before a create. It compares the key's account with those that states have named so far. States that come
   * later are compared when they come, which may be after the create.
   *
   * @throws OtherAccountError
   */
  async willCreate(): Promise<void> {
    this.#isCreating = true;
    // Before the others are asked, which do the same: of two at the same time, one notices.
    this.#tellOfCreates();
    if (this.#subjectByMark.size > 0 || this.#isLimited) await this.#compare(this.#subjectByMark);
    else await this.#compareWithRun();
  }

  /**
   * The first resource of a `Provider` has nothing to compare with in its own process. The others of the run tell the accounts
   * of theirs, or else the stack's state does. A program may have resources in two accounts: then `allowedAccounts` says so.
   */
  async #compareWithRun(): Promise<void> {
    const { run } = this.stack ?? {};
    // mutant accounts-untold: []
    const ofState = run?.isMute ? await this.stack?.accounts(this.#began) : [];
    const ofRun = run?.accountsOfRun("records").map(({ account }) => account);
    const recorded = [ofRun, ofState].flatMap((marks) => marks?.filter(Boolean) ?? []);
    const owner = recorded.length === 0 ? undefined : await this.owner();
    if (owner === undefined || recorded.includes(owner.mark)) return;
    // Its resources of the same account may not have been compared yet.
    if ((await this.stack?.accounts(this.#began))?.includes(owner.mark)) return;
    throw new OtherAccountError(
      `This would be created in the account ${owner.label}, but the stack's other resources are in ${[...new Set(recorded)].join(", ")}. ` +
        `Nothing was created. Use a key of that account. ${this.settings.apiKeySource} For resources in both accounts, list this ` +
        `one in the allowedAccounts of its Provider: ["${owner.mark}"].`,
    );
  }

  #tellOfCreates(): void {
    if (this.knownMark !== undefined && !this.#isLimited) this.stack?.run.createsIn(this.knownMark);
  }

  /** The same, where the other process has created before this one knew of a state: then the run does not end well. */
  async #refuseOtherCreates(mark: string, subject: string): Promise<void> {
    // mutant created-elsewhere-before: undefined
    const other = this.stack?.run.accountsOfRun("creates").find(({ account }) => account !== mark);
    if (other === undefined || (await this.stack?.accounts(other.at))?.includes(other.account)) return;
    throw new OtherAccountError(
      `${subject} is in the account ${this.#labelOf(mark)}, but another provider of this run creates resources in ${other.account}. Give ` +
        "it a key of the first account, and destroy there what it has created. For resources in both accounts, list " +
        `the second one in its allowedAccounts: ["${other.account}"].`,
    );
  }

  /**
   * In the preview of a create: the error of a key that is refused. Any other failure is left to the create. Only the preview loses
   * patience: the answer may also be another operation's, which waits as long as for any call.
   */
  async refusal(): Promise<AuthenticationError | undefined> {
    const error: unknown = await abortable(this.owner(), AbortSignal.timeout(PREVIEW_PATIENCE_MS)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof AuthenticationError ? error : undefined;
  }

  /**
   * Called before a change of a resource.
   *
   * @throws OtherAccountError
   */
  async willChange(mark: unknown, subject: string): Promise<void> {
    if (typeof mark === "string") await this.#compare([[mark, subject]]);
    else await this.confirmAllowed();
  }

  /**
   * Called before what has no account of its own, such as a function or a list.
   *
   * @throws AccountNotAllowedError
   */
  async confirmAllowed(): Promise<void> {
    // mutant functions-of-any-account: false
    if (this.#isLimited) await this.owner();
  }

  /**
   * Called before a read, update or delete of a resource.
   *
   * @throws OtherAccountError
   */
  async confirm(mark: unknown, subject: string): Promise<void> {
    // What moves to another account is created there before it is deleted here: that is no other provider's mistake.
    if (typeof mark === "string") await this.#record(mark, subject);
    await this.willChange(mark, subject);
    if (typeof mark === "string" && (await this.owner()) !== undefined) this.#isConfirmed = true;
  }

  /**
   * The account that a resource's state has to hold. If the key's account can't be determined, it is the one from the
   * state before.
   */
  async mark(before?: unknown): Promise<string | undefined> {
    return (await this.owner())?.mark ?? (typeof before === "string" ? before : undefined);
  }

  async trackLookup<T>(call: Promise<T>, isProof: boolean, mark?: unknown): Promise<T> {
    const settled = call.then(
      () => {},
      () => {},
    );
    this.#lookups.add(settled);
    try {
      const result = await call;
      if (result !== undefined && isProof) this.#foundIn.add(mark);
      return result;
    } finally {
      this.#lookups.delete(settled);
    }
  }

  /**
   * If no state names the key's account, a resource counts as deleted only if a call of the same run found another one whose
   * state names the same account, or none as well. Resources of two accounts whose states name none can deceive this check.
   */
  async confirmDeleted(subject: string, mark?: unknown): Promise<boolean> {
    if (this.#isConfirmed || this.settings.allowEmptyRefresh) return this.#isConfirmed;
    while (!this.#foundIn.has(mark) && this.#lookups.size > 0) await Promise.race(this.#lookups);
    // mutant empty-account-believed: true
    if (this.#foundIn.has(mark)) return false;
    const same = typeof mark === "string" ? ` in the account ${this.#labelOf(mark)}` : "";
    throw new EmptyRefreshError(
      `${subject} was not found, nor was any other resource of this stack${same}, and nothing tells whether the key is of their account: ` +
        `it may be another account's. The state stays as it is. ${this.settings.apiKeySource} If all of it was deleted, run the ` +
        "same command once with COMPUTECLOUD_ALLOW_EMPTY_REFRESH=true.",
    );
  }

  get #isLimited(): boolean {
    return this.settings.allowedAccounts.length > 0;
  }

  async #compare(recorded: Iterable<readonly [mark: string, subject: string]>): Promise<void> {
    const owner = await this.owner();
    if (owner === undefined) return;
    for (const [mark, subject] of recorded) {
      // mutant other-accounts-key: true
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
      const { id, email } = await this.#account();
      const owner = { mark: markOf(id), label: `${markOf(id)} (${[id, email].filter(Boolean).join(", ")})` };
      const { allowedAccounts: allowed } = this.settings;
      if (this.#isLimited && !allowed.includes(id) && !allowed.includes(owner.mark)) {
        throw new AccountNotAllowedError(
          `The key belongs to the account ${owner.label}, which allowedAccounts does not list: ${allowed.join(", ")}. ` +
            `Nothing was changed. Use a key of an account in the list, or add this one. ${this.settings.apiKeySource}`,
        );
      }
      this.knownMark = owner.mark;
      if (this.#isCreating) this.#tellOfCreates();
      return owner;
    } catch (error) {
      if (error instanceof NotFoundError) {
        throw new UnknownAccountError(
          `The key's account can't be determined, so nothing was changed: ${error.title ?? "Not Found"}. Check baseUrl and any proxy.`,
          { cause: error },
        );
      }
      if (!mayNotAsk(error)) throw error;
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

  async #account(): Promise<Account> {
    for (const pauseMs of AGAIN_AFTER_MS) {
      try {
        return await this.client.account.get({ signal: this.signal });
      } catch (error) {
        if (!(error instanceof WrongAddressError || error instanceof ContractError)) throw error;
        await this.client.clock.sleep(pauseMs, this.signal);
      }
    }
    return this.client.account.get({ signal: this.signal });
  }

  /** The mark, with the account's id if `allowedAccounts` has it. */
  #labelOf(mark: string): string {
    const id = this.settings.allowedAccounts.find((each) => markOf(each) === mark);
    return id === undefined ? mark : `${mark} (${id})`;
  }
}

/**
 * Whether the key lacks the right to read its account. Whatever else goes wrong leaves the question open: the next call may
 * make or delete something.
 */
export function mayNotAsk(error: unknown): error is PermissionError {
  // mutant a-health-page-is-an-account: true
  return error instanceof PermissionError;
}
