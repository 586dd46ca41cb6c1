import { type ClientOptions, createClient } from "../../client";
import { checkNames } from "../../provider/catalog/checkNames";
import { RunAccount } from "../../provider/engine/account";
import { readSettings } from "../../provider/engine/config";
import { engineLog } from "../../provider/engine/log";
import type { Context } from "../../provider/lifecycle/definition";
import { Ledger } from "../../provider/memory/ledger";
import type { EmulatorAddresses } from "../../tools/run/environment";

/** Where nobody listens. */
export const NOWHERE: EmulatorAddresses = {
  apiKey: "key",
  baseUrl: "http://127.0.0.1:1",
  serverlessUrl: "http://127.0.0.1:1",
  graphqlUrl: "http://127.0.0.1:1/graphql",
};

/**
 * What a kind's operations get from the engine, for tests without one. Every read is fresh.
 *
 * @param folder holds the ledger; without it nothing is kept
 */
export function contextOf(
  { apiKey, baseUrl, serverlessUrl, graphqlUrl }: EmulatorAddresses,
  options: Partial<ClientOptions> = {},
  folder = "/dev/null/nowhere",
): Context {
  const values: Readonly<Record<string, string>> = { apiKey, baseUrl, serverlessUrl, graphqlUrl };
  const settings = readSettings((key) => values[key.replace("computecloud:", "")], {});
  const { signal } = new AbortController();
  const client = createClient({ ...settings, readWindowMs: 0, ...options }).gathering();
  const log = engineLog(undefined);
  return {
    client,
    settings,
    log,
    signal,
    // Without the host's question whose the key is.
    account: new RunAccount(client, { ...settings, allowEmptyRefresh: true }, log, signal),
    ledger: new Ledger({ folder }),
    checkNames,
    holderOf: async () => ({ by: "unknown", isOwnRead: false }),
  };
}

/** The context, and what its operations say in these ways, in order: by default the warnings. */
export function withMessages(context: Context, ways: readonly ("info" | "status" | "warn")[] = ["warn"]) {
  const said: string[] = [];
  const say = (...words: readonly unknown[]) =>
    void said.push(words.filter((word) => typeof word === "string").join(": "));
  const log: Context["log"] = { ...context.log, ...Object.fromEntries(ways.map((way) => [way, say])) };
  return { context: { ...context, log }, said };
}
