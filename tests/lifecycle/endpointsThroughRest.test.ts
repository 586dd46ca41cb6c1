/* Endpoints that GraphQL has made go on over REST once it has ended: single ones, and the members of a fleet. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { readAccount } from "../../cli/adopt/account";
import { ContractError } from "../../client";
import type { Context } from "../../provider/lifecycle/definition";
import type { Properties } from "../../provider/lifecycle/fields/values";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { PartlyMadeError } from "../../provider/lifecycle/state/partlyMade";
import { Ledger, type LedgerOptions } from "../../provider/memory/ledger";
import { FleetLifecycle } from "../../provider/resources/fleet/fleetLifecycle";
import { serverlessContainer } from "../../provider/resources/serverless/serverlessContainer";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { template } from "../../provider/resources/serverless/template";
import { emulatorForAll } from "../harness/account";
import { checked, contextOf, createResource, up } from "../harness/context";
import { folderForEach } from "../harness/folder";
import { errorOf, until } from "../harness/until";

const __seed = "0123456789abcdef";
const DAY_MS = 86_400_000;
const BALANCER = { type: "LB", scalerType: "REQUEST_COUNT" };

const { emulator, service } = emulatorForAll({ settings: { rateLimitExempt: true, workerQuota: 1_000_000 } });
const folder = folderForEach();
let templateId: string;
let said: string[];
const runs: Context[] = [];
beforeEach(async () => {
  said = [];
  await service.settings({ graphqlEndsAt: null, restDeletesTemplate: "unlessUsed", restShowsCountries: "dataCenters" });
  templateId = await service.create("/v2/templates", { name: "shared", image: "example.com/a:1", serverless: true });
});
afterEach(async () => {
  await Promise.all(runs.splice(0).map(({ client }) => client.close()));
  await service.setState({ ...(await service.state()), endpoints: [], templates: [] });
});

const end = async () => {
  await service.settings({ graphqlEndsAt: new Date(Date.now() - DAY_MS).toISOString() });
  await service.forgetCalls();
};
const live = async () => (await service.state()).endpoints;
const images = async () => (await live()).map(({ image }) => image);

/** What a process that the engine starts knows. */
function newRun(of: LedgerOptions = {}) {
  const silent = contextOf(emulator, { readWindowMs: 2_000 }, folder.path);
  const tell = (text: string) => void said.push(text);
  const ledger = new Ledger({ folder: folder.path, ...of });
  const context: Context = { ...silent, ledger, log: { status: () => {}, warn: tell, info: tell, atEnd: () => {} } };
  runs.push(context);
  const connect = async () => context;
  return {
    context,
    endpoint: new Lifecycle(serverlessEndpoint, connect),
    container: new Lifecycle(serverlessContainer, connect),
    template: new Lifecycle(template, connect),
    fleet: new FleetLifecycle(connect),
  };
}

