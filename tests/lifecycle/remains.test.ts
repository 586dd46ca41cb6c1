/* What a run that was killed has left: of its creates, and of endpoints that it had let start workers. */
import "../harness/ownHome";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { reportLeftovers } from "../../provider/engine/remains";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { describeRemains, remainsOf } from "../../provider/lifecycle/make/remains";
import { CreateJournal } from "../../provider/memory/createJournal";
import { RunNotes } from "../../provider/memory/runNotes";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { contextOf } from "../harness/context";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/forAll";
import { endpoint, template } from "../harness/requests";

const folder = folderForAll();
const place = placeForAll();

const BEGUN = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

test.each([
  ["nothing so far", [], [], 0, "may still appear until 2026-01-01T00:01:30.000Z"],
  ["nothing in time", [], [], 90_000, undefined],
  ["one thing beside an older one", ["old", "new"], [], 90_000, 'Pod "web-0a1b2c3" (new), begun 2026-01-01'],
  ["one of several", ["a", "b"], [], 0, "perhaps a or b"],
  ["one thing beside what came up days later", ["new", "later"], [], 90_000, 'Pod "web-0a1b2c3" (new)'],
  ["what came up days later alone", ["later"], [], 90_000, undefined],
  ["what a state holds", ["a"], [["a"]], 0, undefined],
  ["what a state holds at its place", ["a", "b"], [["a", "seed"]], 0, undefined],
  ["what a state holds at another place", ["a"], [["a", "another"]], 90_000, undefined],
  ["one beside a namesake that a state holds", ["a", "b"], [["b", "another"]], 90_000, "perhaps a"],
  [
    "what can't be listed",
    undefined,
    [],
    90_000,
    'Pod "web-0a1b2c3", begun 2026-01-01T00:00:00.000Z: could not be looked for',
  ],
])("of a create: %s", (_, there, recorded, laterMs, told) => {
  const begun = { kind: "Pod", name: "web-0a1b2c3", begun: BEGUN, before: ["old"] };
  const createdAt = (id: string) => new Date(BEGUN + (id === "later" ? 2 * DAY_MS : 1_000)).toISOString();
  const listed = () => there?.map((id: string) => ({ id, name: begun.name, createdAt: createdAt(id) }));
  const places = new Map(recorded.map(([id, __seed]: string[]) => [id, { __seed }]));
  const isRecorded = (id: string) => places.get(id);
  const lines = remainsOf(new Map([["seed", begun]]), undefined, listed, isRecorded, BEGUN + laterMs).map(
    describeRemains,
  );
  const unclear = new Map([["seed", { ...begun, unclear: true }]]);
  expect(remainsOf(unclear, undefined, listed, isRecorded, BEGUN + laterMs).some(({ isCertain }) => isCertain)).toBe(
    false,
  );
  if (told === undefined) expect(lines.filter((line) => line !== undefined)).toEqual([]);
  else expect(lines).toEqual([expect.stringContaining(told)]);
});

// finds mutant certain-while-made-elsewhere
test("of a create elsewhere: nothing is certain as long as its run may go on", () => {
  const begun = { kind: "Pod", name: "web", begun: BEGUN, before: [], process: process.pid, host: "another-runner" };
  const certain = (laterMs: number) =>
    remainsOf(
      new Map([["seed", begun]]),
      undefined,
      () => [{ id: "new", name: "web" }],
      () => undefined,
      BEGUN + laterMs,
    ).map(({ isCertain }) => isCertain);
  expect(certain(1_800_000)).toEqual([false]);
  expect(certain(3_700_000)).toEqual([true]);
});

