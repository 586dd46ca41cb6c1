/* Proofs on an endpoint at rest: its workers are there while one of them needs them, and then go. */
import { expect, jest, test } from "@jest/globals";
import { withWorkers } from "../../provider/resources/serverless/temporaryWorkers";
import { contextOf } from "../harness/context";
import { folderForAll } from "../harness/folder";
import { placeForAll } from "../harness/place";
import { endpoint } from "../harness/requests";
import { until } from "../harness/until";

const folder = folderForAll();
const place = placeForAll();

/** An endpoint without workers, and the run that declares a schedule for it. */
async function atRest(name: string) {
  const workers = { min: 0, max: 0, idleTimeout: 5 };
  const { id } = await place.client().serverless.create({ ...endpoint(name), workers });
  const context = contextOf(place.emulator, {}, folder.at(name));
  context.ledger.workers.schedules(id);
  const most = async () => (await place.client().serverless.get(id)).workers?.max;
  return { context, id, most };
}

// finds mutant workers-taken-from-a-proof
test.each<[string, number | undefined]>([
  ["a schedule", undefined],
  ["a candidate", 1],
])("two proofs at once share the workers of %s, which go after the last one", async (name, workersMax) => {
  const { context, id, most } = await atRest(name);
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const begun = [false, false];
  const [first, second] = ends.map(({ promise }, index) =>
    withWorkers(context, id, workersMax, () => {
      begun[index] = true;
      return promise;
    }),
  );
  await until(() => !begun.includes(false));
  expect(await most()).toBe(1);
  ends[0]?.resolve();
  await first;
  expect(await most()).toBe(1);
  ends[1]?.resolve();
  await second;
  expect(await most()).toBe(0);
  expect(contextOf(place.emulator, {}, folder.at(name)).ledger.workers.leftoverIds()).toEqual([]);
});

// finds mutant live-endpoint-scaled-to-none
test("a proof that needs more workers raises them for all, one that fails leaves them to the others, and what has workers keeps them", async () => {
  const { context, id, most } = await atRest("more");
  const warnings = jest.spyOn(context.log, "warn");
  const [long, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = withWorkers(context, id, 1, () => long.promise);
  await until(async () => (await most()) === 1);
  const second = withWorkers(context, id, 2, () => failing.promise);
  await until(async () => (await most()) === 2);
  failing.reject(new RangeError("no"));
  await expect(second).rejects.toThrow(RangeError);
  expect(await most()).toBe(2);
  long.resolve();
  await first;
  expect(await most()).toBe(0);
  await place.client().serverless.update(id, { workers: { min: 0, max: 3, idleTimeout: 5 } });
  for (const workersMax of [undefined, 1, 5]) {
    await withWorkers(context, id, workersMax, async () => expect(await most()).toBe(3));
    expect(await most()).toBe(3);
  }
  expect(warnings).toHaveBeenCalledTimes(2);
  expect(warnings).toHaveBeenCalledWith(expect.stringMatching(/has a maximum of 3 workers, which it keeps/));
});
