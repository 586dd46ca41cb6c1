/* What a run that was killed has left: of its creates, and of endpoints that it had let start workers; each in its own account. */
import { realpathSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { findOrphans } from "../../cli/drift/drift";
import type { Clock } from "../../client";
import { ownMark } from "../../common/isRunning";
import { RIGHTS } from "../../emulator/settings";
import { markOf } from "../../provider/engine/account";
import { reportLeftovers } from "../../provider/engine/leftovers";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { describeLeftover, leftoversOf } from "../../provider/lifecycle/make/leftovers";
import { Ledger } from "../../provider/memory/ledger";
import { ledgerFolder } from "../../provider/memory/notes";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { withWorkers } from "../../provider/resources/serverless/temporaryWorkers";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import type { EmulatorAddresses } from "../../tools/run/environment";
import { emulatorForAll } from "../harness/account";
import { commandOn, scriptedEngine } from "../harness/commandLine";
import { contextOf, createResource, withMessages } from "../harness/context";
import { ENDED, folderForEach, leave } from "../harness/folder";
import { impatient, placeForAll } from "../harness/place";
import { endpoint, template } from "../harness/requests";

const folder = folderForEach();
const place = placeForAll();

/** What the end of a run says of them. */
async function reported(account: EmulatorAddresses, ledger: string): Promise<string[]> {
  const warnings: (() => string | undefined)[] = [];
  const context = contextOf(account, {}, ledger);
  await reportLeftovers({ ...context, log: { ...context.log, atEnd: (warning) => warnings.push(warning) } });
  return warnings.flatMap((warning) => warning() ?? []);
}

const BEGUN = Date.UTC(2026, 0, 1);
const MARK = { ...ownMark(), at: BEGUN };
const DAY_MS = 86_400_000;
const POD = 'Pod "web-0a1b2c3"';
const BY_DEV = ', begun 2026-01-01T00:00:00.000Z by the stack "dev"';

test.each([
  ["nothing so far", [], [], 0, `${BY_DEV}: may still appear until 2026-01-01T00:01:30.000Z`],
  ["nothing in time", [], [], 90_000, undefined],
  ["one thing beside an older one", ["old", "new"], [], 90_000, 'Pod "web-0a1b2c3" (new), begun 2026-01-01'],
  ["one of several", ["a", "b"], [], 0, "perhaps a or b"],
  ["one thing beside what appeared days later", ["new", "later"], [], 90_000, 'Pod "web-0a1b2c3" (new)'],
  ["what appeared days later alone", ["later"], [], 90_000, undefined],
  ["what a state holds", ["a"], [["a"]], 0, undefined],
  ["what a state holds at its place", ["a", "b"], [["a", "seed"]], 0, undefined],
  ["what a state holds at another place", ["a"], [["a", "another"]], 90_000, undefined],
  ["one beside a namesake that a state holds", ["a", "b"], [["b", "another"]], 90_000, "perhaps a"],
  ["what can't be listed", undefined, [], 90_000, `${POD}${BY_DEV}: could not be looked for`],
])("of a create: %s", (_, ids, recorded, laterMs, expected) => {
  const begun = { kind: "Pod", name: "web-0a1b2c3", begun: BEGUN, before: ["old"], stack: "dev", ...MARK };
  const createdAt = (id: string) => new Date(BEGUN + (id === "later" ? 2 * DAY_MS : 1_000)).toISOString();
  const listed = () => ids?.map((id: string) => ({ id, name: begun.name, createdAt: createdAt(id) }));
  const places = new Map(recorded.map(([id, __seed]: string[]) => [id, { __seed }]));
  const isRecorded = (id: string) => places.get(id);
  const remains = (more: object) =>
    leftoversOf(new Map([["seed", { ...begun, ...more }]]), undefined, listed, isRecorded, BEGUN + laterMs);
  const lines = remains({}).map(describeLeftover);
  for (const doubt of [{ unclear: true }, { there: BEGUN + DAY_MS }])
    expect(remains(doubt).some(({ isCertain }) => isCertain)).toBe(false);
  if (expected === undefined) expect(lines.filter((line) => line !== undefined)).toEqual([]);
  else expect(lines).toEqual([expect.stringContaining(expected)]);
});

// finds mutant certain-while-made-elsewhere
test("of a create elsewhere: nothing is certain as long as its run may go on", () => {
  const begun = { kind: "Pod", name: "web", begun: BEGUN, before: [], ...MARK, host: "another-runner" };
  const certain = (laterMs: number) =>
    leftoversOf(
      new Map([["seed", begun]]),
      undefined,
      () => [{ id: "new", name: "web" }],
      () => undefined,
      BEGUN + laterMs,
    ).map(({ isCertain }) => isCertain);
  expect(certain(1_800_000)).toEqual([false]);
  expect(certain(3_700_000)).toEqual([true]);
});

test("an endpoint with temporary workers is scaled back by its next update, which is none to what follows it", async () => {
  const { id: templateId } = await place.client().templates.create({ ...template("t"), serverless: true });
  const first = new Lifecycle(serverlessEndpoint, async () => contextOf(place.emulator));
  const { inputs } = await first.check({}, { name: "resting", templateId, gpuIds: "ADA_24", workersMax: 0 });
  const { id, state } = await first.create(inputs);
  await place.service.rest("PATCH", `/v2/serverless/${id}`, { workers: { min: 0, max: 2, idleTimeout: 10 } });

  const awake = folder.at("awake");
  const running = contextOf(place.emulator, {}, awake);
  running.ledger.workers.changed(id, 2);
  // By a run that goes on.
  const other = contextOf(place.emulator, {}, awake);
  expect((await new Lifecycle(serverlessEndpoint, async () => other).diff(id, state, inputs)).changes).toBe(false);
  expect(other.ledger.workers.leftoverIds()).toEqual([]);
  running.ledger.workers.restored(id);

  leave(awake, [{ is: "awake", id, workersMax: 2 }]);
  const { context, said: messages } = withMessages(contextOf(place.emulator, {}, awake), ["info"]);
  const run = new Lifecycle(serverlessEndpoint, async () => context);
  expect(context.ledger.workers.leftoverIds()).toEqual([id]);
  expect(await run.diff(id, state, { ...inputs, workersMax: 2 })).toMatchObject({ changes: true });
  expect(messages).toEqual([]);
  expect(await run.diff(id, state, inputs)).toMatchObject({ changes: true, replaces: [] });
  expect(messages).toEqual([
    `ServerlessEndpoint "${id}" may start up to 2 workers, because a run was killed during its job: this update scales it to 0.`,
  ]);
  expect(context.ledger.workers.leftoverIds()).toEqual([]);
  expect(await run.update(id, state, inputs)).toEqual(state);
  expect((await place.state()).endpoints?.find((each) => each.id === id)).toMatchObject({ workers: { max: 0 } });
  expect((await run.diff(id, state, inputs)).changes).toBe(false);

  leave(awake, [{ is: "awake", id, workersMax: 2 }]);
  const last = contextOf(place.emulator, {}, awake);
  expect(last.ledger.workers.leftoverIds()).toEqual([id]);
  await new Lifecycle(serverlessEndpoint, async () => last).delete(id, state);
  expect(contextOf(place.emulator, {}, awake).ledger.workers.leftoverIds()).toEqual([]);
});

test("the note of an endpoint that is gone ends; that of one that may still start workers stays, and is reported", async () => {
  const left = folder.at("left");
  const { id } = await place.client().serverless.create(endpoint("left"));
  leave(
    left,
    [id, "gone"].map((each) => ({ is: "awake", id: each, workersMax: 1 })),
  );
  expect(await reported(place.emulator, left)).toEqual([
    expect.stringMatching(new RegExp(`workers enabled on: ${id}\\.`)),
  ]);
  expect(contextOf(place.emulator, {}, left).ledger.workers.leftoverIds()).toEqual([id]);
});

describe("temporary workers of a killed run, whose first request arrives a minute late,", () => {
  const UPDATE = { operation: "updateEndpoint" };
  const HANGS = new Promise<never>(() => {});
  const atRest = { gpuIds: "ADA_24", workersMax: 0 };
  const most = async (id: string) => (await place.client().serverless.get(id)).workers?.max;
  let templateId: string;
  beforeAll(async () => {
    ({ id: templateId } = await place.client().templates.create({ ...template("late"), serverless: true }));
  });

  /** Its process ends in its first wait of that length, so that only its notes and its requests are left. */
  async function killInWaitOf(ms: number, id: string) {
    const { promise: isKilled, resolve: kill } = Promise.withResolvers<void>();
    const clock = place.sharedClock();
    const sleep: Clock["sleep"] = (waitMs) => {
      if (waitMs < ms) return clock.sleep(waitMs);
      kill();
      return HANGS;
    };
    const context = contextOf(place.emulator, { clock: { ...clock, sleep } });
    const killed = { ...context, ledger: new Ledger({ folder: folder.path, process: ENDED }) };
    void withWorkers(killed, id, 1, async () => {});
    await isKilled;
  }

  // finds mutant late-change-of-a-killed-run
  test.each([
    ["before the second is sent, are scaled back for good by an update", 0, "update"],
    ["in the wait for it, are scaled back for good by an update", 30_000, "update"],
    ["before the second is sent, are scaled back for good by a job", 0, "job"],
    ["in the wait for it, are scaled back for good by a job", 30_000, "job"],
  ])("%s", async (name, waitMs, next) => {
    const resting = new Lifecycle(serverlessEndpoint, async () => contextOf(place.emulator));
    const { id, inputs, state } = await createResource(resting, { ...atRest, name, templateId });
    await place.fault(UPDATE, { lateMs: 60_000 });
    await killInWaitOf(waitMs, id);
    const running = () => contextOf(place.emulator, { clock: place.sharedClock() }, folder.path);
    const { context, said } = withMessages(running(), ["status"]);
    if (next === "job") await withWorkers(context, id, 1, async () => {});
    else await new Lifecycle(serverlessEndpoint, async () => context).update(id, state, inputs);
    expect(said.join()).toMatch(/waiting \d+ s: a change by an interrupted run may still arrive/);
    await place.service.advance(120_000);
    expect(await most(id)).toBe(0);
    expect(running().ledger.workers.leftoverIds()).toEqual([]);
  });

  test("are waited for no longer than that, and not at all where every request was answered", async () => {
    const { id } = await place.client().serverless.create(endpoint("answered"));
    await place.client().serverless.update(id, { workers: { min: 0, max: 0, idleTimeout: 5 } });
    const killed = { ...contextOf(place.emulator), ledger: new Ledger({ folder: folder.path, process: ENDED }) };
    const { promise: isRunning, resolve: run } = Promise.withResolvers<void>();
    void withWorkers(killed, id, 1, () => {
      run();
      return HANGS;
    });
    await isRunning;
    const clock = impatient();
    const { ledger, ...others } = contextOf(place.emulator, { clock }, folder.path);
    await withWorkers({ ...others, ledger }, id, 1, async () => {});
    expect(clock.waits).toEqual([]);
    leave(folder.path, [{ is: "awake", id, workersMax: 1, until: Date.now() + 3_600_000 }]);
    await withWorkers({ ...others, ledger: new Ledger({ folder: folder.path }) }, id, 1, async () => {});
    expect(clock.waits).toEqual([90_000]);
    expect(await most(id)).toBe(0);
  });
});

/* Stacks of one program may be in several accounts. What a killed run noted holds in the account that it worked in. */
const SEED = "0123456789abcdef";
const DATA = { name: "data", size: 100, dataCenter: "EU-RO-1" };
const NOTE = { kind: "NetworkVolume", name: DATA.name, begun: 1, before: [], account: markOf("user_emulated") };
/** It may do everything but tell its account. */
const areas = Object.fromEntries(
  RIGHTS.flatMap((right) => (right === "account" ? [] : [[right, "read-write"] as const])),
);
const BLIND = { key: "may-not-tell", kind: "restricted", areas } as const;

const { emulator: theirs, service: elsewhere } = emulatorForAll({
  settings: { account: { id: "user_theirs", email: null }, keys: [BLIND] },
});
const blind = () => ({ ...theirs, apiKey: BLIND.key });

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
  const { left } = await findOrphans(contextOf(place.emulator), new Ledger({ folder: ledger }), async () => []);
  expect(left).toMatchObject([{ seed: SEED, ids: [] }]);
});

test("an endpoint that a job left awake, and a create, are missed in their own account alone", async () => {
  const awake = folder.at("awake");
  leave(awake, [
    { is: "awake", id: "left", workersMax: 1, account: NOTE.account },
    { is: "creating", place: SEED, ...NOTE },
  ]);
  expect(await reported(theirs, awake)).toEqual([]);
  expect(await reported(blind(), awake)).toEqual([
    expect.stringContaining("workers enabled on: left."),
    expect.stringContaining("could not be looked for"),
  ]);
  // Deleted there.
  expect(await reported(place.emulator, awake)).toEqual([]);
  expect(await reported(blind(), awake)).toEqual([]);
});
