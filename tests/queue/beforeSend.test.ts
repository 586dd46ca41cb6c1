import { beforeEach, expect, test } from "@jest/globals";
import type { Queue } from "../../client";
import { json, Script, serverForEach } from "../harness/script";
import { until } from "../harness/until";

// The moment in which a submission leaves: where a worker of any engine notes that its job may exist.

const script = serverForEach(new Script());
const inQueue = json({ id: "job", status: "IN_QUEUE" });
const order: string[] = [];
const beforeSend = async () => {
  await new Promise(setImmediate);
  order.push(`note, ${script.received.length} sent`);
};
let queue: Queue;

beforeEach(() => {
  order.length = 0;
  queue = script.client({ queueLimits: { run: { per10s: 1, concurrent: 1 } } }).queue("e");
});

test("beforeSend is awaited when the limits admit the submission, before it is sent", async () => {
  script.play(inQueue);
  await Promise.all([1, 2, 3].map((input) => queue.run({ input }, { beforeSend })));
  expect(order).toEqual(["note, 0 sent", "note, 1 sent", "note, 2 sent"]);
});

test("beforeSend is called once, although the submission is refused and sent again", async () => {
  script.play(json({}, 429), inQueue);
  await queue.run({ input: 1 }, { beforeSend });
  expect([order, script.received.length]).toEqual([["note, 0 sent"], 2]);
});

test("an error of beforeSend ends the call as it is, nothing is sent, and the next one has the place", async () => {
  // As errors of the file system and of sockets have one.
  const full = Object.assign(new Error("the disk is full"), { code: "ECONNRESET" });
  const run = queue.run({ input: 1 }, { beforeSend: () => Promise.reject(full) });
  await expect(run).rejects.toBe(full);
  expect(script.received).toEqual([]);
  script.play(inQueue);
  await queue.run({ input: 2 });
  expect(script.received).toHaveLength(1);
});

test("a submission whose time is over during beforeSend is not sent", async () => {
  const slow = () => {
    // biome-ignore lint/plugin: longer than the call may take, however busy the machine is
    const over = performance.now() + 60;
    // biome-ignore lint/plugin: as above
    return until(() => performance.now() > over);
  };
  await expect(queue.run({ input: 1 }, { timeoutMs: 50, beforeSend: slow })).rejects.toThrow("no answer in time");
  expect(script.received).toEqual([]);
});

test("a submission that the limits keep back for longer than it may take says so", async () => {
  script.play(inQueue);
  await queue.run({ input: 1 });
  const patient = script.client({ queueLimits: { run: { per10s: 1, concurrent: 1 } }, clock: undefined }).queue("e");
  await patient.run({ input: 1 });
  await expect(patient.run({ input: 2 }, { timeoutMs: 100 })).rejects.toThrow("kept back by the limits of its calls");
  expect(script.received).toHaveLength(2);
});

test("runSync has its beforeSend too", async () => {
  script.play(json({ id: "job", status: "COMPLETED", output: 1 }));
  await queue.runSync({ input: 1 }, { beforeSend });
  expect(order).toEqual(["note, 0 sent"]);
});
