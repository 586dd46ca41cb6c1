import { connectedClient } from "../../client";
import { stackOfUrn } from "../../common/urn";
import { checkNames } from "../catalog/checkNames";
import type { Settings } from "../lifecycle/run";
import type { Host } from "../memory/creates";
import { engineAddress, Ledger } from "../memory/ledger";
import { RunAccount } from "./account";
import { cancellation, onCancel, runClock } from "./cancellation";
import { type ReadConfig, readSettings } from "./config";
import { graphqlEndNote } from "./graphqlEnd";
import type { EngineContext } from "./hostedOperations";
import { engineLog } from "./log";
import { currentUrn } from "./text";

const contexts = new Map<string, EngineContext>();

/**
 * A connection to the service that a stack's configuration names. One process shares one client for all kinds: its
 * connections, its shared reads and what it knows of the rate limits.
 *
 * @param provider name of the program's own provider, if the configuration is its arguments
 * @param host which of the two this process is
 * @throws ConfigError for a missing key or an address that can't be used
 */
export function connect(config: ReadConfig, provider?: string, host: Host = "dynamic"): EngineContext {
  const settings = readSettings(config, process.env, provider);
  const identity = JSON.stringify([settings, host]);
  const context = contexts.get(identity) ?? newContext(settings, host);
  contexts.set(identity, context);
  return context;
}

function newContext(settings: Settings, host: Host): EngineContext {
  const log = engineLog();
  const client = connectedClient({
    ...settings,
    clock: runClock,
    graphqlEnd: graphqlEndNote(settings.graphqlUrl, log),
    onRetry: ({ call, waitMs, reason }) => log.status(call, `${reason}; trying again in ${Math.ceil(waitMs / 1000)} s`),
    // The engine works on several resources at the same time, so their calls are combined.
  }).gathering();
  let states: import("./stackStates").StackStates | undefined;
  const stackStates = () => {
    const { StackStates } = require("./stackStates") as typeof import("./stackStates");
    states ??= new StackStates(process.argv[2], cancellation);
    return states;
  };
  const holderOf = (id: string) => stackStates().holderOf(id);
  const ledger = new Ledger({
    run: engineAddress(),
    host,
    secret: settings.apiKey,
    account: () => account.knownMark,
    stack: () => stackOfUrn(currentUrn() ?? ""),
  });
  // The engine ends in good order: it has saved every answer before this.
  onCancel(() => ledger.creates.close());
  const stack = { run: ledger, accounts: (before: number) => stackStates().accounts(before) };
  const account: RunAccount = new RunAccount(client, settings, log, cancellation, stack);
  return { client, settings, log, signal: cancellation, ledger, holderOf, account, checkNames };
}
