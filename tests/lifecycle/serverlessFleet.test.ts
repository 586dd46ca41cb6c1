/* A fleet of endpoints as the engine asks for it: everything that holds for one endpoint, for each of many at once. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Clock } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { Ledger } from "../../provider/memory/ledger";
import { FleetLifecycle } from "../../provider/resources/fleet/fleetLifecycle";
import { emulatorForAll } from "../harness/account";
import * as engine from "../harness/context";
import { contextOf, logForEach } from "../harness/context";
import { folderForEach, leave } from "../harness/folder";
import { impatient, Place } from "../harness/place";
import { errorOf } from "../harness/until";

const { emulator, service } = emulatorForAll({ settings: { workerQuota: 1_000_000 } });
const folder = folderForEach();
let templateId: string;
let ledger: Ledger;
const { said, log } = logForEach();
beforeEach(async () => {
  ledger = new Ledger({ folder: folder.path });
  templateId = await service.create("/v2/templates", { name: "shared", image: "example.com/a:1", serverless: true });
  await service.forgetCalls();
});
afterEach(async () => {
  await service.clearFaults();
  await service.settings({ workerQuota: 1_000_000, endpointListCap: 400 });
  const state = await service.state();
  await service.setState({ ...state, endpoints: [], templates: [] });
});

/** What a process that the engine starts knows. */
function newRun(signal?: AbortSignal, clock: Clock = impatient()): FleetLifecycle {
  const silent = contextOf(emulator, { readWindowMs: 2_000, clock });
  const context: Context = { ...silent, ...(signal && { signal }), ledger, log };
  return new FleetLifecycle(async () => context);
}

const withSeed = (fleet: Properties) => ({ __seed: "0123456789abcdef", __logicalName: "models", ...fleet });
/** A member for which the fleet keeps a template. */
const withImage = { image: "example.com/a:1", gpuIds: "ADA_24" };
/** One that takes the template that is there. */
const plain = (args: Properties = {}) => ({ templateId, gpuIds: "ADA_24", ...args });
/** One that the service refuses. */
const bad = { templateId: "nosuch", gpuIds: "ADA_24" };
const balancer = () => plain({ type: "LB", scalerType: "REQUEST_COUNT" });

const checked = (run: FleetLifecycle, fleet: Properties, old?: Properties) => engine.checked(run, withSeed(fleet), old);
const createFleet = (fleet: Properties, run = newRun()) => engine.createResource(run, withSeed(fleet));
const up = (recorded: engine.RecordedResource, fleet: Properties, run = newRun()) =>
  engine.up(run, recorded, withSeed(fleet));

/** What a preview shows, and the run that has shown it. */
async function previewOf(fleet: engine.RecordedResource, args: Properties, run = newRun()) {
  const inputs = await checked(run, args, fleet.inputs);
  said.infos = [];
  return { run, inputs, ...(await run.diff(fleet.id, fleet.state, inputs)) };
}

/** A create or an update in which members fail, and what the engine records of it. */
async function partialFailure(args: Properties, fleet?: engine.RecordedResource, run = newRun()) {
  const inputs = await checked(run, args, fleet?.inputs);
  const running = fleet === undefined ? run.create(inputs) : run.update(fleet.id, fleet.state, inputs);
  const { id, properties: state, reasons } = await errorOf(running, PartlyMadeError);
  return { id, inputs, state, reasons };
}

const members = (count: number, args: Properties = {}): Properties =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, plain(args)]));
const live = async () => (await service.state()).endpoints;
const idsOf = ({ state }: { state: Properties }) => state.ids as Record<string, string>;

const urls = (id = "") => ({ run: `${emulator.serverlessUrl}/v2/${id}/run` });
const memberOf = ({ state }: { state: Properties }, name = "m0") =>
  (state.endpoints as Record<string, Properties>)[name] ?? {};

