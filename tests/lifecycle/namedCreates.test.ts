/* Names that the stack or the program gives, and the notes of creates: what a kill leaves, who owns a name, and when notes end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { type ClientOptions, MayExistError } from "../../client";
import { ownMark, startOf } from "../../common/isRunning";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { InterruptedError } from "../../provider/lifecycle/make/wait";
import { Ledger } from "../../provider/memory/ledger";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { template } from "../../provider/resources/serverless/template";
import { networkVolume } from "../../provider/resources/storage/networkVolume";
import { contextOf, withMessages } from "../harness/context";
import { errorOf } from "../harness/errorOf";
import { folderForEach } from "../harness/folder";
import { emulatorForAll } from "../harness/forAll";
import { leave } from "../harness/ledger";
import { impatient } from "../harness/place";
import { until } from "../harness/until";

const SEED = "0123456789abcdef";
const OTHER_SEED = "fedcba9876543210";
const VOLUME = { size: 100, dataCenter: "EU-RO-1" };
const MODELS = { ...VOLUME, __seed: SEED, __logicalName: "models" };

const { emulator, service } = emulatorForAll();
const folder = folderForEach();
afterEach(async () => {
  await service.clearFaults();
  const { networkVolumes, templates } = await service.state();
  for (const { id } of networkVolumes) await service.rest("DELETE", `/v2/network-volumes/${id}`);
  for (const { id } of templates) await service.rest("DELETE", `/v2/templates/${id}`);
});

const within = (options: Partial<ClientOptions> = {}) => contextOf(emulator, options, folder.path);
const volumes = (context = within()) => new Lifecycle(networkVolume, async () => context);
const templates = (context = within()) => new Lifecycle(template, async () => context);
const volumeByHand = (name: string) => service.create("/v2/network-volumes", { ...VOLUME, name });
const templateByHand = (name: string) => service.create("/v2/templates", { name, image: "i" });
/** A note as a killed run leaves it. */
const noted = (name: string, kind = "NetworkVolume", before: string[] = [], aheadMs = 0) =>
  within().ledger.begin(SEED, { kind, name, begun: Date.now(), there: Date.now() + aheadMs, before });

describe("with the stack's autonaming", () => {
  test("a name that it enforces is the name, whatever a killed run had begun", async () => {
    noted("models-0000000");
    const { inputs } = await volumes().check({}, MODELS, { mode: "enforce", name: "exactly" });
    expect(inputs.name).toBe("exactly");
  });

  test("a name that it proposes is cut to the service's limit, and a killed run's goes before it", async () => {
    const proposed = { mode: "propose", name: "m".repeat(300) } as const;
    expect((await volumes().check({}, MODELS, proposed)).inputs.name).toBe("m".repeat(191));
    noted("models-0000000");
    expect((await volumes().check({}, MODELS, proposed)).inputs.name).toBe("models-0000000");
  });

  test("what is adopted gets no name", async () => {
    const { inputs } = await volumes().check({}, { ...MODELS, adoptId: "abc" }, { mode: "enforce", name: "exactly" });
    expect(inputs.name).toBeUndefined();
  });
});

describe("a name that is unique in the account", () => {
  const CHAT = { name: "chat", image: "i", __seed: SEED };
  interface Checking {
    check(old: object, args: object): Promise<{ failures: readonly { reason: string }[] }>;
  }
  const reasons = async (run: Checking, old: object, args: object) =>
    (await run.check({ ...old }, { ...args })).failures.map(({ reason }) => reason);

  test("is refused at a second place of the program, and not at its own", async () => {
    const run = templates();
    expect(await reasons(run, {}, CHAT)).toEqual([]);
    expect(await reasons(run, {}, CHAT)).toEqual([]);
    expect(await reasons(run, {}, { ...CHAT, __seed: OTHER_SEED })).toEqual([
      expect.stringContaining('another Template of this program has the name "chat"'),
    ]);
  });

  test("is the resource's own if the state, or a killed run's note, has it there", async () => {
    await templateByHand("chat");
    expect(await reasons(templates(), {}, CHAT)).toHaveLength(1);
    expect(await reasons(templates(), CHAT, CHAT)).toEqual([]);
    // On a replacement the engine asks a second time, after the diff, without the old state.
    const replacing = templates();
    await reasons(replacing, CHAT, CHAT);
    await replacing.diff("chat", CHAT, CHAT);
    expect(await reasons(replacing, {}, CHAT)).toEqual([]);
    noted("chat", "Template");
    expect(await reasons(templates(), {}, CHAT)).toEqual([]);
  });

  test("is available to what adopts its owner", async () => {
    const adoptId = await templateByHand("chat");
    expect(await reasons(templates(), {}, { ...CHAT, adoptId })).toEqual([]);
  });

  test("is checked for such kinds alone", async () => {
    await volumeByHand("data");
    const args = { ...VOLUME, name: "data", __seed: SEED };
    const run = volumes();
    expect(await reasons(run, {}, args)).toEqual([]);
    expect(await reasons(run, {}, { ...args, __seed: OTHER_SEED })).toEqual([]);
  });

  test.each([
    ["of another kind", 403, "chat"],
    ["that no list explains", 409, "free"],
  ])("a refusal %s is told as it is", async (_, status, name) => {
    await templateByHand("chat");
    await service.fault({ match: { operation: "createTemplate" }, act: { status } });
    await expect(templates().create({ ...CHAT, name })).rejects.toMatchObject({ status });
  });

  test("a conflict over a name that others share is told as it is", async () => {
    await volumeByHand("data");
    await service.fault({ match: { operation: "createNetworkVolume" }, act: { status: 409 } });
    await expect(volumes().create({ ...VOLUME, name: "data", __seed: SEED })).rejects.toMatchObject({ status: 409 });
  });

  test.each([400, 409])("a %i over a name in use names its owner, and keeps the refusal as cause", async (status) => {
    await templateByHand("other");
    const id = await templateByHand("chat");
    await service.fault({ match: { operation: "createTemplate" }, act: { status } });
    await expect(templates().create(CHAT)).rejects.toMatchObject({
      message: expect.stringContaining(`adoptId: "${id}"`),
      cause: expect.objectContaining({ status }),
    });
  });
});

