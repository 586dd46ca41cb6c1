import { inspect } from "node:util";
import { expect, test } from "@jest/globals";
import { type ResponseEvent, UsageError } from "../../client";
import { json, Script, serverForEach } from "../harness/script";
import { errorOf } from "../harness/until";

// A call's result with its answer.

const script = serverForEach(new Script());

const accepted = json({ id: "j", status: "IN_QUEUE", extra: 1 }, 200, { "x-request-id": "r-1" });

test("every call of a queue gives its result with its answer, run included", async () => {
  script.play(json({}, 429), accepted);
  const queue = script.client().queue("e");
  const { data, response } = await queue.withResponse((options) => queue.run({ input: 1 }, options));
  expect(data).toMatchObject({ id: "j", status: "IN_QUEUE" });
  expect(response).toMatchObject({ status: 200, attempt: 2, requestId: "r-1", call: "POST /v2/e/run" });
  expect(response?.headers["content-type"]).toBe("application/json");
});

test("a call that does not take the options says so, and sends nothing", async () => {
  script.play(accepted);
  const queue = script.client().queue("e");
  const call = queue.withResponse(() => queue.run({ input: 1 }));
  expect((await errorOf(call, UsageError)).message).toContain("Pass them on");
  expect(script.received).toEqual([]);
});

test("what is told of an answer shows its request to who asks alone, and its body to nobody", async () => {
  script.play(accepted);
  let responseEvent: ResponseEvent | undefined;
  const onResponse = (event: ResponseEvent) => {
    responseEvent = event;
  };
  await script.client().queue("e").run({ input: 1 }, { onResponse });
  expect(responseEvent?.request).toMatchObject({ method: "POST", url: `${script.address}/v2/e/run`, attempt: 1 });
  expect(Object.keys(responseEvent ?? {})).not.toContain("request");
  expect(inspect(responseEvent, { depth: 9, showHidden: true })).not.toContain("extra");
});