describe("a single endpoint", () => {
  const templateArgs = { __seed: "fedcba9876543210", name: "own", image: "example.com/a:1", serverless: true };
  const endpointOf = (args: Properties = {}) => ({
    ...{ __seed, name: "chat", gpuIds: "ADA_24,AMPERE_16" },
    templateId,
    ...args,
  });

  test.each(["dataCenters", "none"] as const)(
    "is read and changed as it was, countries included, and shows no difference in either direction (%s)",
    async (restShowsCountries) => {
      await service.settings({ restShowsCountries });
      const before = newRun().endpoint;
      const places = { locations: "RO,US", idleTimeout: 20 };
      const created = await createResource(before, endpointOf(places));
      expect(said).toEqual([expect.stringContaining('ServerlessEndpoint "chat" needs GraphQL')]);
      await end();
      const run = newRun().endpoint;
      expect(await run.read(created.id, created.state)).toEqual({ inputs: created.inputs, state: created.state });
      const changed = await up(run, created, endpointOf({ ...places, workersMax: 5, flashBootType: "FLASHBOOT" }));
      const { workersMax, flashBootType, locations, revision } = changed.state;
      expect([workersMax, flashBootType, locations, revision]).toEqual([5, "FLASHBOOT", "RO,US", 2]);
      expect(await live()).toMatchObject([
        { id: created.id, locations: "RO,US", workers: { max: 5, idleTimeout: 20 } },
      ]);
      expect((await service.calls()).filter((call) => call === "updateEndpoint")).toHaveLength(1);

      await service.settings({ graphqlEndsAt: null });
      const again = newRun().endpoint;
      expect(await again.read(created.id, changed.state)).toEqual({ inputs: changed.inputs, state: changed.state });
    },
  );

  test("tells in the preview what REST does otherwise: a template that is copied, an idle timeout that is not sent", async () => {
    const byRequests = { scalerType: "REQUEST_COUNT", scalerValue: 4 };
    const created = await createResource(newRun().endpoint, endpointOf(byRequests));
    const other = await service.create("/v2/templates", { name: "other", image: "example.com/b:1", serverless: true });
    await end();
    const { context, endpoint } = newRun();
    await context.client.endpoints.list();
    said = [];
    await checked(endpoint, endpointOf(byRequests), created.inputs);
    expect(said).toEqual([]);
    await checked(endpoint, endpointOf({ ...byRequests, idleTimeout: 30, templateId: other }), created.inputs);
    expect(said).toEqual([
      expect.stringMatching(/idleTimeout has no effect/),
      expect.stringContaining(`that it is bound to (${templateId})`),
    ]);
  });

  test.each(["always", "never"] as const)(
    "keeps the template that it leaves until it is deleted itself, also in a later run (%s)",
    async (restDeletesTemplate) => {
      await service.settings({ restDeletesTemplate });
      const boundTemplate = await createResource(newRun().template, templateArgs);
      const created = await createResource(newRun().endpoint, endpointOf({ templateId: boundTemplate.id }));
      await end();
      const run = newRun();
      const moved = await up(run.endpoint, created, endpointOf({ templateId }));
      const again = newRun();
      const same = endpointOf({ templateId });
      expect((await up(again.endpoint, moved, same)).state).toBe(moved.state);
      const ofRun = { run: "127.0.0.1:4711" };
      expect((await up(newRun({ ...ofRun, process: 1 }).endpoint, moved, same)).state).toBe(moved.state);
      for (const { template } of [run, again, newRun(ofRun)])
        await template.delete(boundTemplate.id, boundTemplate.state);
      const stays = `Template ${boundTemplate.id} stays until ServerlessEndpoint chat is deleted, and goes with it`;
      expect(said.filter((text) => text.startsWith(stays))).toHaveLength(3);
      const next = newRun().endpoint;
      const read = await next.read(created.id, moved.state);
      expect(read?.state).toEqual(moved.state);
      await next.delete(created.id, read?.state ?? {});
      expect((await service.state()).templates.map(({ id }) => id)).toEqual([templateId]);
    },
  );

  test("is refused other countries in the preview, and takes data centers in their place", async () => {
    const created = await createResource(newRun().endpoint, endpointOf({ locations: "US" }));
    await end();
    const { context, endpoint } = newRun();
    await context.client.endpoints.list();
    const reason = expect.stringMatching(/names countries \(RO\).*List data centers/);
    const refusal = { property: "locations", reason };
    const other = endpointOf({ locations: "RO" });
    expect((await endpoint.check(created.inputs, other)).failures).toEqual([refusal]);
    expect((await endpoint.check({}, { ...other, name: "embed" })).failures).toEqual([refusal]);
    await up(endpoint, created, endpointOf({ locations: "EU-RO-1" }));
    expect(await live()).toMatchObject([{ dataCenterIds: ["EU-RO-1"] }]);
  });

  test("takes over what its template says, and what its place in a refresh was found to lack", async () => {
    const created = await createResource(newRun().endpoint, endpointOf());
    await end();
    await service.rest("PATCH", `/v2/templates/${templateId}`, { image: "example.com/a:2" });
    const run = newRun().endpoint;
    const read = await run.read(created.id, created.state);
    expect(read?.state).toMatchObject({ templateDrift: "image" });
    await up(run, { ...created, ...read }, endpointOf());
    expect(await images()).toEqual(["example.com/a:2"]);
  });

  test("is adopted with the template that is declared, whichever it was made from", async () => {
    const { id } = await createResource(newRun().endpoint, endpointOf());
    const other = await service.create("/v2/templates", { name: "other", image: "example.com/b:1", serverless: true });
    await end();
    await service.settings({ restPatchesTemplate: false });
    expect((await createResource(newRun().endpoint, endpointOf({ adoptId: id }))).id).toBe(id);
    expect(await service.calls()).not.toContain("updateEndpoint");
    await createResource(newRun().endpoint, endpointOf({ adoptId: id, templateId: other }));
    expect(await images()).toEqual(["example.com/b:1"]);
    await service.settings({ restPatchesTemplate: true });
  });

  test("is deleted with its workers at 0 first, and its template may be gone by then", async () => {
    const { template, endpoint } = newRun();
    const ownTemplate = await createResource(template, templateArgs);
    const created = await createResource(endpoint, endpointOf({ templateId: ownTemplate.id, workersMin: 1 }));
    await end();
    const run = newRun();
    await run.endpoint.delete(created.id, created.state);
    const writes = (await service.log()).filter(({ method, status }) => method !== "GET" && status < 300);
    expect(writes.map(({ operation }) => operation)).toEqual(["updateEndpoint", "deleteEndpoint"]);
    await run.template.delete(ownTemplate.id, ownTemplate.state);
    expect((await service.state()).templates.map(({ name }) => name)).toEqual(["shared"]);
    expect(said).toEqual([]);
  });

  test("of type LB has the addresses that REST shows, before and after the end of GraphQL", async () => {
    const base = (id: string) => `${emulator.serverlessUrl}/load-balancer/${id}`;
    const over = newRun().endpoint;
    const created = await createResource(over, endpointOf(BALANCER));
    const requestUrls = { base: base(created.id), health: `${base(created.id)}/ping` };
    expect(created.state.requestUrls).toEqual(requestUrls);
    const changed = await up(over, created, endpointOf({ ...BALANCER, workersMax: 5 }));
    expect(changed.state.requestUrls).toEqual(requestUrls);
    await end();
    expect(await newRun().endpoint.read(created.id, changed.state)).toMatchObject({ state: changed.state });
    const later = await createResource(newRun().endpoint, endpointOf({ ...BALANCER, name: "later" }));
    expect(later.state.requestUrls).toEqual({ base: base(later.id), health: `${base(later.id)}/ping` });
  });

  test("that can only be replaced says what goes with it", async () => {
    const created = await createResource(newRun().endpoint, endpointOf());
    await end();
    const { context, endpoint } = newRun();
    await context.client.endpoints.list();
    const balancer = await checked(endpoint, endpointOf(BALANCER), created.inputs);
    expect((await endpoint.diff(created.id, created.state, balancer)).replaces).toEqual(["type"]);
    expect(said).toEqual([expect.stringContaining(`which deletes its template ${templateId}, too`)]);
  });
});