describe("a fleet", () => {
  test("makes its members several in a call, and names them", async () => {
    const fleet = await createFleet({ endpoints: members(60) });
    expect(await service.count("saveEndpoint")).toBe(3);
    const names = (await live()).map(({ name = "" }) => name);
    const stems = names.map((name) => name.replace(/-[0-9a-f]{7}$/, ""));
    expect(new Set(stems)).toEqual(new Set(Object.keys(members(60)).map((name) => `models-${name}`)));
    const { m7 } = idsOf(fleet);
    expect(fleet.state).toMatchObject({ revisions: { m7: 1 }, requestUrls: { m7: urls(m7) }, templateIds: {} });
    expect(Object.keys(idsOf(fleet))).toHaveLength(60);
    expect(said.statuses.at(-1)).toBe("ServerlessFleet models: 60 of 60 endpoints are done");

    await service.forgetCalls();
    expect((await up(fleet, { endpoints: members(60) })).state).toBe(fleet.state);
    expect([await service.calls(), said.infos]).toEqual([[], []]);
  });

  test("is read with a handful of calls", async () => {
    const fleet = await createFleet({ endpoints: members(120) });
    await service.settings({ endpointListCap: 50 });
    await service.forgetCalls();
    const read = await newRun().read(fleet.id, fleet.state);
    expect(read).toEqual({ state: fleet.state, inputs: fleet.inputs });
    expect((await service.calls()).sort()).toEqual(["getTemplate", "listEndpoints", "myself", "myself"]);
  });

  test("updates just the members that differ, and deletes the one that is removed, its workers at 0 first", async () => {
    const fleet = await createFleet({ endpoints: members(3) });
    const ids = idsOf(fleet);
    await service.forgetCalls();
    const changed = { ...members(3), m1: plain({ idleTimeout: 60 }) };
    const updated = await up(fleet, { endpoints: changed });
    expect(await service.calls()).toEqual(["saveEndpoint"]);
    expect(said.infos).toEqual(["ServerlessFleet models: endpoints.m1: idleTimeout 10 -> 60"]);
    expect(updated.state).toMatchObject({ ids, revisions: { m0: 1, m1: 2, m2: 1 } });

    await service.forgetCalls();
    const left = await up(updated, { endpoints: members(1) });
    expect(await service.calls()).toEqual(["myself", "saveEndpoint+deleteEndpoint"]);
    expect(idsOf(left)).toEqual({ m0: ids.m0 });
    expect((await live()).map(({ id }) => id)).toEqual([ids.m0]);
  });

  test("whose recorded members are damaged makes no second set: a refresh reads them again", async () => {
    const fleet = { endpoints: { chat: withImage, plain: plain({ workersMax: 2 }) } };
    const { id, inputs, state } = await createFleet(fleet);
    const damaged = { ...state, endpoints: [1, 2] };
    const run = newRun();
    await expect(run.diff(id, damaged, inputs)).rejects.toThrow(
      "the state is damaged: it has ids of chat, plain, and not their arguments. Run `pulumi refresh`",
    );
    const read = await run.read(id, damaged);
    const again = await checked(run, fleet, read.inputs);
    expect((await run.diff(id, read.state, again)).differences.every(({ replaces }) => !replaces)).toBe(true);
    expect((await run.update(id, read.state, again)).ids).toEqual(state.ids);
    expect((await service.state()).endpoints).toHaveLength(2);
  });

  // finds mutants no-scale-to-zero, member-left-out
  test("is deleted several in a call, with nothing left", async () => {
    const fleet = await createFleet({ endpoints: { ...members(49), own: withImage } });
    await service.forgetCalls();
    await newRun().delete(fleet.id, fleet.state);
    const both = "saveEndpoint+deleteEndpoint";
    expect(await service.calls()).toEqual(["myself", both, both, "deleteTemplate"]);
    expect(await live()).toEqual([]);
  });

  test("makes and deletes a member whatever its name", async () => {
    const odd = plain();
    const fleet = await createFleet({ endpoints: { ...members(1), constructor: odd } });
    const { m0 } = idsOf(await up(fleet, { endpoints: members(1) }));
    expect((await live()).map(({ id }) => id)).toEqual([m0]);
    const names = ["a.b", "1a", "a b", 'a"b'];
    const endpoints = { ...members(1), ...Object.fromEntries(["a-b_1", ...names].map((name) => [name, odd])) };
    const { differences } = await previewOf(fleet, { endpoints });
    expect(differences.map(({ path }) => path).toSorted()).toEqual(
      ["endpoints.a-b_1", "endpoints.constructor", ...names.map((name) => `endpoints[${JSON.stringify(name)}]`)].sort(),
    );
  });

  test("is known to hold its endpoints and templates, which are no one's leftovers", async () => {
    const fleet = await createFleet({ endpoints: { ...members(1), own: withImage } });
    const { ids, templateIds } = fleet.state as { ids: Properties; templateIds: Properties };
    const held = [ids.m0, ids.own, templateIds.own].map(String);
    ledger = new Ledger();
    await newRun().diff(fleet.id, fleet.state, fleet.inputs);
    expect(held.filter((id) => ledger.ids.recorded(id) === undefined)).toEqual([]);
  });

  test("says how many templates are done, and what its members wait for, as one thing", async () => {
    await service.settings({ workerColdStartMs: 500 });
    const member = { image: "example.com/a:1", gpuIds: "ADA_24", workersMin: 1, awaitWorkers: true };
    const names = Array.from({ length: 10 }, (_, index) => `own${index}`);
    const run = newRun(undefined, new Place(emulator, service).sharedClock());
    await createFleet({ endpoints: Object.fromEntries(names.map((name) => [name, member])) }, run);
    await service.settings({ workerColdStartMs: 0 });
    expect(said.statuses.join("\n")).toMatch(/^ServerlessFleet models: [1-9] of 10 templates are done$/m);
    expect(said.statuses.join("\n")).toMatch(/^A fleet.s member: Endpoint .*: 0 of 1 workers are ready$/m);
  });
});

