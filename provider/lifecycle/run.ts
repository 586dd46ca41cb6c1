import type { Connection } from "../client/settings";

// What a run of the engine gives to every operation. The engine's room implements it; nothing here knows that room.

/** Where the key and the three addresses come from, and what else a stack sets. Configuration wins over environment. */
export interface Settings extends Connection {
  /** Where the service's proxy answers for a pod's http ports, as `<pod>-<port>.<domain>`; unknown for other clouds. */
  readonly proxyDomain: string | undefined;
  /** Whether previews check GPU types, pools and data centers against the catalog. Default true. */
  readonly catalogChecks: boolean;
  /** Ids or hashes of the accounts that the key may belong to; empty for any. */
  readonly allowedAccounts: readonly string[];
  /** Whether all of a stack may be gone, also where the account is not known. Default false. */
  readonly allowEmptyRefresh: boolean;
}

/** Where a running operation tells the person at the terminal what it is doing. */
export interface EngineLog {
  /**
   * What goes on now with a subject, such as `Pod xedezhzb9la3ye`. It shows on the stack's row while it lasts and leaves
   * nothing behind; a subject is heard at most every 10 seconds.
   */
  status(subject: string, message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** A warning when the run is over, if there is something to say by then: what the run still tells may settle it. */
  atEnd(warning: () => string | undefined): void;
}
