/* Stacks of one program may be in several accounts. What a killed run noted holds in the account that it worked in. */
import { realpathSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { findOrphans } from "../../cli/drift/drift";
import { RIGHTS } from "../../emulator/settings";
import { markOf } from "../../provider/engine/account";
import { reportLeftovers } from "../../provider/engine/leftovers";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { Ledger } from "../../provider/memory/ledger";
import { ledgerFolder } from "../../provider/memory/notes";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import type { EmulatorAddresses } from "../../tools/run/environment";
import { emulatorForAll } from "../harness/account";
import { commandOn, scriptedEngine } from "../harness/commandLine";
import { contextOf, createResource } from "../harness/context";
import { folderForEach, leave } from "../harness/folder";

const SEED = "0123456789abcdef";
const DATA = { name: "data", size: 100, dataCenter: "EU-RO-1" };
const NOTE = { kind: "NetworkVolume", name: DATA.name, begun: 1, before: [], account: markOf("user_emulated") };
/** It may do everything but tell its account. */
const areas = Object.fromEntries(
  RIGHTS.flatMap((right) => (right === "account" ? [] : [[right, "read-write"] as const])),
);
const BLIND = { key: "may-not-tell", kind: "restricted", areas } as const;

const { emulator: mine } = emulatorForAll({ settings: { keys: [BLIND] } });
const { emulator: theirs, service: elsewhere } = emulatorForAll({
  settings: { account: { id: "user_theirs", email: null }, keys: [BLIND] },
});
const blind = () => ({ ...theirs, apiKey: BLIND.key });

const folder = folderForEach();
/** Somebody else's, in the other account, with the name of what the killed run was about to make. */
let foreign: string;
beforeEach(async () => {
  foreign = await elsewhere.create("/v2/network-volumes", DATA);
  leave(folder.path, [{ is: "creating", place: SEED, ...NOTE }]);
});
afterEach(() => elsewhere.setState({ networkVolumes: [] }));

const notes = () => new Ledger({ folder: folder.path });

/** A create at the place of the killed one, by a run that has asked whose its key is. */
async function createVolume(account: EmulatorAddresses): Promise<string> {
  const context = contextOf(account, {}, folder.path);
  await context.account.mark();
  const volumes = new Lifecycle(networkVolume, async () => context);
  return (await createResource(volumes, { ...DATA, __seed: SEED })).id;
}

// finds mutant note-of-another-account-taken
test("a create in another account takes nothing over there, and the note of the first one stays", async () => {
  expect(await createVolume(theirs)).not.toBe(foreign);
  const accounts = [...notes().creates.all().values()].map(({ account }) => account);
  expect(accounts.sort()).toEqual(["user_emulated", "user_theirs"].map(markOf).sort());
});

// finds mutant note-believed-without-an-account
test("a create with a key that may not tell its account takes nothing over without a word", () =>
  expect(createVolume(blind())).rejects.toThrow(`not certain that ${foreign} is what it made`));

// finds mutant not-looked-for-is-gone
test.each<[string, () => EmulatorAddresses]>([
  ["is another one", () => theirs],
  ["can't be told", blind],
])("orphans are not said to be none where the key's account %s, and none is deleted", async (_, account) => {
  const program = realpathSync(folder.path);
  const ledger = ledgerFolder(program);
  leave(ledger, [{ is: "creating", place: SEED, ...NOTE }]);
  const env = { ...(await scriptedEngine(program, "echo '[]'")), PULUMI_HOME: process.env.PULUMI_HOME };
  const { exitCode, stdout } = await commandOn(account(), ["orphans", "--cwd", program, "--delete", "--yes"], { env });
  expect(stdout).toContain(`could not be looked for in its account ${NOTE.account}\nDeleted 0.\n`);
  expect(exitCode).toBe(1);
  const { left } = await findOrphans(contextOf(mine), new Ledger({ folder: ledger }), async () => []);
  expect(left).toMatchObject([{ seed: SEED, ids: [] }]);
});

test("an endpoint that a job left awake, and a create, are missed in their own account alone", async () => {
  const awake = folder.at("awake");
  leave(awake, [
    { is: "awake", id: "left", workersMax: 1, account: NOTE.account },
    { is: "creating", place: SEED, ...NOTE },
  ]);
  const warningsIn = async (account: EmulatorAddresses) => {
    const warnings: (() => string | undefined)[] = [];
    const context = contextOf(account, {}, awake);
    await reportLeftovers({ ...context, log: { ...context.log, atEnd: (warning) => warnings.push(warning) } });
    return warnings.flatMap((warning) => warning() ?? []);
  };
  expect(await warningsIn(theirs)).toEqual([]);
  expect(await warningsIn(blind())).toEqual([
    expect.stringContaining("workers enabled on: left."),
    expect.stringContaining("could not be looked for"),
  ]);
  // Deleted there.
  expect(await warningsIn(mine)).toEqual([]);
  expect(await warningsIn(blind())).toEqual([]);
});