describe("a change that loses an endpoint", () => {
  test("is previewed as what it is: a member deleted, created again, released or new, by its endpoint's id", async () => {
    const fleet = await createFleet({ endpoints: { ...members(3), own: withImage } });
    const { m1, m2, own: ownId } = idsOf(fleet);
    const { templateIds } = fleet.state as { templateIds: Properties };
    const changed = { m0: plain({ idleTimeout: 60 }), m2: balancer(), m9: withImage };
    const plan = await previewOf(fleet, { endpoints: changed, released: ["own"] });
    expect(plan).toMatchObject({ changes: true, deleteBeforeReplace: false });
    const differences = plan.differences.map(({ path, old, next, replaces }) => ({ path, old, next, replaces }));
    expect(differences.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(
      [
        { path: "endpoints.m0.idleTimeout", old: 10, next: 60 },
        { path: "endpoints.m1", old: {}, next: undefined },
        { path: "endpoints.m2.scalerType", old: "QUEUE_DELAY", next: "REQUEST_COUNT" },
        { path: "endpoints.m2.type", old: "QB", next: "LB" },
        { path: "endpoints.m9", old: undefined, next: {} },
        { path: "endpoints.own", old: {}, next: undefined },
      ].map((each) => ({ ...each, replaces: false })),
    );
    expect(said.infos).toEqual([
      "ServerlessFleet models: members: 1 to delete, 1 to replace, 1 to release, 1 to create, 1 to update; " +
        `endpoints.m1: is no longer a member: endpoint ${m1} is deleted; ` +
        'endpoints.m2: type "QB" -> "LB", scalerType "QUEUE_DELAY" -> "REQUEST_COUNT": ' +
        `endpoint ${m2} is deleted, and another is created with a new id; ` +
        `endpoints.own: is released: endpoint ${ownId} goes on running; ` +
        "endpoints.m9: is new; endpoints.m0: idleTimeout 10 -> 60",
    ]);
    await previewOf(fleet, { endpoints: members(3) });
    expect(said.infos).toEqual([
      expect.stringMatching(`endpoints.own: .*: endpoint ${ownId} and template ${templateIds.own} are deleted$`),
    ]);
  });

  // finds mutant protected-members-lost
  test.each<[string, () => Properties, RegExp]>([
    [
      "is removed",
      () => members(1),
      /models is protected.*\nendpoints\.m1 \(endpoint \w+\) would be deleted\n.*protectMembers: false.*released/,
    ],
    [
      "changes its type",
      () => ({ ...members(1), m1: balancer() }),
      /endpoints\.m1 \(endpoint \w+\) would be deleted and created again: type "QB" -> "LB"/,
    ],
  ])("is an error in a protected fleet where a member %s", async (_, next, message) => {
    const fleet = await createFleet({ endpoints: members(2), protectMembers: true });
    await expect(previewOf(fleet, { endpoints: next(), protectMembers: true })).rejects.toThrow(message);
    await previewOf(fleet, { endpoints: next() });
  });

  test("leaves a protected fleet the changes that lose none", async () => {
    const fleet = await createFleet({ endpoints: { ...members(3), own: withImage }, protectMembers: true });
    const { m0: _, ...others } = members(3, { idleTimeout: 60 });
    const { own: adoptId } = idsOf(fleet);
    const endpoints = { ...others, m9: plain(), renamed: plain({ adoptId }) };
    const next = { endpoints, released: ["m0"], protectMembers: true };
    expect(await previewOf(fleet, next)).toMatchObject({ changes: true });
    await up(fleet, next);
    expect(await live()).toHaveLength(5);
  });

  test("of the whole fleet, for what replaceOnChanges names of a member, is an error where no class has taken it", async () => {
    const fleet = await createFleet({ endpoints: members(1) });
    const run = newRun();
    await previewOf(fleet, { endpoints: members(1, { idleTimeout: 60 }) }, run);
    const again = await run.check({}, withSeed({ endpoints: members(1, { idleTimeout: 60 }) }));
    expect(again.failures).toEqual([{ property: "", reason: expect.stringContaining("a fleet is never replaced") }]);

    // `pulumi refresh` compares without a check, and `--replace` checks without a comparison.
    const refreshed = newRun();
    await refreshed.diff(fleet.id, fleet.state, fleet.inputs);
    expect((await refreshed.check({}, withSeed({ endpoints: members(1) }))).failures).toEqual([]);
  });
});

describe("Pulumi's options", () => {
  test.each<[string, string, Properties, string[]]>([
    ["an argument", "endpoints.own.idleTimeout", { own: { ...withImage, idleTimeout: 60 } }, ["own"]],
    ["a setting of the container", "endpoints.own.image", { own: { ...withImage, image: "example.com/a:2" } }, ["own"]],
    ["another one", "endpoints.own.env", { own: { ...withImage, image: "example.com/a:2" } }, []],
    ["all", "*", { own: { ...withImage, image: "example.com/a:2" } }, ["own"]],
    ["a default that changes", "defaults.workersMax", { defaults: { workersMax: 2 } }, ["m0", "own"]],
    ["a default that stays", "defaults.workersMax", { own: { ...withImage, workersMax: 2 } }, []],
  ])("replaceOnChanges of %s replaces that member", async (_, option, change, replaced) => {
    const { defaults = { workersMax: 1 }, own: changed = withImage } = change;
    const fleet = await createFleet({
      defaults: { workersMax: 1 },
      endpoints: { ...members(1), own: withImage },
      protectMembers: false,
    });
    const next = { defaults, endpoints: { ...members(1), own: changed }, __replaceOnChanges: [option] };
    const after = idsOf(await up(fleet, next));
    const before = idsOf(fleet);
    expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(replaced);
    expect(await live()).toHaveLength(2);
  });

  test("ignoreChanges of all members holds for each of them, also where one is removed", async () => {
    const fleet = await createFleet({ endpoints: members(4) });
    const { m3: _, ...left } = members(4, { idleTimeout: 60, workersMax: 1 });
    const option = { __ignoreChanges: ['endpoints["*"].idleTimeout', "endpoints.*.name"] };
    const after = await up(fleet, { ...option, endpoints: left });
    expect([0, 1, 2].map((index) => memberOf(after, `m${index}`))).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ idleTimeout: 10, workersMax: 1 })),
    );
    expect((await newRun().diff(after.id, after.state, after.inputs)).changes).toBe(false);
  });
});

