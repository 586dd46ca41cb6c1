import { beforeEach, expect, test } from "@jest/globals";
import { AbortError, type Client, type Orphan } from "../../client";
import { volume } from "../harness/requests";
import { json, Script, type Step, serverForEach } from "../harness/script";
import { errorOf, soon } from "../harness/until";

// A call that its signal ends, against a server that has begun to work on it.

const script = serverForEach(new Script());
let client: Client;
let abort: AbortController;
const reason = new RangeError("enough");
beforeEach(() => {
  client = script.client({ clock: undefined });
  abort = new AbortController();
});

/** Answers by the beginning of `METHOD /path`. */
const byCall =
  (steps: Record<string, Step>): Step =>
  (request, response) => {
    const requestLine = `${request.method} ${request.url}`;
    const [, step] = Object.entries(steps).find(([call]) => requestLine.startsWith(call)) ?? [];
    (step ?? json({}, 404))(request, response);
  };
const aborting = (): Step => () => abort.abort(reason);

test("a create that is aborted after it was sent says what may have come of it", async () => {
  const listed = { id: "v-1", name: "v", size: 10, dataCenter: "X", type: "STANDARD" };
  script.play(
    byCall({ "POST /v2/network-volumes": aborting(), "GET /v2/network-volumes": json({ networkVolumes: [listed] }) }),
  );
  const error = await errorOf(client.networkVolumes.create(volume("v"), { signal: abort.signal }), AbortError);
  expect(error).toMatchObject({ outcomeUnknown: true, candidates: ["v-1"], cause: reason, name: "AbortError" });
  expect(error.mayComeUpUntil?.getTime()).toBeGreaterThan(Date.now());
  expect(error.message).toContain('adoptId: "v-1"');
  expect(script.received.filter(({ method }) => method === "POST")).toHaveLength(1);
});

const running = json({ id: "j-1", status: "IN_PROGRESS" });

test("runSync that is aborted cancels its job, and names it", async () => {
  const cancelled = json({ id: "j-1", status: "CANCELLED" });
  script.play(
    byCall({
      "POST /v2/e/runsync": running,
      "GET /v2/e/status/j-1": (request, response) => {
        running(request, response);
        abort.abort(reason);
      },
      "POST /v2/e/cancel/j-1": cancelled,
    }),
  );
  const error = await errorOf(client.queue("e").runSync({ input: 1 }, { signal: abort.signal }));
  expect(error).toMatchObject({ name: "AbortError", id: "j-1", outcomeUnknown: false, cause: reason });
  // Held for a second at most: nobody knows the job before.
  expect(script.received[0]?.url).toBe("/v2/e/runsync?wait=1000");
  expect(script.received.at(-1)?.url).toBe("/v2/e/cancel/j-1");
});

// finds mutant cancel-in-progress
test.each<[string, Step, object]>([
  ["is refused says that the job may run on", json({ error: "no" }, 403), { status: 403 }],
  [
    "is answered by a job in progress says that the job may run on",
    running,
    { message: expect.stringContaining("is IN_PROGRESS") },
  ],
])("runSync that is aborted whose cancel %s", async (_, cancel, error) => {
  const orphans: Omit<Orphan, "index">[] = [];
  script.play(
    byCall({
      "POST /v2/e/runsync": (request, response) => {
        running(request, response);
        setImmediate(() => abort.abort(reason));
      },
      "POST /v2/e/cancel/j-1": cancel,
      "GET /v2/e/status/j-1": running,
    }),
  );
  const options = { signal: abort.signal, onOrphan: (orphan: Omit<Orphan, "index">) => orphans.push(orphan) };
  expect(await errorOf(client.queue("e").runSync({ input: 1 }, options))).toMatchObject({
    name: "AbortError",
    id: "j-1",
    outcomeUnknown: true,
  });
  expect(orphans).toMatchObject([{ id: "j-1", error }]);
});

test("runSync that is aborted ends within seconds when its submission is never answered, and says that the job may run", async () => {
  script.play(aborting());
  const error = await soon(errorOf(client.queue("e").runSync({ input: 1 }, { signal: abort.signal }), AbortError));
  expect(error).toMatchObject({ outcomeUnknown: true, cause: reason });
});

test.each([
  ["run", { kind: "Queue", id: "e" }, () => client.queue("e").run({ input: 1 }, { signal: abort.signal })],
  ["a pod's action", { id: "p" }, () => client.pods.action("p", "restart", { signal: abort.signal })],
])("%s that is aborted after it was sent says that it may have been done", async (_, facts, call) => {
  script.play(aborting());
  expect(await errorOf(call())).toMatchObject({ ...facts, name: "AbortError", outcomeUnknown: true, cause: reason });
});
