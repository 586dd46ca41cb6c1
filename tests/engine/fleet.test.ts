/*
 * A fleet of the four kinds that every deployment has, through its whole life on a real engine: one stack, one step
 * after another. What the provider did is read off the emulator's state and request log.
 */
import { describe, expect, test } from "@jest/globals";
import type { Program } from "../../tools/run/program";
import { emulatorForAll } from "../harness/account";
import { said, stackForAll } from "../harness/scenario";

const PASSWORD = "hunter2-registry";
const TOKEN = "hunter2-env";

/** The fleet with some of its arguments changed. */
function fleet(values: Record<string, unknown> = {}): Program {
  return `
    const { NetworkVolume, Registry, ServerlessEndpoint, Template } = require("pulumi-computecloud");
    const pulumi = require("@pulumi/pulumi");
    const values = ${JSON.stringify(values)};
    const images = new Registry("images", { username: "ci", password: pulumi.secret(${JSON.stringify(PASSWORD)}), ...values.registry });
    const models = new NetworkVolume("models", { size: 50, dataCenter: "EU-RO-1", ...values.volume });
    const template = new Template("chat", {
      image: "example.com/chat:1",
      serverless: true,
      registry: images.id,
      env: { TOKEN: ${JSON.stringify(TOKEN)}, MODE: "a" },
      ...values.template,
    });
    const endpoint = new ServerlessEndpoint("chat", {
      template,
      gpuIds: "ADA_24,AMPERE_24",
      networkVolumeId: models.id,
      workersMax: 2,
      ...values.endpoint,
    });
    exports.endpoint = endpoint.id;
    exports.run = endpoint.requestUrls.run;
    exports.names = [images.name, models.name, template.name, endpoint.name];
    exports.defaults = { idleTimeout: endpoint.idleTimeout, tier: models.type, disk: template.disk };
    exports.revision = endpoint.revision;
  `;
}

const { emulator, service } = emulatorForAll();
const stack = stackForAll(() => ({ program: fleet(), emulator }));

/** The calls of one step, without the catalog's, and without the one by which a run learns whose the key is. */
async function callsOf(step: () => Promise<unknown>): Promise<string[]> {
  await service.forgetCalls();
  await step();
  const calls = await service.calls();
  expect(calls.filter((operation) => operation === "getAccount").length).toBeLessThanOrEqual(1);
  return calls.filter((operation) => !/^(getAccount|list(GpuTypes|DataCenters|CpuTypes))$/.test(operation));
}

