import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { connect } from "../../provider/engine/connect";
import type { Context } from "../../provider/lifecycle/definition";
import { Lifecycle } from "../../provider/lifecycle/lifecycle";
import { Ledger } from "../../provider/memory/ledger";
import { deleteEndpoint } from "../../provider/resources/serverless/deleteEndpoint";
import { serverlessEndpoint } from "../../provider/resources/serverless/serverlessEndpoint";
import { Control } from "../../tools/run/control";
import { emulatorForAll, openAccount } from "../harness/account";
import { contextOf, withMessages } from "../harness/context";
import { ENDED, folderForEach } from "../harness/folder";
import { impatient } from "../harness/place";
import { errorOf, until } from "../harness/until";

const HOUR = 3_600_000;
const BUSY = { EMULATOR_HANDLER: "delay", EMULATOR_DELAY_MS: String(HOUR) };

const folder = folderForEach();

test.each(["graphql", "rest"] as const)(
  "over %s an endpoint that stays busy is not deleted: the error says which, why, and the way out",
  async (endpointsThrough) => {
    await using emulator = await openAccount({}, "running");
    const service = new Control(emulator);
    const body = { name: "busy", image: "example.com/busy:1", serverless: true, env: BUSY };
    const templateId = await service.create("/v2/templates", body);
    const id = await service.saveEndpoint({ name: "chat", gpuIds: "ADA_24", templateId, workersMax: 1 });
    const ledger = new Ledger({ folder: folder.path, process: ENDED });
    const context = { ...contextOf(emulator, { endpointsThrough }), ledger };
    const queue = context.client.queue(id);
    const [job] = [await queue.run({ input: { prompt: "hi" } }), await queue.run({ input: { prompt: "hi" } })];
    await service.advance(60_000);
    expect(await queue.status(job.id)).toMatchObject({ status: "IN_PROGRESS" });

    const recorded = { flashboot: "OFF", templateId: undefined } as const;
    const { message } = await errorOf(deleteEndpoint(context, id, recorded, 0), Error);
    expect(message).toContain(`ServerlessEndpoint chat (${id}) is scaled to 0, but 1 of its workers have not stopped`);
    expect(message).toContain("1 in progress, 1 queued. Cancel those jobs");
    expect(message).toContain(`computecloud purge ${id}`);
    expect(message).toContain("To keep it instead, declare it with its workersMax and run `pulumi up --refresh`");
    expect((await service.state()).endpoints).toEqual([
      expect.objectContaining({ id, workers: expect.objectContaining({ min: 0, max: 0 }) }),
    ]);

    // The next run keeps it after all. Without a call it knows what is to be done.
    const clock = impatient();
    const next = withMessages(contextOf(emulator, { endpointsThrough, clock }, folder.path), ["info"]);
    const run = new Lifecycle(serverlessEndpoint, async () => next.context);
    const args = { name: "chat", gpuIds: "ADA_24", templateId, workersMax: 1, idleTimeout: 10, flashBootType: "OFF" };
    const { inputs } = await run.check({ name: "chat" }, args);
    await service.forgetCalls();
    const planned = await run.diff(id, { ...inputs, revision: 1 }, inputs);
    expect(planned).toMatchObject({ changes: true, differences: [{ path: "workersMax", old: 0, next: 1 }] });
    expect(next.said).toEqual([
      expect.stringMatching(/was scaled to 0 workers by a run .*: an update gives it its workers/),
    ]);
    expect(await service.calls()).toEqual([]);
    await run.update(id, { ...inputs, revision: 1 }, inputs);
    expect(clock.waits).toHaveLength(1);
    expect((await service.state()).endpoints).toMatchObject([{ workers: { max: 1 } }]);
    expect((await run.diff(id, { ...inputs, revision: 2 }, inputs)).changes).toBe(false);

    await queue.purgeQueue();
    await queue.cancel(job.id);
    await deleteEndpoint(context, id, recorded);
    expect((await service.state()).endpoints).toEqual([]);
  },
);