test("an account is adopted without GraphQL: endpoints as containers, in which nothing differs", async () => {
  const { endpoint } = newRun();
  const created = await createResource(endpoint, { __seed, name: "chat", templateId, gpuIds: "ADA_24" });
  await end();
  const { context, container } = newRun();
  const resources = await readAccount(context);
  expect(resources.map(({ kind }) => kind)).toEqual(["Template", "ServerlessContainer"]);
  const [, one] = resources;
  expect(one?.id).toBe(created.id);
  await createResource(container, { ...one?.args, __seed, adoptId: created.id });
  expect(said).toContainEqual(`ServerlessContainer ${created.id} (chat) is adopted: nothing differs`);
});

test.each([
  ["changes over REST", true, ["updateRegistry"]],
  ["changes over GraphQL where REST can't change it", false, ["updateRegistry", "updateRegistryAuth"]],
])("a registry %s", async (_, restPatchesRegistries, calls) => {
  await service.settings({ restPatchesRegistries });
  const { client } = newRun().context;
  const { id } = await client.registries.create({ name: "hub", username: "ci", password: "hunter2" });
  await service.forgetCalls();
  expect(await client.registries.update(id, { username: "robot", password: "hunter3" })).toEqual({ id, name: "hub" });
  expect(await service.calls()).toEqual(calls);
  expect((await service.state()).registries).toMatchObject([{ id, username: "robot", password: "hunter3" }]);
  await client.registries.delete(id);
  await expect(client.registries.update(id, { username: "robot", password: "hunter4" })).rejects.toThrow();
  await service.settings({ restPatchesRegistries: true });
});