test("what another run is creating at the same place is an error before any call, and none once that run has ended", async () => {
  const other = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  await once(other, "spawn");
  // This run listed the notes before the other one wrote its own.
  const run = volumes();
  const args = { ...VOLUME, name: "data", __seed: SEED };
  await run.check({}, { ...args });
  const note = { kind: "NetworkVolume", name: "data", begun: Date.now() - 3_600_000, before: [] };
  const mark = { ...ownMark(), process: other.pid, started: startOf(Number(other.pid)) };
  leave(folder.path, [{ is: "creating", place: SEED, ...note }], mark);
  await service.forgetCalls();
  await expect(run.create(args)).rejects.toThrow(`process ${other.pid}) is creating NetworkVolume "data"`);
  expect(await service.calls()).toEqual([]);
  const created = run.create(args);
  other.kill();
  await created;
  expect((await service.state()).networkVolumes).toHaveLength(1);
});

// finds mutant ended-second-run
test("what a run that has ended since created at the same place is an error before any call, and the next run's to adopt", async () => {
  const args = { ...VOLUME, name: "data", __seed: SEED };
  const run = volumes();
  await run.check({}, { ...args });
  const note = { kind: "NetworkVolume", name: "data", begun: Date.now(), before: [] };
  leave(folder.path, [
    { is: "creating", place: SEED, ...note },
    { is: "settled", place: SEED, made: true },
  ]);
  const id = await volumeByHand("data");
  await expect(run.create(args)).rejects.toThrow('is creating NetworkVolume "data" now, or has just created it');
  expect((await volumes().create(args)).id).toBe(id);
  expect((await service.state()).networkVolumes).toHaveLength(1);
});

describe("what a killed run may have created", () => {
  const named = { ...VOLUME, name: "data", __seed: SEED };

  test("is not chosen among several, nor by what is left of them: the error names all that are there", async () => {
    noted("data");
    const [one, other] = [await volumeByHand("data"), await volumeByHand("data")];
    await expect(volumes().create(named)).rejects.toThrow(
      `it is not certain that ${one} or ${other} is what it made. If one of them is this resource, set adoptId, such as ` +
        `adoptId: "${one}"; if not, choose another name.`,
    );
    await service.rest("DELETE", `/v2/network-volumes/${one}`);
    await expect(volumes().create(named)).rejects.toThrow(`it is not certain that ${other} is what it made`);
    expect((await service.state()).networkVolumes.map(({ id }) => id)).toEqual([other]);
  });

  test("is not chosen by its age where the service's clock was hours ahead", async () => {
    noted("data", "NetworkVolume", [], 108_000_000);
    const id = await volumeByHand("data");
    await expect(volumes().create(named)).rejects.toThrow(
      `it is not certain that ${id} is what it made (the service's clock and this machine's are 30 h apart, so`,
    );
    expect((await service.state()).networkVolumes).toHaveLength(1);
  });

  test.each([
    ["another kind", "data", "GlobalVolume"],
    ["another name", "other", "NetworkVolume"],
  ])("is not looked for under a note of %s", async (_, name, kind) => {
    noted(name, kind);
    const id = await volumeByHand(name);
    await volumeByHand("data");
    const created = await volumes().create(named);
    expect(created.id).not.toBe(id);
    expect((await service.state()).networkVolumes).toHaveLength(3);
  });

  test("is waited for no longer once the engine is told to stop", async () => {
    noted("data");
    const engine = new AbortController();
    const { context, said } = withMessages({ ...within(), signal: engine.signal }, ["status"]);
    const created = errorOf(volumes(context).create(named), InterruptedError);
    await until(() => said.join().includes("NetworkVolume data: "));
    engine.abort();
    await created;
    expect((await service.state()).networkVolumes).toEqual([]);
  });

  test("is listed again after a list that failed", async () => {
    const run = volumes();
    await service.fault({ match: { operation: "listNetworkVolumes", times: 1 }, act: { status: 403 } });
    await expect(run.check({}, MODELS)).rejects.toThrow("403");
    expect((await run.check({}, MODELS)).inputs.name).toMatch(/^models-/);
  });

  test("under the name that a place would get is warned of once", async () => {
    const { inputs } = await volumes().check({}, MODELS);
    await volumeByHand(String(inputs.name));
    const last: unknown[] = [];
    const silent = within();
    const run = volumes({ ...silent, log: { ...silent.log, atEnd: (each) => last.push(each) } });
    await run.check({}, MODELS);
    await run.check({}, MODELS);
    expect(last).toHaveLength(1);
  });
});