describe("an endpoint over GraphQL", () => {
  const { emulator, service } = emulatorForAll();
  let context: Context;
  let statuses: string[];
  const RECORDED = { flashboot: "FLASHBOOT", templateId: undefined } as const;
  beforeAll(async () => {
    ({ context, said: statuses } = withMessages(contextOf(emulator), ["status"]));
  });
  beforeEach(async () => {
    await service.clearFaults();
    statuses.length = 0;
  });

  const endpoints = async () => (await service.state()).endpoints;

  /** Makes an endpoint that is unlike the defaults in all that GraphQL shows. */
  async function create(args: object, env: object = {}): Promise<string> {
    const template = { name: `t${Math.random()}`, image: "example.com/own:1", serverless: true, env };
    const templateId = await service.create("/v2/templates", template);
    const scaled = { scalerType: "REQUEST_COUNT", scalerValue: 7, idleTimeout: 33, gpuCount: 2, locations: "RO,US" };
    const base = { name: "own", gpuIds: "ADA_24,AMPERE_16", templateId, flashBootType: "FLASHBOOT" };
    const id = await service.saveEndpoint({ ...base, ...scaled, ...args });
    await service.forgetCalls();
    return id;
  }

  test("is scaled to 0 workers and is otherwise what it was, when its delete is refused", async () => {
    const volume = { name: "models", size: 10, dataCenter: "EU-RO-1" };
    const networkVolumeId = await service.create("/v2/network-volumes", volume);
    const id = await create({ workersMin: 0, workersMax: 3, type: "LB", networkVolumeId });
    const [before] = await endpoints();
    const refusal = { graphqlErrors: [{ message: "not now" }] };
    // The first refusal is of a document with both; the second of the delete alone.
    await service.fault({ match: { operation: "deleteEndpoint", times: 2 }, act: refusal });
    await expect(deleteEndpoint(context, id, RECORDED)).rejects.toThrow("not now");
    expect(statuses).toEqual([]);
    expect(await endpoints()).toEqual([
      { ...before, workers: { ...Object(before?.workers), min: 0, max: 0 }, version: expect.any(Number) },
    ]);
    await service.clearFaults();
    expect(await deleteEndpoint(context, id, RECORDED)).toBe(true);
  });

  test("that rests is deleted in one write", async () => {
    const id = await create({ workersMin: 0, workersMax: 0 });
    expect(await deleteEndpoint(context, id, RECORDED)).toBe(true);
    expect(await service.writes()).toEqual(["deleteEndpoint"]);
    expect(await deleteEndpoint(context, id, RECORDED)).toBe(false);
    expect(statuses).toEqual([]);
  });

  /** Several that the engine deletes at the same moment; each may have a handler of its own. */
  const several = async (count: number, handlers: Readonly<Record<number, object>> = {}) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push(await create({ name: `own-${index}`, workersMin: 0, workersMax: 1 }, handlers[index]));
    return ids;
  };
  const deleted = (ids: readonly string[], within = context) =>
    Promise.allSettled(ids.map((id) => deleteEndpoint(within, id, RECORDED)));
  const idsLeft = async () => (await endpoints()).map(({ id }) => id);

  test("that is deleted together with 7 others is read, scaled to 0 and deleted in the same two calls", async () => {
    const ids = await several(8);
    const { apiKey, baseUrl, serverlessUrl, graphqlUrl } = emulator;
    const addresses: Readonly<Record<string, string>> = { apiKey, baseUrl, serverlessUrl, graphqlUrl };
    const engine = connect((key) => addresses[key.replace("computecloud:", "")]);
    expect((await deleted(ids, engine)).map(({ status }) => status)).toEqual(Array(8).fill("fulfilled"));
    await engine.client.close();
    expect(await service.calls()).toEqual(["myself", "saveEndpoint+deleteEndpoint"]);
    expect(await endpoints()).toEqual([]);
  });

  test("is deleted after others with one call, and a list that all share", async () => {
    const shared = contextOf(emulator, { readWindowMs: 2_000 });
    for (const id of await several(4)) await deleteEndpoint(shared, id, RECORDED);
    const [first, ...calls] = await service.calls();
    expect(first).toBe("myself");
    expect(calls.filter((call) => call === "myself")).toHaveLength(1);
    expect(await service.writes()).toEqual(Array(4).fill("saveEndpoint+deleteEndpoint"));
  });

  test.each(["graphql", "rest"] as const)("that got workers after the list is scaled to 0 over %s", async (through) => {
    const shared = contextOf(emulator, { readWindowMs: 2_000, endpointsThrough: through });
    const others = await several(2);
    const id = await create({ workersMin: 0, workersMax: 0 });
    for (const other of others) await deleteEndpoint(shared, other, RECORDED);
    await service.rest("PATCH", `/v2/serverless/${id}`, { workers: { min: 0, max: 2 } });
    await service.forgetCalls();
    await deleteEndpoint(shared, id, RECORDED);
    expect(await service.writes()).toEqual(
      through === "graphql" ? ["saveEndpoint+deleteEndpoint"] : ["updateEndpoint", "deleteEndpoint"],
    );
  });

  // finds mutant saved-under-a-gone-id
  test("whose delete was done and its answer lost is not saved again", async () => {
    const [id = ""] = await several(1);
    await service.fault({ match: { operation: "deleteEndpoint", times: 1 }, act: { drop: "after" } });
    await deleteEndpoint(context, id, RECORDED);
    expect(await endpoints()).toEqual([]);
    expect(await service.writes()).toEqual(["saveEndpoint+deleteEndpoint"]);
  });

  test("that is busy is waited for alone, and the run says so: the others are deleted meanwhile", async () => {
    const ids = await several(3, { 1: BUSY });
    const [, busy = ""] = ids;
    const queue = context.client.queue(busy);
    const job = await queue.run({ input: { prompt: "hi" } });
    await service.advance(60_000);
    expect(await queue.status(job.id)).toMatchObject({ status: "IN_PROGRESS" });
    const all = deleted(ids);
    await until(async () => (await endpoints()).length === 1);
    expect(await endpoints()).toEqual([expect.objectContaining({ id: busy })]);
    await until(() => statuses.includes("ServerlessEndpoint own-1: waiting for 1 workers to stop"));
    await queue.cancel(job.id);
    expect((await all).map(({ status }) => status)).toEqual(Array(3).fill("fulfilled"));
    expect(statuses.at(-1)).toBe("ServerlessEndpoint own-1: its workers have stopped");
    expect(await endpoints()).toEqual([]);
  });

  test("whose own scaling is refused stays as it was, and the others are deleted", async () => {
    const ids = await several(3);
    const before = (await endpoints()).filter(({ id }) => id === ids[1]);
    const refusal = { graphqlErrors: [{ message: "not this one", path: ["s1"], extensions: { code: "RUNPOD" } }] };
    await service.fault({ match: { operation: "saveEndpoint" }, act: refusal });
    expect((await deleted(ids))[1]).toMatchObject({ reason: { message: expect.stringContaining("not this one") } });
    expect(await idsLeft()).toContain(before[0]?.id);
    await service.clearFaults();
    await deleted(await idsLeft().then((left) => left.map(String)));
  });

  const failedSomewhere = { data: { e0: null, e1: null, e2: null }, errors: [{ message: "something failed" }] };
  // finds mutant failure-taken-for-done
  test.each([
    ["dropped", { drop: "after" }],
    ["dropped before anything was done", { drop: "before" }],
    ["cut off", { truncate: true }],
    ["a failure that names none of them", { status: 200, body: failedSomewhere }],
  ] as const)("is never taken for deleted when the answer was %s", async (_, act) => {
    const ids = await several(3);
    await service.fault({ match: { operation: "deleteEndpoint", times: 1 }, act });
    expect((await deleted(ids)).map(({ status }) => status)).toEqual(Array(3).fill("fulfilled"));
    expect(await endpoints()).toEqual([]);
  });

  test("that GraphQL no longer takes is deleted over REST after its own wait, as are those beside it", async () => {
    const ids = await several(3);
    await service.fault({ match: { operation: "deleteEndpoint" }, act: { status: 410 } });
    const ending = contextOf(emulator);
    expect((await deleted(ids, ending)).map(({ status }) => status)).toEqual(Array(3).fill("fulfilled"));
    expect(ending.client.endpoints.through()).toBe("rest");
    const calls = await service.calls();
    expect(calls.slice(0, 2)).toEqual(["myself", "saveEndpoint+deleteEndpoint"]);
    expect(calls.slice(2, 5)).toEqual(Array(3).fill("updateEndpoint"));
    expect(calls.slice(5, 8)).toEqual(Array(3).fill(expect.stringMatching(/workers/i)));
    expect(await endpoints()).toEqual([]);
  });

  /** Deletes an endpoint whose template the program keeps, or not. */
  async function deletedThrough(endpointsThrough: "graphql" | "rest", keeps: boolean, id: string) {
    const templateId = String((await endpoints()).find((each) => each.id === id)?.templateId);
    const { context, said: warnings } = withMessages(contextOf(emulator, { endpointsThrough }));
    if (keeps) context.ledger.ids.adopts(templateId);
    await deleteEndpoint(context, id, { ...RECORDED, templateId });
    return { warnings, taken: context.ledger.changes.wasDeleted(templateId), templateId };
  }

  test.each([
    ["whose template the program keeps goes, over REST, with a warning", "rest", true, "unlessUsed", true, 1],
    ["whose template stays, over REST, says nothing", "rest", true, "never", false, 0],
    ["whose template the program deletes itself leaves it, over GraphQL", "graphql", false, "unlessUsed", false, 0],
    ["whose template is deleted next goes, over REST, without a word", "rest", false, "unlessUsed", true, 0],
  ] as const)("%s", async (_, through, keeps, restDeletesTemplate, isTaken, count) => {
    await service.settings({ restDeletesTemplate });
    const { warnings, taken, templateId } = await deletedThrough(through, keeps, await create({ workersMax: 0 }));
    await service.settings({ restDeletesTemplate: "unlessUsed" });
    const text = `^Template ${templateId}, .* was deleted by the service along with ServerlessEndpoint own\\.`;
    expect(warnings).toEqual(Array(count).fill(expect.stringMatching(text)));
    expect(taken).toBe(isTaken);
  });
});
