/* Tags and cost centers, and what they are put on. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { MayExistError } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { costCenter } from "../../provider/resources/account/costCenter";
import { tag } from "../../provider/resources/account/tag";
import { emulatorForAll } from "../harness/account";
import { contextOf, withMessages } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { impatient } from "../harness/place";
import { volume } from "../harness/requests";
import { errorOf } from "../harness/until";

const { emulator, service } = emulatorForAll();
let one: { type: string; id: string };
let two: { type: string; id: string };
beforeEach(async () => {
  await service.setState({ tags: [], costCenters: [], networkVolumes: [] });
  await service.clearFaults();
  await service.settings({ attachmentPaths: "resources", tagsShowResources: true, changesCostCenters: true });
  [one, two] = [await attachable("one"), await attachable("two")];
});

async function attachable(name: string) {
  return { type: "NETWORK_VOLUME", id: await service.create("/v2/network-volumes", volume(name)) };
}

const tags = (context: Context = contextOf(emulator)) => new Lifecycle(tag, async () => context);
const centers = (context: Context = contextOf(emulator)) => new Lifecycle(costCenter, async () => context);

const folder = folderForEach();
/** A process of its own, with the notes of those before it. */
const hastyContext = () => contextOf(emulator, { clock: impatient() }, folder.path);

test.each([
  ["CostCenter", centers, { value: "research", resources: [] }],
  ["Tag", tags, { key: "team", value: "research", resources: [] }],
])("a create whose answer was lost is found by the next run: %s", async (kind, runOf, args) => {
  const seeded = { ...args, __seed: "0123456789abcdef" };
  await service.fault({ match: { operation: `create${kind}` }, act: { drop: "after" } });
  await service.fault({ match: { operation: `list${kind}s`, nth: 2, times: 9 }, act: { status: 403 } });
  await expect(runOf(hastyContext()).create(seeded)).rejects.toThrow(MayExistError);
  await service.clearFaults();

  const next = runOf(hastyContext());
  await next.check({}, seeded);
  const { id } = await next.create(seeded);
  const { tags, costCenters } = await service.state();
  expect([...tags, ...costCenters].map((each) => each.id)).toEqual([id]);
});

const team = (...resources: object[]) => ({ key: "team", value: "research", resources });
async function createTag(...resources: object[]) {
  const lifecycle = tags();
  return { lifecycle, ...(await lifecycle.create(team(...resources))) };
}
async function createCenter(...resources: object[]) {
  const lifecycle = centers();
  return { lifecycle, ...(await lifecycle.create({ value: "research", resources })) };
}
const tagged = async () => (await service.state()).tags.map(({ resources }) => resources);
const callsOf = async (run: () => Promise<unknown>) => {
  await service.forgetCalls();
  await run();
  return (await service.calls()).sort();
};