describe("the note of a create", () => {
  const begun = { kind: "NetworkVolume", name: "data", begun: 1, before: [] };
  const ledger = (host?: "native") => new Ledger({ folder: folder.path, ...(host && { host }) });
  afterEach(() => {
    jest.useRealTimers();
  });

  test("is not written without a place, nor by an answer that was lost after its end", async () => {
    await volumes().create({ ...VOLUME, name: "data" });
    ledger().answerLost(SEED, new Date());
    expect(ledger().creates().size).toBe(0);
  });

  const ENDPOINT = { gpuIds: "ADA_24", templateId: "unknown", workersMax: 1, flashBootType: "OFF" };
  test.each<[string, Partial<ClientOptions>, number]>([
    ["over GraphQL", {}, 1],
    ["over GraphQL, of several in one document", {}, 3],
    ["over REST", { endpointsThrough: "rest" }, 1],
  ])("is not left by a refusal %s", async (_, options, count) => {
    const context = within(options);
    const endpoints = new Lifecycle(serverlessEndpoint, async () => context);
    const seeds = Array.from({ length: count }, (_, index) => `${SEED}${index}`);
    const ended = await Promise.allSettled(
      seeds.map((__seed) => endpoints.create({ ...ENDPOINT, name: `chat-${__seed}`, __seed })),
    );
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(ledger().creates().size).toBe(0);
  });

  test("stays after an answer of GraphQL that does not say whether it was done", async () => {
    const body = { errors: [{ message: "failed", extensions: { code: "INTERNAL_SERVER_ERROR" } }] };
    await service.fault({ match: { operation: "saveEndpoint" }, act: { status: 200, body } });
    const clock = impatient();
    const context = within({ clock });
    const endpoints = new Lifecycle(serverlessEndpoint, async () => context);
    await expect(endpoints.create({ ...ENDPOINT, name: "chat", __seed: SEED })).rejects.toThrow(MayExistError);
    expect(ledger().creates().size).toBe(1);
  });

  test("is the plugin's where the plugin wrote it", () => {
    ledger("native").begin(SEED, begun);
    ledger().begin(OTHER_SEED, begun);
    expect(ledger().createAt(SEED)).toMatchObject({ ...begun, process: process.pid, native: true });
    expect(ledger().createAt(OTHER_SEED)).toMatchObject({ ...begun, ...ownMark() });
    expect(ledger().createAt(OTHER_SEED)).not.toHaveProperty("native");
  });

  test("ends some time after the engine got the answer, unless the place is created again by then", () => {
    jest.useFakeTimers();
    const run = ledger();
    run.begin(SEED, begun);
    run.answered(SEED);
    run.begin(OTHER_SEED, begun);
    run.answered(OTHER_SEED);
    run.begin(OTHER_SEED, begun);
    expect(run.createAt(SEED)).toBeDefined();
    jest.advanceTimersByTime(3_600_000);
    expect([run.createAt(SEED), run.createAt(OTHER_SEED)]).toEqual([undefined, expect.objectContaining(begun)]);
    // A second answer starts the time anew.
    run.answered(OTHER_SEED);
    jest.advanceTimersByTime(1);
    run.answered(OTHER_SEED);
    expect(jest.getTimerCount()).toBe(1);
    run.close();
    expect([run.createAt(OTHER_SEED), jest.getTimerCount()]).toEqual([undefined, 0]);
  });

  test("ends once the state holds a resource of its name that was not there before", () => {
    const run = ledger();
    run.begin(SEED, begun);
    run.createRecorded(SEED, "other");
    expect(run.createAt(SEED)).toBeDefined();
    run.createRecorded(SEED, "data");
    expect(run.createAt(SEED)).toBeUndefined();
    run.begin(SEED, { ...begun, before: ["old"] });
    run.createRecorded(SEED, "data");
    expect(run.createAt(SEED)).toBeDefined();
  });
});