describe("a fleet", () => {
  test("is created with one call each, and named after its resources", async () => {
    const calls = await callsOf(() => stack.up());
    const creates = ["createNetworkVolume", "createRegistry", "createTemplate", "saveEndpoint"];
    expect(calls.filter((call) => !call.startsWith("list")).sort()).toEqual(creates);
    // One list a kind tells which made-up names are in use; two of the catalog judge all arguments.
    const lists = (await service.calls()).filter((call) => call.startsWith("list"));
    expect(new Set(lists).size).toBe(lists.length);
    expect(lists.length).toBeLessThanOrEqual(creates.length + 2);
    const { endpoint, run, names, defaults, revision } = await stack.outputs();
    expect(names).toEqual(
      [/^images-/, /^models-/, /^chat-/, /^chat-/].map((stem) =>
        expect.stringMatching(new RegExp(`${stem.source}[0-9a-f]{7}$`)),
      ),
    );
    expect(run).toBe(`${emulator.serverlessUrl}/v2/${endpoint}/run`);
    expect(defaults).toEqual({
      idleTimeout: 10,
      tier: expect.stringMatching(/STANDARD|HIGH_PERFORMANCE/),
      disk: expect.any(Number),
    });
    expect(revision).toBe(1);
    const { endpoints } = await service.state();
    expect(endpoints).toHaveLength(1);
  });

  test("keeps its state small, and its secrets out of state and event log", async () => {
    const events = (await stack.written()).get("events.json") ?? "";
    expect(events).toContain("ServerlessEndpoint");
    for (const text of [await stack.stateText(), events]) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(emulator.apiKey);
    }
    for (const { inputs = {} } of await stack.resources()) {
      expect(String(inputs.__provider)).toMatch(/^exports\.handler=/);
      expect(String(inputs.__provider).length).toBeLessThanOrEqual(100);
    }
    // Eight addresses follow from one.
    const { id, outputs } = (await stack.resources()).find(({ urn }) => urn.includes("ServerlessEndpoint::")) ?? {};
    expect(outputs?.requestUrls).toBe(`${emulator.serverlessUrl}/v2/${id}`);
  });

  test("is unchanged by a refresh, which reads every resource once, the endpoint over both interfaces", async () => {
    const calls = await callsOf(() => stack.refresh());
    // The endpoint's own template is looked at as well: a list, when that comes within the template's window.
    const reads = calls.filter((call) => call !== "listTemplates").sort();
    expect(reads).toEqual(["getEndpoint", "getNetworkVolume", "getRegistry", "getTemplate", "myself"]);
    expect(calls.length - reads.length).toBeLessThanOrEqual(1);
  });

  test("is updated in place, keeping its names, the endpoint always saved whole", async () => {
    const { names, endpoint } = await stack.outputs();
    await stack.edit(
      fleet({ volume: { size: 80 }, template: { env: { TOKEN, MODE: "b" } }, endpoint: { workersMax: 4 } }),
    );
    let changes: unknown;
    const calls = await callsOf(async () => {
      changes = (await stack.up()).changes;
    });
    expect(changes).toEqual({ update: 3, same: 1 });
    // The template is read for the variables that nobody declared.
    expect(calls.sort()).toEqual(["getTemplate", "saveEndpoint", "updateNetworkVolume", "updateTemplate"]);
    expect(await stack.outputs()).toMatchObject({ names, endpoint, revision: 2 });
    const state = await service.state();
    expect(state.networkVolumes[0]).toMatchObject({ size: 80 });
    expect(state.templates[0]).toMatchObject({ env: { TOKEN, MODE: "b" }, image: "example.com/chat:1" });
  });

  test("brings a change of the template to the endpoint in the same run", async () => {
    const revision = Number((await stack.outputs()).revision);
    await stack.edit(
      fleet({ volume: { size: 80 }, template: { image: "example.com/chat:2" }, endpoint: { workersMax: 4 } }),
    );
    // The template's environment changes too, and keeps what others have put there.
    expect(await callsOf(() => stack.up())).toEqual(["getTemplate", "updateTemplate", "saveEndpoint"]);
    expect(await stack.outputs()).toMatchObject({ revision: revision + 1 });
    const { id } = (await service.state()).endpoints[0] ?? { id: "" };
    expect(await service.rest("GET", `/v2/serverless/${id}`)).toMatchObject({ image: "example.com/chat:2" });
  });

  test("shows what was changed in the console, and repairs it with the next up", async () => {
    await stack.edit(fleet({ volume: { size: 80 } }));
    await stack.up();
    const { endpoints, templates } = await service.state();
    const endpoint = String(endpoints[0]?.id);
    await service.rest("PATCH", `/v2/serverless/${endpoint}`, { workers: { min: 1, max: 9, idleTimeout: 10 } });
    await service.rest("PATCH", `/v2/templates/${templates[0]?.id}`, {
      env: { TOKEN, MODE: "a", PUBLIC_KEY: "injected" },
    });
    const preview = await stack.preview({ args: ["--refresh"] });
    expect(
      preview.steps.filter(({ op }) => op === "update").map(({ name, type }) => [name, type.split(":").pop()]),
    ).toEqual([["chat", "ServerlessEndpoint"]]);
    expect((await stack.up({ args: ["--refresh"] })).changes).toEqual({ same: 3, update: 1 });
    const repaired = (await service.rest("GET", `/v2/serverless/${endpoint}`)) as { workers: unknown };
    expect(repaired.workers).toMatchObject({ min: 0, max: 2 });
  });

  test("makes anew what was deleted in the console", async () => {
    const { endpoints } = await service.state();
    await service.settings({ restDeletesTemplate: "never" });
    await service.removed(`/v2/serverless/${endpoints[0]?.id}`);
    const refresh = await stack.refresh();
    expect(refresh.changes).toEqual({ same: 3, delete: 1 });
    expect(said(refresh)).toContain(`ServerlessEndpoint "${endpoints[0]?.id}" was not found`);
    expect((await stack.up()).changes).toEqual({ same: 3, create: 1 });
    expect((await stack.outputs()).endpoint).not.toBe(endpoints[0]?.id);
  });

  test("replaces what can't change in place: create first under a fresh name, then delete", async () => {
    const before = await stack.outputs();
    await stack.edit(fleet({ volume: { size: 80 }, registry: { name: "other-registry" } }));
    const calls = await callsOf(async () => {
      expect((await stack.up()).changes).toMatchObject({ replace: 1, update: 2 });
    });
    expect(calls).toEqual(["listRegistries", "createRegistry", "updateTemplate", "saveEndpoint", "deleteRegistry"]);
    expect((await stack.outputs()).names).not.toEqual(before.names);
  });

  test("is destroyed with nothing left, the endpoint scaled to 0 workers first", async () => {
    const calls = await callsOf(() => stack.destroy());
    expect(calls.filter((call) => !call.startsWith("list"))).toEqual(
      expect.arrayContaining([
        "saveEndpoint+deleteEndpoint",
        "deleteTemplate",
        "deleteNetworkVolume",
        "deleteRegistry",
      ]),
    );
    expect(await service.isEmpty()).toBe(true);
    expect(await stack.resources()).toEqual([]);
  });
});