describe("a check", () => {
  const failuresOf = async (fleet: Properties) => (await newRun().check({}, withSeed(fleet))).failures;

  test.each([
    ["a pool that the catalog does not know", { gpuIds: "ADA_42" }, "gpuIds", 'did you mean "ADA_24"?'],
    ["a misspelt argument", { idleTimeot: 5 }, "idleTimeot", 'did you mean "idleTimeout"?'],
    ["a misspelt setting of the container", { imagee: "i" }, "imagee", 'did you mean "image"?'],
    ["a rule across arguments", { workersMin: 4, workersMax: 2 }, "workersMin", "must not exceed workersMax (2)"],
    ["what only its template has", { templateId: null, image: "i", ports: ["53"] }, "ports.0", 'must be "port/http"'],
    ["GPUs that nobody gave", { templateId: null, image: "i", gpuIds: null }, "gpuIds", "is required"],
    ["a template beside an image", { image: "i" }, "image", "is not taken together with a template"],
    ["neither a template nor an image", { templateId: null }, "image", "is required: give an image"],
  ])("names %s by its member", async (_, mistake, property, reason) => {
    const bad = { templateId, gpuIds: "ADA_24", ...mistake };
    expect(await failuresOf({ endpoints: { ...members(2), bad } })).toEqual([
      { property: `endpoints.bad.${property}`, reason: expect.stringContaining(reason) },
    ]);
  });

  test("tells a mistake in the defaults once", async () => {
    const [only, ...others] = await failuresOf({ defaults: { workersMax: "3" }, endpoints: members(3) });
    expect(only).toMatchObject({ property: "defaults.workersMax" });
    expect(others).toEqual([]);
  });

  test.each([
    [{ endpoints: {}, adoptId: "x" }, "adoptId", "endpoints.<name>.adoptId"],
    [{ endpoints: { a: { templateId: "t", gpuIds: "ADA_24" } }, released: ["a"] }, "released", "still a member"],
    [{ endpoints: { __a: { templateId: "t", gpuIds: "ADA_24" } } }, "endpoints.__a", "is not a name for a member"],
    [
      { endpoints: { a: { templateId: "t", adoptId: "x" }, b: { templateId: "t", adoptId: "x" } } },
      "endpoints.b.adoptId",
      "is that of endpoints.a too",
    ],
    [{ endpoints: {}, replicas: 2 }, "replicas", "is not an argument here"],
  ])("refuses %j", async (args, property, reason) =>
    expect(await failuresOf(args)).toEqual([{ property, reason: expect.stringContaining(reason) }]),
  );

  test.each([
    ["a member's argument", { endpoints: { a: { templateId: UNKNOWN, gpuIds: UNKNOWN } } }],
    ["a member's template beside an image", { endpoints: { a: { ...withImage, templateId: UNKNOWN } } }],
    ["a member's image beside a template", { endpoints: { a: { templateId: "t", image: UNKNOWN, gpuIds: "ADA_24" } } }],
    ["a member", { endpoints: { ...{ a: UNKNOWN } } }],
    ["the defaults", { endpoints: { a: {} }, defaults: UNKNOWN }],
  ])("passes %s that isn't known yet, and the preview shows a change", async (_, args) => {
    const fleet = await createFleet({ endpoints: members(1) });
    expect(await previewOf(fleet, args)).toMatchObject({ changes: true, replaces: [] });
  });

  test("says which members are not known yet, and takes none for gone where nothing is known of them", async () => {
    const fleet = await createFleet({ endpoints: members(1) });
    expect(await previewOf(fleet, { endpoints: UNKNOWN })).toMatchObject({ changes: true, differences: [] });
    expect(said.infos).toEqual([]);
    const plan = await previewOf(fleet, { endpoints: { m0: UNKNOWN, a: UNKNOWN } });
    expect(plan).toMatchObject({ changes: true, differences: [] });
    expect(said.infos).toEqual(["ServerlessFleet models: endpoints.a: isn't known yet; endpoints.m0: isn't known yet"]);
  });

  test("takes a member as it was recorded, which is what ignoreChanges makes of it", async () => {
    const member = { image: "example.com/a:1", gpuIds: "ADA_24", args: "--hunter2", __secrets: ["args"] };
    const fleet = await createFleet({ endpoints: { ...members(1), own: member } });
    const { own: recorded } = fleet.inputs.endpoints as Record<string, Properties>;
    await previewOf(fleet, { endpoints: { ...members(2), own: recorded } });
    expect(said.infos).toEqual(["ServerlessFleet models: endpoints.m1: is new"]);
  });

  test("takes null for a member that is left out", async () => {
    const fleet = await createFleet({ endpoints: { ...members(1), none: null }, released: ["none"] });
    expect(Object.keys(idsOf(fleet))).toEqual(["m0"]);
    expect(fleet.inputs.endpoints).not.toHaveProperty("none");
  });
});