describe("a fleet of 50", () => {
  const image = "example.com/own:1";
  const fleetOfOne = (args: Properties = {}) => ({ __seed, endpoints: { own: { image, gpuIds: "ADA_24", ...args } } });
  const idsOf = ({ state }: { state: Properties }) => state.ids as Record<string, string>;
  const fleetOf = (args: Properties = {}, more: Properties = {}) => ({
    __seed,
    __logicalName: "models",
    endpoints: {
      ...Object.fromEntries(
        Array.from({ length: 49 }, (_, index) => [`m${index}`, { templateId, gpuIds: "ADA_24", ...args }]),
      ),
      own: { image, gpuIds: "ADA_24", ...more },
    },
  });

  test("is read with a handful of calls, updated and deleted, and nothing is left", async () => {
    const created = await createResource(newRun().fleet, fleetOf());
    await end();
    const run = newRun().fleet;
    expect(await run.read(created.id, created.state)).toEqual({ inputs: created.inputs, state: created.state });
    const calls = await service.calls();
    expect(calls.filter((call) => call === "listEndpoints")).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(5);
    const changed = await up(run, created, fleetOf({ workersMax: 2 }));
    expect((await live()).map(({ workers }) => workers)).toContainEqual(expect.objectContaining({ max: 2 }));
    expect(changed.state.ids).toEqual(created.state.ids);
    await newRun().fleet.delete(changed.id, changed.state);
    expect(await live()).toEqual([]);
    // The last member to go took the shared template along, which no resource here declares.
    expect((await service.state()).templates).toEqual([]);
    expect(said).toEqual([expect.stringContaining("workersMax 3 -> 2")]);
  });

  test("that ends in the middle of an update has each member changed once, by one interface or the other", async () => {
    const created = await createResource(newRun().fleet, fleetOf());
    await service.forgetCalls();
    await service.fault({ match: { operation: "saveEndpoint", nth: 2, times: 1 }, act: { delayMs: 300 } });
    const updating = up(newRun().fleet, created, fleetOf({ workersMax: 2 }));
    await until(async () => (await service.calls()).includes("saveEndpoint"));
    await service.settings({ graphqlEndsAt: new Date(Date.now() - DAY_MS).toISOString() });
    const changed = await updating;
    const maxima = (await live()).map(({ workers }) => (workers as { max: number }).max);
    expect(maxima.filter((max) => max === 2)).toHaveLength(49);
    expect((await live()).map(({ id }) => id).sort()).toEqual(Object.values(created.state.ids as object).sort());
    await service.clearFaults();
    await newRun().fleet.delete(changed.id, changed.state);
    expect(await live()).toEqual([]);
  });

  test.each(["always", "never"] as const)(
    "makes a member anew, and the template that it keeps for it where REST has deleted that (%s)",
    async (restDeletesTemplate) => {
      await service.settings({ restDeletesTemplate });
      const created = await createResource(newRun().fleet, fleetOf());
      await end();
      const run = newRun().fleet;
      const changed = await up(run, created, fleetOf({}, BALANCER));
      expect(idsOf(changed).own).not.toBe(idsOf(created).own);
      expect(await live()).toHaveLength(50);
      const { templateIds } = changed.state as { templateIds: { own: string } };
      expect(await service.rest("GET", `/v2/templates/${templateIds.own}`)).toMatchObject({ image });
      await service.forgetCalls();
      expect((await up(newRun().fleet, changed, fleetOf({}, BALANCER))).state).toBe(changed.state);
      await newRun().fleet.delete(changed.id, changed.state);
      expect(await live()).toEqual([]);
    },
  );

  test.each([
    ["countries", { locations: "RO,US" }, /locations names countries.*List data centers/],
    ["models", { models: ["https://huggingface.co/acme/chat:main"] }, /models is only known to GraphQL.*Leave it out/],
  ])("keeps a member with %s, which REST could delete and not create again", async (_, more, reason) => {
    const created = await createResource(newRun().fleet, fleetOfOne(more));
    await end();
    const { context, fleet } = newRun();
    await context.client.endpoints.list();
    await expect(up(fleet, created, fleetOfOne({ ...more, ...BALANCER }))).rejects.toThrow(reason);
    expect(await live()).toMatchObject([{ id: idsOf(created).own }]);
    await up(fleet, created, fleetOfOne(BALANCER));
    expect(await live()).toMatchObject([{ image, type: "LOAD_BALANCER" }]);
  });

  test("with a member that is replaced records the end of its endpoint, whatever then fails", async () => {
    const created = await createResource(newRun().fleet, fleetOfOne());
    await end();
    await service.fault({ match: { operation: "getTemplate" }, act: { status: 403 } });
    const failed = await errorOf(up(newRun().fleet, created, fleetOfOne(BALANCER)), PartlyMadeError);
    expect(failed.properties).toMatchObject({ ids: {}, templateIds: created.state.templateIds });
    expect(await live()).toEqual([]);
    await service.clearFaults();
    const left = { id: failed.id, inputs: created.inputs, state: failed.properties };
    const { state } = await up(newRun().fleet, left, fleetOfOne(BALANCER));
    expect(state.templateIds).not.toEqual(created.state.templateIds);
    expect(await live()).toHaveLength(1);
  });

  test("with a member that is replaced records its new template as that, if its answer can't be understood", async () => {
    const created = await createResource(newRun().fleet, fleetOfOne());
    await end();
    const { context, fleet } = newRun();
    const odd = new ContractError("the template's image is missing", { kind: "Template", id: "odd", path: "image" });
    jest.spyOn(context.client.templates, "create").mockRejectedValue(odd);
    expect(await errorOf(up(fleet, created, fleetOfOne(BALANCER)))).toMatchObject({
      properties: { ids: {}, templateIds: { own: "odd" } },
    });
  });

  test("with a member whose replacement takes the template of another along keeps that, and goes on with a new template", async () => {
    const two = (templateId: string, more: Properties = {}) => ({
      __seed,
      endpoints: { one: { templateId, gpuIds: "ADA_24", ...more }, two: { templateId, gpuIds: "ADA_24" } },
    });
    await service.settings({ restDeletesTemplate: "always" });
    const created = await createResource(newRun().fleet, two(templateId));
    await end();
    const failed = await errorOf(up(newRun().fleet, created, two(templateId, BALANCER)), PartlyMadeError);
    expect(failed.message).toMatch(/endpoints\.one: .*template not found/);
    expect(await live()).toMatchObject([{ id: idsOf(created).two }]);

    const id = await service.create("/v2/templates", { name: "shared", image: "example.com/a:1", serverless: true });
    const left = { id: failed.id, inputs: created.inputs, state: failed.properties };
    const changed = await up(newRun().fleet, left, two(id, BALANCER));
    expect(idsOf(changed)).toEqual({ one: expect.any(String), two: idsOf(created).two });
    expect(await live()).toHaveLength(2);
  });
});
