/* Fleets whose calls fail in all ways and whose runs are killed: in the end there is what the program declares, and once. */
import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import type { FaultInput } from "../../emulator";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { FleetLifecycle } from "../../provider/resources/fleet/fleetLifecycle";
import { checked, contextOf, type RecordedResource } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { placeForAll } from "../harness/place";

const SCHEDULES = Number(process.env.FLEET_SCHEDULES ?? 5);
const SEED = Number(process.env.FLEET_SEED ?? 1);

const upTo = (max: number) => fc.integer({ min: 1, max });
const member = fc.record({ idleTimeout: upTo(3), own: fc.boolean(), tag: upTo(2) });
const members = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), member, { minKeys: 1 });
const act = fc.constantFrom<FaultInput["act"]>(
  { drop: "after" },
  { drop: "after" },
  { drop: "before" },
  { truncate: true },
  { status: 502 },
  { status: 400, body: { title: "Bad Request", status: 400, detail: "no" } },
);
const WRITES = ["saveEndpoint", "deleteEndpoint", "createTemplate", "updateTemplate", "deleteTemplate"];
const fault = fc.oneof(
  fc.record({
    match: fc.record({ operation: fc.constantFrom("saveEndpoint", ...WRITES), nth: fc.integer({ min: 1, max: 3 }) }),
    act,
  }),
  // An answer that tells nothing; a delete that is answered so counts as done.
  fc.constant({ match: { operation: "saveEndpoint" }, act: { status: 200, body: { data: null } } }),
);
const phase = fc.record({ members, faults: fc.array(fault, { maxLength: 3 }), killed: fc.boolean() });
const schedules = fc.sample(fc.tuple(phase, phase, phase), { seed: SEED, numRuns: SCHEDULES });

const place = placeForAll({ settings: { rateLimitExempt: true, workerQuota: 1_000_000 } });
const folder = folderForEach();
let templateId: string;

test.each(schedules.map((phases, index) => ({ index, phases })))("schedule $index", async ({ phases }) => {
  await place.reset();
  const shared = await place.client().templates.create({ name: "shared", image: "example.com/a:1", serverless: true });
  templateId = shared.id;
  const clock = place.sharedClock();
  /** What one process does; a killed one never hears that the engine has recorded its answer. */
  const run = async <T>(killed: boolean, work: (fleet: FleetLifecycle) => Promise<T>): Promise<T> => {
    const context = contextOf(place.emulator, { clock, retryBudgetMs: 10_000 }, folder.path);
    if (killed) jest.spyOn(context.ledger.creates, "answered").mockReturnValue();
    const result = await work(new FleetLifecycle(async () => context));
    context.ledger.creates.close();
    return result;
  };
  let recorded: RecordedResource | undefined;
  for (const { members, faults, killed } of phases) {
    for (const each of faults) await place.service.fault(each);
    const outcome = await run(killed, (fleet) => up(fleet, recorded, members));
    // A killed engine has heard nothing.
    recorded = killed ? recorded : outcome.recorded;
    await place.service.clearFaults();
    for (let ups = 1; ; ups += 1) {
      const next: Awaited<ReturnType<typeof up>> = await run(false, (fleet) => up(fleet, recorded, members));
      recorded = next.recorded;
      if (next.error === undefined) break;
      expect([ups, next.error]).toEqual([expect.any(Number), ups < 3 ? expect.anything() : undefined]);
    }
    await run(false, (fleet) => expectAsDeclared(recorded, members, fleet));
  }
});

const programOf = (members: Record<string, { idleTimeout: number; own: boolean; tag: number }>): Properties => ({
  __seed: "0123456789abcdef",
  __logicalName: "models",
  defaults: { gpuIds: "ADA_24" },
  endpoints: Object.fromEntries(
    Object.entries(members).map(([name, { idleTimeout, own, tag }]) => [
      name,
      { idleTimeout, ...(own ? { image: `example.com/${name}:${tag}` } : { templateId }) },
    ]),
  ),
});

/** As the engine does it. */
async function up(run: FleetLifecycle, old: RecordedResource | undefined, members: Parameters<typeof programOf>[0]) {
  const inputs = await checked(run, programOf(members), old?.inputs);
  try {
    if (old === undefined) return { recorded: { inputs, ...(await run.create(inputs)) } };
    if (!(await run.diff(old.id, old.state, inputs)).changes) return { recorded: { ...old, inputs } };
    return { recorded: { ...old, inputs, state: await run.update(old.id, old.state, inputs) } };
  } catch (error) {
    if (!(error instanceof PartlyMadeError)) return { recorded: old, error };
    // Of an update that failed the engine keeps the arguments before.
    return { recorded: { id: error.id, inputs: old?.inputs ?? inputs, state: error.properties }, error };
  }
}

async function expectAsDeclared(
  recorded: RecordedResource | undefined,
  members: Parameters<typeof programOf>[0],
  run: FleetLifecycle,
): Promise<void> {
  if (recorded === undefined) throw new Error("nothing is recorded");
  const { id, inputs: old, state } = recorded;
  const { endpoints = [], templates = [] } = await place.state();
  const { ids, templateIds } = state as Record<string, Record<string, string>>;
  expect(Object.keys({ ...ids }).sort()).toEqual(Object.keys(members).sort());
  expect(endpoints.map((each) => each.id).sort()).toEqual(Object.values({ ...ids }).sort());
  expect(templates.map((each) => each.id).sort()).toEqual([templateId, ...Object.values({ ...templateIds })].sort());
  const read = await run.read(id, state);
  const { inputs } = await run.check(old, programOf(members));
  expect((await run.diff(id, read.state, inputs)).differences).toEqual([]);
}