test("a preview of a change knows what stays: ids of all members, and revisions of those that don't change", async () => {
  const fleet = await createFleet({ endpoints: { ...members(2), own: withImage } });
  const next = { ...members(3), own: withImage, m1: plain({ idleTimeout: 60 }) };
  const { run, inputs } = await previewOf(fleet, { endpoints: next });
  const { templateIds } = fleet.state;
  expect(await run.preview(fleet.state, inputs)).toMatchObject({
    ids: { ...idsOf(fleet), m2: UNKNOWN },
    revisions: { m0: 1, m1: UNKNOWN, m2: UNKNOWN, own: 1 },
    requestUrls: { m0: urls(idsOf(fleet).m0), m2: UNKNOWN },
    templateIds: { own: Object(templateIds).own },
  });
  expect(await run.preview(undefined, inputs)).toMatchObject({ ids: { m0: UNKNOWN, own: UNKNOWN } });
  const replacing = await previewOf(fleet, { endpoints: { ...members(2), own: withImage, m1: balancer() } }, run);
  const expected = { ids: { m0: idsOf(fleet).m0, m1: UNKNOWN }, requestUrls: { m1: UNKNOWN } };
  expect(await run.preview(fleet.state, replacing.inputs)).toMatchObject(expected);
  const nothing = await run.preview(undefined, { ...inputs, endpoints: UNKNOWN });
  expect(nothing).toMatchObject({ ids: UNKNOWN, requestUrls: UNKNOWN });
  await expect(run.readById("fleet-1")).rejects.toThrow("adoptId");
  expect(await run.list()).toEqual([]);
});

describe("what was changed elsewhere", () => {
  test("shows at the member's path, and is put back in one call", async () => {
    const fleet = await createFleet({ endpoints: members(3, { workersMax: 3, flashBootType: "OFF" }) });
    const { m1 = "" } = idsOf(fleet);
    const other = { name: "renamed", gpuIds: "AMPERE_16", locations: "EU-RO-1", idleTimeout: 20, workersMax: 5 };
    await service.saveEndpoint({ id: m1, templateId, ...other });
    const run = newRun();
    const read = await run.read(fleet.id, fleet.state);
    expect(memberOf(read, "m1")).toMatchObject(other);
    expect((read.inputs.endpoints as Properties).m1).toMatchObject(other);
    expect(memberOf(read, "m0")).toEqual(memberOf(fleet, "m0"));
    await service.forgetCalls();
    const mended = await up({ ...fleet, ...read }, { endpoints: members(3, { workersMax: 3, flashBootType: "OFF" }) });
    expect(await service.count("saveEndpoint")).toBe(1);
    // A name that nobody declared is as good as another.
    expect(memberOf(mended, "m1")).toEqual({ ...memberOf(fleet, "m1"), name: "renamed" });
  });

  test("is created again where it is gone, and nothing else", async () => {
    const fleet = await createFleet({ endpoints: members(3) });
    await service.removed(`/v2/serverless/${idsOf(fleet).m1}`);
    const read = await newRun().read(fleet.id, fleet.state);
    expect(Object.keys(idsOf(read))).toEqual(["m0", "m2"]);
    expect(Object.keys(read.inputs.endpoints as Properties)).toEqual(["m0", "m2"]);
    expect(Object.keys(read.state.endpoints as Properties)).toEqual(["m0", "m2"]);
    const again = await up({ ...fleet, ...read }, { endpoints: members(3) });
    expect(idsOf(again)).toMatchObject({ m0: idsOf(fleet).m0, m2: idsOf(fleet).m2 });
    expect(await live()).toHaveLength(3);
  });

  test("leaves a template that the fleet goes on with: nobody is told to delete it", async () => {
    const fleet = await createFleet({ endpoints: { own: withImage } });
    await service.settings({ restDeletesTemplate: "never" });
    await service.removed(`/v2/serverless/${idsOf(fleet).own}`);
    await service.settings({ restDeletesTemplate: "unlessUsed" });
    const read = await newRun().read(fleet.id, fleet.state);
    // On another machine.
    ledger = new Ledger({ folder: folder.at("another") });
    await up({ ...fleet, ...read }, { endpoints: { own: withImage } });
    expect(said.atEnd).not.toEqual([]);
    expect(said.atEnd.flatMap((warning) => warning() ?? [])).toEqual([]);
    expect((await service.state()).templates).toHaveLength(2);
  });
});

