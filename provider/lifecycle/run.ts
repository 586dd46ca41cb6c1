import type { Connection, Existing } from "../../client";

// What a run of the engine gives to every operation. `provider/engine` implements it; this folder imports nothing from
// there.

/** Key, addresses and the other settings of a stack. Configuration wins over environment. */
export interface Settings extends Connection {
  /**
   * Domain of the service's proxy for a pod's http ports, which are at `<pod>-<port>.<domain>`, or the address of an
   * emulator's, `<address>/<pod>-<port>`. Undefined for other clouds.
   */
  readonly proxyDomain: string | undefined;
  /** Whether previews check names against the service's catalog. Default true. */
  readonly catalogChecks: boolean;
  /** Ids or hashes of the accounts that the key may belong to; empty for any. */
  readonly allowedAccounts: readonly string[];
  /**
   * Whether a refresh or a destroy may find all of a stack deleted, even if it is not known whose account the key belongs
   * to. Default false.
   */
  readonly allowEmptyRefresh: boolean;
  /** What happens where a new resource exists already under its generated name. Default `refuse`. */
  readonly existing: Existing;
  /** How to set `existing`, for messages: a program's own provider does not read the stack's configuration. */
  readonly howToSetExisting: (value: Existing) => string;
}

/** The key's account, and what shows that it is the stack's. With another account's key every resource looks deleted. */
export interface AccountProof {
  /** Short hash of the key's account; undefined before the service was asked, and if the key may not read it. */
  readonly knownMark: string | undefined;
  /** The same, asked for if need be. */
  mark(): Promise<string | undefined>;
  /**
   * Passes on the result of a call about a resource, which is undefined if that was not found.
   *
   * @param isProof whether finding the resource shows that this is the right account
   * @param mark the account that the resource's state names
   */
  trackLookup<T>(call: Promise<T>, isProof: boolean, mark?: unknown): Promise<T>;
  /**
   * Called before a resource that was not found is removed from the state.
   *
   * @returns whether a state of this run names the key's account
   * @throws EmptyRefreshError if nothing shows that this is the right account
   */
  confirmDeleted(subject: string, mark?: unknown): Promise<boolean>;
}

/** The stack of the project whose state has an id. */
export type Holder =
  /** With its place in the program, as far as the state tells it. */
  | { readonly by: "this stack"; readonly place?: unknown }
  | { readonly by: "no stack" }
  | { readonly by: "another stack"; readonly stack: string }
  /** No state that could be read has it, and not all could be read. */
  | { readonly by: "unknown"; readonly isOwnRead: boolean };

/** Messages of a running operation to the person at the terminal. */
export interface EngineLog {
  /**
   * Passing state of a subject, such as `Pod xedezhzb9la3ye`. The resource's row shows it while it lasts, without the subject;
   * where the resource isn't known, the stack's row. The news comes first, because the engine cuts rows. Of each subject at
   * most one message in 10 seconds is shown.
   *
   * @param isLast closes what the subject's row said before, at once; nothing where it said nothing
   */
  status(subject: string, message: string, isLast?: boolean): void;
  info(message: string): void;
  warn(message: string): void;
  /**
   * Logs a warning at the end of the run, unless the callback returns undefined. Later operations of the run may have
   * settled the matter by then.
   */
  atEnd(warning: () => string | undefined): void;
}
