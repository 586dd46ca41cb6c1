/* A change that a gateway gave up on may arrive after the next one of the same resource, which it would undo. */
import { beforeEach, expect, test } from "@jest/globals";
import { type CallOptions, type Client, type Clock, MayBeUndoneError, type RetryEvent } from "../../client";
import { placeForAll } from "../harness/place";
import { endpoint, savedEndpoint, template } from "../harness/requests";
import { json, Script, serverForEach, silence } from "../harness/script";
import { errorOf, until } from "../harness/until";

const place = placeForAll();
const script = serverForEach(new Script());
let client: Client;
let id: string;
let waits: RetryEvent[];
/** Called before a long wait. */
let onWait: () => Promise<void>;
const workers = (max: number) => ({ workers: { min: 0, max, idleTimeout: 5 } });
/** Sets the maximum of workers. */
type Change = (max: number, options?: CallOptions) => Promise<unknown>;
const overRest: Change = (max, options) => client.serverless.update(id, workers(max), options);

beforeEach(async () => {
  await place.reset();
  waits = [];
  onWait = async () => {};
  const clock = place.sharedClock();
  const sleep: Clock["sleep"] = async (ms, signal) => {
    if (ms > 30_000) await onWait();
    signal?.throwIfAborted();
    await clock.sleep(ms);
  };
  client = place.client({ clock: { ...clock, sleep }, onRetry: (event) => waits.push(event) });
  ({ id } = await client.serverless.create(endpoint("chat")));
  await place.forgetCalls();
});

const late = (operation: string, lateMs = 60_000) => place.fault({ operation }, { lateMs });
const most = async () => (await place.state()).endpoints?.map(({ workers }) => Reflect.get(Object(workers), "max"));
/** Whatever may arrive late has arrived. */
const settled = () => place.service.advance(120_000);

// finds mutant late-change-stays
test.each([
  ["REST", "REST"],
  ["GraphQL", "GraphQL"],
  ["GraphQL, several at once", "GraphQL, several at once"],
  ["GraphQL, several at once", "REST"],
  ["REST", "GraphQL"],
])("after a change over %s one over %s lasts, although the first arrives after it", async (first, second) => {
  const { id: templateId } = await client.templates.create({ ...template("t"), serverless: true });
  await client.serverless.delete(id);
  const names = ["first", "second"].map((name) => savedEndpoint(name, templateId));
  const saved = await Promise.all(names.map((each) => client.endpoints.save(each)));
  const changing = (through: string) => {
    const { endpoints } = through === "GraphQL" ? client : client.gathering();
    return (max: number) =>
      Promise.all(
        saved.map((each) =>
          through === "REST"
            ? client.serverless.update(each.id, workers(max))
            : endpoints.save({ ...each, ...workers(max) }),
        ),
      );
  };
  const change = changing(second);
  await late(first === "REST" ? "updateEndpoint" : "saveEndpoint");
  await changing(first)(1);
  await change(0);
  await settled();
  expect(new Set(await most())).toEqual(new Set([0]));
  expect(waits.at(-1)).toMatchObject({ attempt: 1, reason: "an earlier change may still arrive" });
  await place.forgetCalls();
  await change(2);
  expect(new Set(await most())).toEqual(new Set([2]));
  expect(await place.sent()).toHaveLength(second === "GraphQL, several at once" ? 1 : 2);
});

test("a change acts at once, before the earlier one can't arrive any more, and then the last one is sent again", async () => {
  await late("updateEndpoint");
  await overRest(1);
  const { promise: hasWaited, resolve: go } = Promise.withResolvers<void>();
  onWait = () => hasWaited;
  const second = overRest(0);
  await until(() => Number(waits.at(-1)?.waitMs) > 85_000);
  expect(await most()).toEqual([0]);
  const third = overRest(3);
  await until(() => waits.length === 3);
  await place.forgetCalls();
  go();
  await Promise.all([second, third]);
  await settled();
  expect(await most()).toEqual([3]);
  expect(await place.sent()).toEqual([`PATCH /v2/serverless/${id}`]);
});

test("the same change again waits for nothing, nor does that of another field", async () => {
  await late("updateEndpoint");
  await overRest(1);
  await overRest(1);
  await client.serverless.update(id, { name: "other" });
  expect(waits).toHaveLength(1);
});

// finds mutant undone-in-silence
test.each<[string, (signal: AbortSignal) => CallOptions, number]>([
  ["has no time to wait", () => ({ timeoutMs: 30_000 }), 1],
  ["has no attempt left", () => ({ attempts: 1 }), 1],
  ["is aborted in the wait", (signal) => ({ signal }), 2],
])("a change that %s says until when it may be undone", async (_, optionsOf, waited) => {
  await late("updateEndpoint");
  await overRest(1);
  const controller = new AbortController();
  onWait = async () => controller.abort();
  const error = await errorOf(overRest(2, optionsOf(controller.signal)), MayBeUndoneError);
  const until = error.mayBeUndoneUntil.toISOString();
  expect(error.message).toContain(`PATCH /v2/serverless/${id} was done, but may still be undone until ${until}`);
  expect(error).toMatchObject({ outcomeUnknown: true, id });
  expect(waits).toHaveLength(waited);
  expect(await most()).toEqual([2]);
  await place.service.advance(error.mayBeUndoneUntil.getTime() - place.sharedClock().now());
  expect(await most()).toEqual([1]);
  await overRest(2);
  expect(await most()).toEqual([2]);
});

test("a change that was aborted may arrive late, too", async () => {
  script.play(silence, json({ id: "chat" }));
  const { serverless } = script.client();
  const controller = new AbortController();
  const first = serverless.update("chat", workers(1), { signal: controller.signal }).catch(() => {});
  await until(() => script.received.length === 1);
  controller.abort();
  await first;
  await serverless.update("chat", workers(0));
  expect(script.received).toHaveLength(3);
});