describe("a member with an image of its own", () => {
  const one = { image: "example.com/a:1", gpuIds: "ADA_24", env: { MODE: "a" } };
  const templates = async () => (await service.state()).templates.filter(({ id }) => id !== templateId);

  test("gets a template, whose changes reach the endpoint, and which goes with it", async () => {
    const fleet = await createFleet({ endpoints: { one, ...members(1) } });
    const [template] = await templates();
    expect(template).toMatchObject({ image: "example.com/a:1", serverless: true, env: { MODE: "a" } });
    expect(fleet.state).toMatchObject({ templateIds: { one: template?.id } });
    const read = await newRun().read(fleet.id, fleet.state);
    expect(read).toEqual({ state: fleet.state, inputs: fleet.inputs });

    await service.forgetCalls();
    const changed = await up(fleet, { endpoints: { one: { ...one, image: "example.com/a:2" }, ...members(1) } });
    expect(await service.calls()).toEqual(["updateTemplate", "saveEndpoint"]);
    expect(await service.rest("GET", `/v2/serverless/${idsOf(fleet).one}`)).toMatchObject({ image: "example.com/a:2" });
    expect(changed.state).toMatchObject({ ids: idsOf(fleet), revisions: { one: 2, m0: 1 } });

    await service.rest("PATCH", `/v2/templates/${template?.id}`, { image: "example.com/a:9" });
    const drifted = await newRun().read(changed.id, changed.state);
    expect(memberOf(drifted, "one")).toMatchObject({ image: "example.com/a:9" });
    const wanted = { one: { ...one, image: "example.com/a:2" }, ...members(1) };
    const mended = await up({ ...changed, ...drifted }, { endpoints: wanted });
    expect((await templates())[0]).toMatchObject({ image: "example.com/a:2" });

    const left = await up(mended, { endpoints: members(1) });
    expect(await templates()).toEqual([]);
    expect(left.state).toMatchObject({ ids: { m0: idsOf(fleet).m0 }, templateIds: {}, templates: {} });
  });

  // finds mutant secrets-in-differences
  test("whose argument is no secret any more is not told with what it was", async () => {
    const fleet = await createFleet({ endpoints: { one: { ...one, args: "--hunter2", __secrets: ["args"] } } });
    await up(fleet, { endpoints: { one: { ...one, args: "--verbose" } } });
    expect(said.infos).toEqual([expect.stringContaining("endpoints.one: args (secret)")]);
  });

  test("can change to a shared template and back, and stays the same endpoint", async () => {
    const fleet = await createFleet({ endpoints: { one } });
    const shared = await up(fleet, { endpoints: { one: plain() } });
    expect(idsOf(shared)).toEqual(idsOf(fleet));
    expect(await templates()).toEqual([]);
    const back = await up(shared, { endpoints: { one } });
    expect(idsOf(back)).toEqual(idsOf(fleet));
    expect(await live()).toEqual([expect.objectContaining({ templateId: (await templates())[0]?.id })]);
  });
});

describe("when a member fails", () => {
  test("the others are made and recorded, the error names it, and the next run makes just that one", async () => {
    const args = { endpoints: { ...members(60), bad } };
    const { id, inputs, state, reasons } = await partialFailure(args);
    expect(reasons).toEqual([expect.stringMatching(/^endpoints\.bad: .*saveEndpoint/)]);
    expect(Object.keys(state.ids as Properties)).toHaveLength(60);
    expect(state.endpoints).not.toHaveProperty("bad");

    await service.forgetCalls();
    const mended = await up({ id, inputs, state }, { endpoints: members(61) });
    expect((await service.calls()).filter((call) => call === "saveEndpoint")).toHaveLength(1);
    expect(idsOf(mended)).toMatchObject(state.ids as Properties);
    expect(await live()).toHaveLength(61);
  });

  test("its last state stays, and the next run tries again", async () => {
    const fleet = await createFleet({ endpoints: members(2) });
    await service.settings({ workerQuota: 8 });
    const wanted = { ...members(2), m1: plain({ workersMax: 9 }) };
    const { inputs, state } = await partialFailure({ endpoints: wanted }, fleet);
    expect(memberOf({ state }, "m1")).toEqual(memberOf(fleet, "m1"));
    await service.settings({ workerQuota: 1_000_000 });
    const after = await up({ ...fleet, inputs, state }, { endpoints: wanted });
    expect(memberOf(after, "m1")).toMatchObject({ workersMax: 9 });
  });

  test("at its template, its endpoint is not begun, and the others are made", async () => {
    await service.fault({ match: { operation: "createTemplate" }, act: { status: 403 } });
    const { state, reasons } = await partialFailure({ endpoints: { ...members(1), own: withImage } });
    expect(reasons).toEqual([expect.stringMatching(/^endpoints\.own: .*403/)]);
    expect(Object.keys(idsOf({ state }))).toEqual(["m0"]);
    expect(await live()).toHaveLength(1);
  });

  test("what was made beside it keeps its name, although the engine keeps the arguments before", async () => {
    const fleet = await createFleet({ endpoints: members(1) });
    const wanted = { endpoints: { ...members(1), own: withImage, bad } };
    const { state } = await partialFailure(wanted, fleet);
    const { own: name } = state.endpoints as Record<string, Properties>;
    const templates = (await service.state()).templates.map(({ name }) => name);
    await service.forgetCalls();
    const after = await up({ ...fleet, state }, { endpoints: { ...members(1), own: withImage } });
    expect(await service.count("saveEndpoint")).toBe(0);
    expect(said.warnings).toEqual([]);
    expect((await service.state()).templates.map(({ name }) => name)).toEqual(templates);

    // Elsewhere nothing but the state is known.
    folder.renew();
    await up({ ...fleet, state }, { endpoints: { ...members(1), own: withImage } });
    expect(await service.count("saveEndpoint")).toBe(0);
    expect(memberOf(after, "own").name).toBe(name?.name);
    // What bears the names that would be made up is the fleet's own: nobody is told to delete it.
    expect(said.atEnd).not.toEqual([]);
    expect(said.atEnd.flatMap((warning) => warning() ?? [])).toEqual([]);
    expect(said.warnings).toEqual([]);
  });

  test("between the end of its endpoint and the new one, its endpoint is recorded no more, and made by the next run", async () => {
    const fleet = await createFleet({ endpoints: members(1) });
    const wanted = { endpoints: { m0: balancer() } };
    const body = { title: "Bad Request", status: 400, detail: "no" };
    await service.fault({ match: { operation: "saveEndpoint", nth: 2 }, act: { status: 400, body } });
    const { inputs, state } = await partialFailure(wanted, fleet);
    expect(await live()).toEqual([]);
    expect(state.ids).toEqual({});
    await up({ ...fleet, inputs, state }, wanted);
    expect(await live()).toHaveLength(1);
  });

  test("and so does every other, nothing is recorded, and each is named", async () => {
    const run = newRun();
    const names = Array.from({ length: 30 }, (_, index) => `bad${index}`);
    const inputs = await checked(run, { endpoints: Object.fromEntries(names.map((name) => [name, bad])) });
    const error = await errorOf(run.create(inputs));
    expect(error).not.toBeInstanceOf(PartlyMadeError);
    const { message } = error;
    expect(names.filter((name) => !message.includes(name))).toEqual([]);
    expect(message).toContain("10 more members failed: bad20, bad21");
    expect(message.match(/endpoints\.bad\d+: /g)).toHaveLength(20);
    expect(await live()).toEqual([]);
  });

  test("in waiting for its workers, it is recorded, and the next run waits again", async () => {
    await service.settings({ workerColdStartMs: 3_600_000 });
    const awaited = plain({ workersMin: 1, awaitWorkers: true, createTimeout: "1s" });
    const args = { endpoints: { ...members(1), awaited } };
    const { id, inputs, state, reasons } = await partialFailure(args);
    expect(reasons).toEqual([expect.stringMatching(/^endpoints\.awaited: .*does not have 1 workers ready/)]);
    expect(Object.keys(state.ids as Properties).sort()).toEqual(["awaited", "m0"]);
    await service.advance(3_600_000);
    await service.settings({ workerColdStartMs: 0 });
    said.infos = [];
    const ready = await up({ id, inputs, state }, args);
    expect(said.infos).toEqual(["ServerlessFleet models: endpoints.awaited: was not finished"]);
    expect(idsOf(ready)).toEqual(state.ids);
    expect(memberOf(ready, "awaited")).not.toHaveProperty("__unfinished");
  });

  test("because the engine was told to stop, nothing more is begun", async () => {
    const run = newRun(AbortSignal.abort());
    const inputs = await checked(run, { endpoints: members(3) });
    await expect(run.create(inputs)).rejects.toThrow(/endpoints\.m2: The wait was interrupted/);
    expect(await live()).toEqual([]);
  });
});

