import { beforeEach, expect } from "@jest/globals";
import { type ClientOptions, createClient } from "../../client";
import { checkNames } from "../../provider/catalog/checkNames";
import { RunAccount } from "../../provider/engine/account";
import { readSettings } from "../../provider/engine/config";
import type { EngineContext } from "../../provider/engine/hostedOperations";
import { engineLog } from "../../provider/engine/log";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import type { Planned } from "../../provider/lifecycle/plan/plan";
import { Ledger } from "../../provider/memory/ledger";
import type { EmulatorAddresses } from "../../tools/run/environment";

/** A service whose interfaces are all at one address. */
export const addressesAt = (address: string, apiKey = "key"): EmulatorAddresses => ({
  apiKey,
  baseUrl: address,
  serverlessUrl: address,
  graphqlUrl: `${address}/graphql`,
});

/** Where nobody listens. */
export const NOWHERE = addressesAt("http://127.0.0.1:1");

/**
 * What a kind's operations get from the engine, for tests without one. Every read is fresh.
 *
 * @param folder holds the ledger; without it nothing is kept
 */
export function contextOf(
  { apiKey, baseUrl, serverlessUrl, graphqlUrl }: EmulatorAddresses,
  options: Partial<ClientOptions> = {},
  folder = "/dev/null/nowhere",
): EngineContext {
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

/** A log that keeps what the runs of a test say in each way, for the tests of a file. */
export function logForEach() {
  const said = {
    statuses: [] as string[],
    infos: [] as string[],
    warnings: [] as string[],
    atEnd: [] as (() => string | undefined)[],
  };
  beforeEach(() => void Object.assign(said, { statuses: [], infos: [], warnings: [], atEnd: [] }));
  const log: Context["log"] = {
    status: (subject, text) => said.statuses.push(`${subject}: ${text}`),
    info: (text) => said.infos.push(text),
    warn: (text) => said.warnings.push(text),
    atEnd: (warning) => said.atEnd.push(warning),
  };
  return { said, log };
}

/* What the engine asks of a kind, in its order. */

interface Kind {
  check(old: Properties, args: Properties): Promise<{ inputs: Properties; failures: readonly object[] }>;
  diff(id: string, state: Properties, next: Properties): Promise<Planned>;
  read(id: string, state: Properties): Promise<{ state: Properties } | undefined>;
  create(inputs: Properties): Promise<{ id: string; state: Properties }>;
  update(id: string, state: Properties, inputs: Properties): Promise<Properties>;
}

/** What the engine keeps of a resource. */
export interface RecordedResource {
  readonly id: string;
  readonly inputs: Properties;
  readonly state: Properties;
}

export async function checked(kind: Kind, args: Properties, old: Properties = {}): Promise<Properties> {
  const { inputs, failures } = await kind.check(old, args);
  expect(failures).toEqual([]);
  return inputs;
}

export async function createResource(kind: Kind, args: Properties): Promise<RecordedResource> {
  const inputs = await checked(kind, args);
  return { inputs, ...(await kind.create(inputs)) };
}

/** What the engine does with a resource that it has: nothing where nothing differs. */
export async function up(kind: Kind, { id, ...old }: RecordedResource, args: Properties): Promise<RecordedResource> {
  const inputs = await checked(kind, args, old.inputs);
  const { changes, replaces } = await kind.diff(id, old.state, inputs);
  expect(replaces).toEqual([]);
  return { id, inputs, state: changes ? await kind.update(id, old.state, inputs) : old.state };
}

/** What the engine keeps of a resource after a refresh. */
export async function refreshed(kind: Kind, resource: RecordedResource): Promise<RecordedResource> {
  const read = await kind.read(resource.id, resource.state);
  return { ...resource, state: read?.state ?? {} };
}

/** What a preview shows after a refresh. */
export async function previewAfterRefresh(kind: Kind, resource: RecordedResource): Promise<Planned> {
  const { id, state, inputs } = await refreshed(kind, resource);
  return kind.diff(id, state, inputs);
}
