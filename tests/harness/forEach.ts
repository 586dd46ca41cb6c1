import { afterEach, beforeEach } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator";
import { type Account, openAccount } from "./account";
import type { Script } from "./script";

/* What each test of a file has anew, or each of a `describe`. */

/** A scripted server: it listens on another port in each test, and has forgotten the one before. */
export function serverForEach<Server extends Script>(server: Server): Server {
  beforeEach(() => server.listen());
  afterEach(() => server.close());
  return server;
}

/** An emulator, which has nothing on it yet. */
export function accountForEach(options: EmulatorOptions = {}): Account {
  const account = {} as Account;
  beforeEach(async () => {
    Object.assign(account, await openAccount(options));
  });
  afterEach(async () => account[Symbol.asyncDispose]());
  return account;
}