describe("a run that was killed", () => {
  // Ages are trusted only where both clocks agree.
  const sameClock = () => newRun(undefined, new Place(emulator, service).sharedClock());

  test("before the engine heard of the fleet leaves members that the next run takes over", async () => {
    const fleet = await createFleet({ endpoints: { ...members(30), own: withImage } }, sameClock());
    const { templates } = await service.state();
    await service.forgetCalls();
    const again = await createFleet({ endpoints: { ...members(30), own: withImage } }, sameClock());
    expect(idsOf(again)).toEqual(idsOf(fleet));
    expect(said.warnings).toContainEqual(expect.stringContaining("was created by an interrupted run"));
    expect(await live()).toHaveLength(31);
    expect((await service.state()).templates).toHaveLength(templates.length);
    // What is left is looked for in lists that all members share.
    expect(await service.count("listEndpoints")).toBeLessThan(6);
  });

  test("is not looked after once the engine has recorded the fleet", async () => {
    const fleet = await createFleet({ endpoints: members(1) });
    await newRun().diff(fleet.id, fleet.state, fleet.inputs);
    const other = await createFleet({ endpoints: members(1) });
    expect(idsOf(other)).not.toEqual(idsOf(fleet));
    expect(await live()).toHaveLength(2);
  });
});

describe("the notes of a fleet's creates", () => {
  test("end although a member of a new fleet was refused, and so does its own", async () => {
    await partialFailure({ endpoints: { own: withImage, bad } });
    ledger.creates.close();
    expect(ledger.creates.all().size).toBe(0);
  });

  test("end after an update for the members that are new in it, and stay where one failed", async () => {
    const fleet = await createFleet({ endpoints: members(1) });
    const [seed = ""] = ledger.creates.all().keys();
    ledger.creates.close();
    // A create at the place of a member that is there already, and has nothing to do with this run.
    ledger.creates.begin(seed, { kind: "ServerlessEndpoint", name: "another", begun: Date.now(), before: [] });
    const wanted = { endpoints: { ...members(1), own: withImage } };
    await up(fleet, wanted);
    ledger.creates.close();
    expect([...ledger.creates.all().keys()]).toEqual([seed]);

    await partialFailure({ endpoints: { ...wanted.endpoints, second: withImage, bad } }, fleet);
    ledger.creates.close();
    const stem = (name: string) => name.replace(/-[0-9a-f]{7}$/, "");
    expect([...ledger.creates.all().values()].map(({ kind, name }) => `${kind} ${stem(name)}`)).toEqual(
      expect.arrayContaining(["ServerlessEndpoint models-second", "Template models-second"]),
    );
  });

  test("are not reported where the program declares the member of a killed run: it is taken over there", async () => {
    await createFleet({ endpoints: members(1) });
    const [[seed, note] = ["", undefined]] = ledger.creates.all();
    const killed = folder.at("killed");
    leave(killed, [{ ...note, process: 2 ** 30 }]);
    ledger = new Ledger({ folder: killed });
    expect([...ledger.creates.killed().keys()]).toEqual([seed]);
    await checked(newRun(), { endpoints: members(1) });
    expect(ledger.creates.killed().size).toBe(0);
  });
});

