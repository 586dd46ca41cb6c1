/* What happens to a resource, decided without a call to the service: what is refused, warned of, replaced and previewed. */
import { beforeEach, expect, test } from "@jest/globals";
import type { Context } from "../../provider/lifecycle/definition";
import { UNKNOWN } from "../../provider/lifecycle/fields/unknown";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { definitions } from "../../provider/resources";
import { contextOf, NOWHERE, withMessages } from "../harness/context";

const { networkVolume, pod, registry, serverlessEndpoint, smokeJob, template } = definitions;

const VOLUME = { name: "models", size: 100, dataCenter: "EU-RO-1" };

const MOVED = { dataCenter: "US-KS-2" };
const CREDENTIALS = { name: "images", username: "ci", password: "p" };
const TEMPLATE = { name: "chat", image: "example.com/chat:1" };

let warnings: string[];
let connect: () => Promise<Context>;
let volumes: Lifecycle;
let templates: Lifecycle;
beforeEach(() => {
  const { context, said } = withMessages(contextOf(NOWHERE));
  const settings = { ...context.settings, catalogChecks: false };
  [warnings, connect] = [said, async () => ({ ...context, settings })];
  [volumes, templates] = [new Lifecycle(networkVolume, connect), new Lifecycle(template, connect)];
});

test("what was adopted is not replaced", async () => {
  const adopted = { ...VOLUME, adoptId: "v" };
  await expect(volumes.diff("v", adopted, { ...adopted, ...MOVED })).rejects.toThrow(
    'NetworkVolume "v": dataCenter can only change by a replacement, which would delete it, and it was adopted: remove ' +
      "adoptId to allow that.",
  );
  expect((await volumes.diff("v", adopted, { ...VOLUME, ...MOVED })).replaces).toEqual(["dataCenter"]);
});

test("what the option `import` takes over is not replaced in that run", async () => {
  const live = { id: "v", ...VOLUME, type: "STANDARD" as const };
  const volumes = new Lifecycle({ ...networkVolume, read: async () => live }, connect);
  const { inputs = {}, state = {} } = (await volumes.readById("v")) ?? {};
  const declared = { ...VOLUME, ...MOVED, __imported: true };
  expect((await volumes.diff("v", state, declared)).replaces).toEqual(["dataCenter"]);
  warnings.length = 0;
  await volumes.check(inputs, declared, undefined, "v");
  await expect(volumes.diff("v", state, declared)).rejects.toThrow(
    'NetworkVolume "v": can\'t be brought to these arguments in place: dataCenter "EU-RO-1" -> "US-KS-2". Declare these values ' +
      "as they are.",
  );
  expect(warnings).toEqual([]);
  expect(await volumes.diff("v", state, { ...declared, ...VOLUME, size: 200 })).toMatchObject({ changes: true });
});

test("a replacement that the engine decides on without a diff, as by replacementTrigger, is judged, too", async () => {
  const volume = { ...VOLUME, __seed: "a" };
  await volumes.check(volume, volume);
  await volumes.diff("v", volume, volume);
  await volumes.check({}, volume);
  await volumes.check({}, { ...volume, __seed: "b" });
  expect(warnings).toEqual([]);
  await volumes.check(volume, volume);
  await volumes.check({}, volume);
  const demand = "an option of the program asks for its replacement, which";
  expect(warnings).toEqual([expect.stringContaining(`NetworkVolume "models": ${demand} deletes its data.`)]);
  const pods = new Lifecycle(pod, connect);
  const locked = { name: "p", image: "a", gpu: { id: "NVIDIA L4" }, locked: true, __seed: "p" };
  await pods.check(locked, locked);
  await expect(pods.check({}, locked)).rejects.toThrow(`Pod "p": ${demand} would delete it, and it is locked`);
  const templates = new Lifecycle({ ...template, list: async () => [] }, connect);
  const named = { ...TEMPLATE, __seed: "t" };
  await templates.check(named, named);
  expect((await templates.check({}, named)).failures).toEqual([]);
});

test("another adoptId is refused, because it would delete this one", async () => {
  const refused = 'NetworkVolume "v": adoptId names another NetworkVolume (w), and adopting it would delete this one.';
  await expect(volumes.diff("v", { ...VOLUME, adoptId: "v" }, { ...VOLUME, adoptId: "w" })).rejects.toThrow(refused);
  await expect(volumes.diff("v", VOLUME, { ...VOLUME, adoptId: "w" })).rejects.toThrow(refused);
  for (const [before, adoptId] of [
    [{ adoptId: "w" }, "w"],
    [{}, "v"],
    [{}, UNKNOWN],
  ] as const)
    expect(await volumes.diff("v", { ...VOLUME, ...before }, { ...VOLUME, adoptId })).toMatchObject({ changes: false });
});

test("a kind's own refusal is about changes in place", async () => {
  const pods = new Lifecycle(pod, connect);
  const running = { name: "p", image: "a", gpu: { id: "NVIDIA L4" }, locked: true, desiredStatus: "RUNNING" };
  const stopped = { ...running, desiredStatus: "EXITED" };
  await expect(pods.diff("p", running, stopped)).rejects.toThrow(
    'Pod "p": desiredStatus: a locked pod can\'t be stopped.',
  );
});

test("storage leaves no template whose name can't be given twice", async () => {
  const stored = { ...TEMPLATE, mounts: { persistent: { size: 20, path: "/data" } } };
  await expect(templates.diff("t", { ...stored, revision: 1 }, { ...TEMPLATE, mounts: {} })).rejects.toThrow(
    "mounts.persistent can only change by a replacement, which would delete it, and a second one can't have its name " +
      '"chat"',
  );
});

