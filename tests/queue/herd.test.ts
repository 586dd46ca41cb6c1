import { expect, test } from "@jest/globals";
import { json, Script, serverForEach } from "../harness/script";

// A service that holds jobs and has room for a few: what comes beyond is refused at once, without a word on when to come back.

const ROOM = 20;
const JOBS = 200;

const script = serverForEach(new Script());

test("runSync calls that were refused don't come back as a herd", async () => {
  let held = 0;
  let most = 0;
  script.play((request, response) => {
    request.resume().on("end", () => {
      if (held === ROOM) return json({ error: "too many" }, 429)(request, response);
      held += 1;
      most = Math.max(most, held);
      // biome-ignore lint/plugin: how long the service holds a call
      setTimeout(() => {
        held -= 1;
        json({ id: "j", status: "COMPLETED", output: 1 })(request, response);
      }, 200);
    });
  });
  const queue = script.client({ clock: undefined }).queue("e");
  const jobs = await Promise.all(Array.from({ length: JOBS }, (_, n) => queue.runSync({ input: n })));
  expect(jobs).toHaveLength(JOBS);
  expect(most).toBe(ROOM);
  // 850 without groups, and some 450; a busy machine's refusals come late, so that a few more calls go. The first 200 go together.
  expect(script.received.length).toBeLessThan(3.5 * JOBS);
});