test("a fleet that can't be deleted whole names the members that are left, with the reason", async () => {
  const fleet = await createFleet({ endpoints: members(2) });
  await service.fault({ match: { operation: "deleteEndpoint", times: 1_000 }, act: { status: 400 } });
  await expect(newRun().delete(fleet.id, fleet.state)).rejects.toThrow(/^endpoints\.m0: .*\nendpoints\.m1: /);
  await service.clearFaults();
  await newRun().delete(fleet.id, fleet.state);
  expect(await live()).toEqual([]);
});

describe("a member moves", () => {
  test("to another name by its id, with its template, and nothing is called", async () => {
    const member = { image: "example.com/a:1", gpuIds: "ADA_24", env: { MODE: "a" } };
    const fleet = await createFleet({ endpoints: { ...members(2), own: member } });
    const { own: adoptId } = idsOf(fleet);
    const wanted = { endpoints: { ...members(2), renamed: { ...member, adoptId } } };
    const { run, inputs, differences } = await previewOf(fleet, wanted);
    expect(differences).toEqual([
      expect.objectContaining({ path: "endpoints.renamed", old: undefined, next: {} }),
      expect.objectContaining({ path: "endpoints.own", old: {}, next: undefined }),
    ]);
    expect(said.infos).toEqual(["ServerlessFleet models: endpoints.renamed: was endpoints.own"]);
    expect(await run.preview(fleet.state, inputs)).toMatchObject({ ids: { renamed: adoptId } });
    await service.forgetCalls();
    const state = await run.update(fleet.id, fleet.state, inputs);
    expect(await service.calls()).toEqual([]);
    const { templateIds } = fleet.state as { templateIds: Properties };
    expect(state).toMatchObject({ ids: { renamed: adoptId }, templateIds: { renamed: templateIds.own } });
    expect(Object.keys(idsOf({ state }))).toHaveLength(3);

    // Changes come with it, and a second run has nothing to do.
    const changed = { endpoints: { renamed: { ...member, env: { MODE: "b" }, adoptId } } };
    const after = await up({ ...fleet, state, inputs }, changed);
    expect(await live()).toHaveLength(1);
    expect((await newRun().diff(after.id, after.state, after.inputs)).changes).toBe(false);
  });

  test("to the place of another, which takes its own in turn", async () => {
    const fleet = await createFleet({ endpoints: members(2) });
    const { m0, m1 } = idsOf(fleet);
    const args = plain();
    const wanted = { endpoints: { m0: { ...args, adoptId: m1 }, m1: { ...args, adoptId: m0 } } };
    const { differences } = await previewOf(fleet, wanted);
    expect(differences.map(({ path, old, next }) => ({ path, old, next }))).toStrictEqual([
      { path: "endpoints.m0", old: {}, next: {} },
      { path: "endpoints.m1", old: {}, next: {} },
    ]);
    const swapped = await up(fleet, wanted);
    expect(idsOf(swapped)).toEqual({ m0: m1, m1: m0 });
    expect(await service.count("deleteEndpoint")).toBe(0);
  });

  test.each([
    ["stays a member", { m2: 0 }, /endpoints\.m2: adoptId is the id of endpoints\.m0, which is still a member/],
    ["takes the place of one that has its own", { m0: 1 }, /endpoints\.m0: .*adoptId names another ServerlessEndpoint/],
  ])("to no other name where it %s", async (_, adopting, message) => {
    const fleet = await createFleet({ endpoints: members(2) });
    const [name = "", index] = Object.entries(adopting)[0] ?? [];
    const args = plain();
    const adopted = { [name]: { ...args, adoptId: idsOf(fleet)[`m${index}`] } };
    const endpoints = { m0: args, ...(index === 0 && { m1: args }), ...adopted };
    await expect(previewOf(fleet, { endpoints })).rejects.toThrow(message);
  });

  // finds mutant released-member-deleted
  test("out of a fleet when it is released, and goes on running", async () => {
    const fleet = await createFleet({ endpoints: { ...members(2), own: withImage } });
    const before = await service.state();
    await service.forgetCalls();
    const left = await up(fleet, { endpoints: members(1), released: ["m1", "own"] });
    expect(await service.calls()).toEqual([]);
    expect(idsOf(left)).toEqual({ m0: idsOf(fleet).m0 });
    await newRun().delete(left.id, left.state);
    expect((await live()).map(({ id }) => id).sort()).toEqual([idsOf(fleet).m1, idsOf(fleet).own].sort());
    expect((await service.state()).templates).toEqual(before.templates);
  });
});