test("drift that only a replacement could undo is told, left, and accepted once it is declared", async () => {
  const live = { id: "v", ...VOLUME, ...MOVED, type: "STANDARD" as const };
  const volumes = new Lifecycle({ ...networkVolume, read: async () => live }, connect);
  const before = await volumes.read("v", { ...VOLUME, type: "STANDARD" });
  expect(before?.inputs).toEqual(VOLUME);
  const state = before?.state ?? {};
  expect(await volumes.diff("v", state, VOLUME)).toMatchObject({ changes: false, replaces: [] });
  expect(warnings).toEqual([
    'NetworkVolume "v" was changed outside of this program, and only a replacement could undo that: dataCenter "US-KS-2" -> ' +
      '"EU-RO-1". It is left as it is. Declare the present values to accept them, or replace the resource with ' +
      "`pulumi up --replace <urn>`.",
  ]);
  expect(await volumes.diff("v", state, { ...VOLUME, ...MOVED })).toMatchObject({ changes: true, replaces: [] });
  expect(warnings).toHaveLength(1);
});

test("a value without a default to go back to is kept, with a warning", async () => {
  const state = { ...TEMPLATE, disk: 30, revision: 1, __declared: { disk: 30 } };
  expect(await templates.diff("t", state, TEMPLATE)).toMatchObject({ changes: true, replaces: [] });
  expect(warnings).toEqual([
    'Template "t" keeps disk 30: the program no longer declares it, and the service documents no default to go back to. ' +
      "Declare the value that it should have.",
  ]);
  await templates.diff("t", state, { ...TEMPLATE, disk: 40 });
  const image = "example.com/chat:2";
  expect(
    (await templates.diff("t", state, { ...TEMPLATE, name: "other", image, __replaceOnChanges: ["image"] })).replaces,
  ).toContain("image");
  expect(warnings).toHaveLength(1);
});

test("what goes back to a documented value, and what is never sent, is not kept", async () => {
  const endpoint = { name: "chat", templateId: "t", gpuIds: "ADA_24", type: "QUEUE" };
  const endpoints = new Lifecycle(serverlessEndpoint, connect);
  const planned = await endpoints.diff("e", { ...endpoint, workersMax: 5, __declared: { workersMax: 5 } }, endpoint);
  expect(planned).toMatchObject({ changes: true, differences: [{ path: "workersMax", next: undefined }] });
  const job = { endpointId: "e", input: "{}" };
  const jobs = new Lifecycle(smokeJob, connect);
  await jobs.diff("j", { ...job, endpointRevision: 2, __declared: { endpointRevision: 2 } }, job);
  expect(warnings).toEqual([]);
});

test("an import is compared as a check would complete it", async () => {
  const live = { id: "t", ...TEMPLATE, env: { A: "1" }, disk: 20 };
  const templates = new Lifecycle({ ...template, read: async () => live }, connect);
  const { inputs = {}, state = {} } = (await templates.readById("t")) ?? {};
  expect(inputs).toHaveProperty("__unread");
  expect(await templates.diff("t", state, inputs)).toMatchObject({ changes: false });
  expect(await templates.diff("t", { ...TEMPLATE }, { ...TEMPLATE, image: "example.com/chat:2" })).toMatchObject({
    changes: true,
    differences: [{ path: "image", replaces: false }],
  });
});

const rotated = { username: "cd", __replaceOnChanges: ["username"] };
test.each([
  ["is replaced under its name is deleted first", rotated, ["username"], true],
  ["gets another name is deleted last", { name: "others" }, ["name"], false],
  ["gets a made-up name is deleted last", { ...rotated, __logicalName: "images" }, ["username"], false],
  ["changes in place is not deleted", { username: "cd" }, [], false],
])("in a kind with unique names, what %s", async (_, after, replaces, first) => {
  const registries = new Lifecycle(registry, connect);
  expect(await registries.diff("r", CREDENTIALS, { ...CREDENTIALS, ...after })).toMatchObject({
    changes: true,
    replaces,
    deleteBeforeReplace: first,
  });
});

test("in other kinds, a replacement is deleted first where the kind asks for it", async () => {
  const asking = new Lifecycle({ ...networkVolume, judge: () => ({ deletesFirst: true }) }, connect);
  const moved = { ...VOLUME, ...MOVED };
  expect(await volumes.diff("v", VOLUME, moved)).toMatchObject({ deleteBeforeReplace: false });
  expect(await asking.diff("v", VOLUME, moved)).toMatchObject({ deleteBeforeReplace: true });
  expect(await asking.diff("v", VOLUME, { ...VOLUME, size: 200 })).toMatchObject({ deleteBeforeReplace: false });
});

test("a preview shows what is known: arguments, what never changes, and the next revision", async () => {
  expect(await volumes.preview(undefined, VOLUME)).toEqual({ ...VOLUME, type: UNKNOWN });
  const larger = { ...VOLUME, size: 200 };
  expect(await volumes.preview({ ...VOLUME, type: "STANDARD" }, larger)).toEqual({ ...larger, type: "STANDARD" });
  const state = { ...TEMPLATE, disk: 20, revision: 3 };
  expect(await templates.preview(undefined, TEMPLATE)).toEqual({ ...TEMPLATE, disk: UNKNOWN, revision: 1 });
  expect(await templates.preview(state, TEMPLATE)).toEqual({ ...TEMPLATE, disk: UNKNOWN, revision: 3 });
  const changed = { ...TEMPLATE, image: "example.com/chat:2", disk: 30 };
  expect(await templates.preview(state, changed)).toEqual({ ...changed, revision: 4 });
});