// finds mutant other-host-is-silent
test("of creates: those of killed runs alone, at places that the program hasn't, of this host or of one that isn't in the run", () => {
  const creating = folder.at("creating");
  const journal = new CreateJournal(creating);
  const note = { kind: "Pod", name: "web", begun: BEGUN, before: [] };
  journal.begin("under way", note);
  const write = (seed: string, more: object) =>
    writeFileSync(join(creating, `${seed}.json`), JSON.stringify({ ...note, ...more }));
  write("of 0.1", {});
  // In a container the ids of processes come again. Only Linux tells when one began.
  const reused = process.platform === "linux" ? ["of a process whose id another has"] : [];
  for (const seed of reused) write(seed, { process: process.ppid, started: "1" });
  // The same id in another container.
  write("elsewhere", { process: process.pid, host: "another-runner" });
  write("declared", {});
  write("native", { native: true });
  const next = () => new CreateJournal(creating, new RunNotes(undefined));
  const killed = (journal: CreateJournal) => [...journal.ofKilledRuns().keys()].sort();
  const alone = next();
  alone.declared("declared");
  expect(killed(alone)).toEqual(["elsewhere", "native", "of 0.1", ...reused]);
  expect([...alone.all().keys()].sort()).toEqual(["declared", "elsewhere", "native", "of 0.1", ...reused, "under way"]);

  const among = (id: number) => new CreateJournal(creating, new RunNotes("127.0.0.1:4711", folder.at("running"), id));
  const [dynamic, native] = [among(process.pid), among(process.ppid)];
  native.servesNative();
  dynamic.declared("declared");
  // The other one has not come up yet.
  expect(killed(dynamic)).toEqual(["elsewhere", "native", "of 0.1", ...reused]);
  expect(killed(native)).toEqual(["native"]);
  expect(killed(dynamic)).toEqual(["elsewhere", "of 0.1", ...reused]);
  const second = among(1);
  second.servesNative();
  native.declared("native");
  expect(killed(second)).toEqual([]);
});

test("an endpoint that a job had woken is scaled back by its next update, which is none to what follows it", async () => {
  const { id: templateId } = await place.client().templates.create({ ...template("t"), serverless: true });
  const first = new Lifecycle(serverlessEndpoint, async () => contextOf(place.emulator));
  const { inputs } = await first.check({}, { name: "resting", templateId, gpuIds: "ADA_24", workersMax: 0 });
  const { id, state } = await first.create(inputs);
  await place.service.rest("PATCH", `/v2/serverless/${id}`, { workers: { min: 0, max: 2, idleTimeout: 10 } });

  const awake = folder.at("awake");
  const killed = contextOf(place.emulator, {}, awake).woken;
  killed.begin(id, 2);
  // By a run that goes on.
  const other = contextOf(place.emulator, {}, awake);
  expect((await new Lifecycle(serverlessEndpoint, async () => other).diff(id, state, inputs)).changes).toBe(false);
  expect(other.woken.forgotten()).toEqual([]);
  const note = join(awake, `${id}.json`);
  expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ workersMax: 2, process: process.pid });

  writeFileSync(note, JSON.stringify({ workersMax: 2 }));
  const told: string[] = [];
  const silent = contextOf(place.emulator, {}, awake);
  const context = { ...silent, log: { ...silent.log, info: (text: string) => told.push(text) } };
  const run = new Lifecycle(serverlessEndpoint, async () => context);
  expect(context.woken.forgotten()).toEqual([id]);
  expect(await run.diff(id, state, { ...inputs, workersMax: 2 })).toMatchObject({ changes: true });
  expect(told).toEqual([]);
  expect(await run.diff(id, state, inputs)).toMatchObject({ changes: true, replaces: [] });
  expect(told).toEqual([
    `ServerlessEndpoint "${id}" may start up to 2 workers, because a run was killed during its job: this update scales it to 0.`,
  ]);
  expect(context.woken.forgotten()).toEqual([]);
  expect(await run.update(id, state, inputs)).toEqual(state);
  const live = (await place.state()).endpoints?.find((each) => each.id === id);
  expect(live).toMatchObject({ workers: { max: 0 } });
  expect(readdirSync(awake)).toEqual([]);
  expect((await run.diff(id, state, inputs)).changes).toBe(false);

  context.woken.begin(id, 0);
  await run.delete(id, state);
  expect(readdirSync(awake)).toEqual([]);
});

test("the note of an endpoint that is gone ends; that of one that may still start workers stays, and is told", async () => {
  const left = folder.at("left");
  const { id } = await place.client().serverless.create(endpoint("left"));
  mkdirSync(left);
  for (const each of [id, "gone"]) writeFileSync(join(left, `${each}.json`), JSON.stringify({ workersMax: 1 }));
  const told: (() => string | undefined)[] = [];
  const silent = contextOf(place.emulator, {}, left);
  await reportLeftovers({ ...silent, log: { ...silent.log, atEnd: (warning) => told.push(warning) } });
  expect(told.map((warning) => warning())).toEqual([expect.stringMatching(new RegExp(`workers enabled on: ${id}\\.`))]);
  expect(readdirSync(left)).toEqual([`${id}.json`]);
});