describe("a tag", () => {
  test("is put on its resources, and an update sends what differs", async () => {
    const { lifecycle, id, state } = await createTag(one);
    expect(await tagged()).toEqual([[one]]);
    const next = { ...team(two), value: "training" };
    const { differences } = await lifecycle.diff(id, state, next);
    expect(differences.map(({ path }) => path)).toEqual(["value", "resources.0.id"]);
    const calls = await callsOf(() => lifecycle.update(id, state, next));
    expect(calls).toEqual(["attachTag", "detachTag", "getTag", "updateTag"]);
    expect(await tagged()).toEqual([[two]]);
  });

  test("that was taken off or put on in the console is found by one list for all, and set right", async () => {
    const lifecycle = tags();
    const created = [await lifecycle.create(team(one)), await lifecycle.create(team(one, two))];
    const [{ id = "", state = {} } = {}] = created;
    await service.rest("DELETE", `/v2/tags/${id}/resources/${one.type}/${one.id}`);
    await service.rest("PUT", `/v2/tags/${id}/resources/${two.type}/${two.id}`);
    let read: (Properties | undefined)[] = [];
    const calls = await callsOf(async () => {
      read = (await Promise.all(created.map((each) => lifecycle.read(each.id, each.state)))).map((each) => each?.state);
    });
    expect(calls).toEqual(["listTags"]);
    expect(read[1]).toEqual(created[1]?.state);
    expect(read[0]?.resources).toEqual([two]);
    await lifecycle.update(id, read[0] ?? {}, team(one));
    expect((await tagged())[0]).toEqual([one]);
    expect((await lifecycle.diff(id, state, team(one))).changes).toBe(false);
  });

  test("is the same in another order", async () => {
    const { lifecycle, id, state } = await createTag(one, two);
    expect((await lifecycle.diff(id, state, team(two, one))).changes).toBe(false);
  });

  test("is put on at the other address where the first does not exist, which is found out once", async () => {
    await service.settings({ attachmentPaths: "plain" });
    const { lifecycle, id, state } = await createTag(one);
    const calls = await callsOf(() => lifecycle.update(id, state, team(two)));
    expect(calls).toEqual(["attachTagPlainly", "detachTagPlainly", "getTag"]);
    expect(await tagged()).toEqual([[two]]);
  });

  test("keeps what was declared where the service does not show its resources", async () => {
    await service.settings({ tagsShowResources: false });
    const { lifecycle, id, state } = await createTag(one);
    expect((await lifecycle.read(id, state))?.state).toEqual(state);
    expect(await callsOf(() => lifecycle.read(id, state))).toEqual(["getTag"]);
    await lifecycle.update(id, state, team(one, two));
    expect(await tagged()).toEqual([[one, two]]);
  });

  test("that could not be put on everything is recorded, and the next run goes on", async () => {
    const lifecycle = tags();
    await service.fault({ match: { operation: "attachTag", times: 1 }, act: { status: 403 } });
    const error = await errorOf(lifecycle.create(team(one)), PartlyMadeError);
    expect(error.message).toMatch(/write access to tags \(tags:write\)/);
    expect((await lifecycle.diff(error.id, error.properties, team(one))).changes).toBe(true);
    await lifecycle.update(error.id, error.properties, team(one));
    expect(await tagged()).toEqual([[one]]);
  });

  test("lets go of what was deleted, and does not get onto it", async () => {
    const { lifecycle, id, state } = await createTag(one);
    await service.rest("DELETE", `/v2/network-volumes/${one.id}`);
    await expect(lifecycle.create(team(one))).rejects.toThrow(`resources: there is no NETWORK_VOLUME "${one.id}".`);
    const after = await lifecycle.update(id, state, team(two));
    expect((await lifecycle.read(id, after))?.state.resources).toEqual([two]);
  });

  test("whose create was lost on its way back is found by its key and value", async () => {
    await service.fault({ match: { operation: "createTag" }, act: { drop: "after" } });
    const { id } = await hastyContext().client.tags.create({ key: "team", value: "research" });
    expect((await service.state()).tags.map((each) => each.id)).toEqual([id]);
  });
});

describe("a cost center", () => {
  test("is made with its resources by one call, and goes on without what can't be attached", async () => {
    const lifecycle = centers();
    const calls = await callsOf(() => lifecycle.create({ value: "research", resources: [one, two] }));
    expect(calls).toEqual(["createCostCenter", "listCostCenters"]);
    expect((await service.state()).costCenters).toMatchObject([{ resources: [one, two] }]);
    const gone = { type: "POD", id: "gone" };
    const error = await errorOf(lifecycle.create({ value: "later", resources: [one, gone] }), PartlyMadeError);
    expect((await service.state()).costCenters.at(-1)).toMatchObject({ id: error.id, resources: [one] });
  });

  test("with more resources than a create takes gets the rest one by one", async () => {
    const volumes = await Promise.all(Array.from({ length: 101 }, (_, index) => attachable(`v${index}`)));
    const calls = await callsOf(() => centers().create({ value: "research", resources: volumes }));
    expect(calls).toEqual(["attachCostCenter", "createCostCenter", "listCostCenters"]);
    expect((await service.state()).costCenters.map(({ resources }) => (resources as unknown[]).length)).toEqual([101]);
  });

  test("is renamed, and gets and loses resources, in place", async () => {
    const { lifecycle, id, state } = await createCenter(one);
    const next = { value: "training", resources: [two] };
    expect(await lifecycle.diff(id, state, next)).toMatchObject({ changes: true, replaces: [] });
    await lifecycle.update(id, state, next);
    expect((await service.state()).costCenters).toEqual([{ id, ...next }]);
  });

  test("that was deleted in the console is not renamed, and that is said", async () => {
    const { lifecycle, id, state } = await createCenter();
    await service.removed(`/v2/cost-centers/${id}`);
    const renamed = lifecycle.update(id, state, { value: "training", resources: [] });
    await expect(renamed).rejects.toThrow(/was deleted outside this program/);
  });

  test.each([
    ["is deleted", true, [], []],
    ["that the service can't delete is emptied, and it is said", false, [{ resources: [] }], [/stays in the account/]],
  ])("%s", async (_, changesCostCenters, left, words) => {
    await service.settings({ changesCostCenters });
    const { context, said } = withMessages(contextOf(emulator));
    const lifecycle = centers(context);
    const { id, state } = await lifecycle.create({ value: "research", resources: [one] });
    await lifecycle.delete(id, state);
    expect((await service.state()).costCenters).toMatchObject(left.map((center) => ({ id, ...center })));
    expect(said).toEqual(words.map((each) => expect.stringMatching(each)));
  });
});
