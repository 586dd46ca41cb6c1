import { describe, expect, test } from "@jest/globals";
import { ConnectionError, NotFoundError } from "../../client";
import { getOrCreate } from "../../common/getOrCreate";
import { folderForEach } from "../harness/folder";
import { collect, countTo, JobServer, orphansOf } from "../harness/jobServer";
import { inTurn, json, type Step, serverForEach, text } from "../harness/script";
import { until } from "../harness/until";

const server = serverForEach(new JobServer());
const folder = folderForEach();
const batch = (inputs: number, options: object = {}) =>
  server
    .client()
    .queue("e")
    .runMany<number, number>(countTo(inputs), { concurrency: inputs, ...options });

/** A batch that is aborted once all of its jobs are submitted. */
async function leave(inputs: number, options: object): Promise<void> {
  const abort = new AbortController();
  const left = collect(batch(inputs, { signal: abort.signal, ...options }));
  await until(() => server.submitted.length === inputs);
  abort.abort();
  await left;
}

const gateways: [string, Step][] = [
  ["a web page", text("<html>404 Not Found</html>", 404, "text/html")],
  ["a line of text", text("default backend - 404", 404)],
  ["nothing", text("", 404)],
  ["JSON of its own", json({ message: "no Route matched with those values" }, 404)],
];
const jobNotFound = json({ error: "job not found" }, 404);

/** Every job is running when it is seen first, is missing in two answers, and then has finished. */
function missOnce(missing: Step): void {
  const looks = new Map<string, Step>();
  const looksAt = (id: string) =>
    inTurn(
      json({ id, status: "IN_PROGRESS" }),
      missing,
      missing,
      json({ id, status: "COMPLETED", output: Number(id) }),
    );
  server.steps.status = (request, response) => {
    const id = request.url?.split("/").at(-1) ?? "";
    getOrCreate(looks, id, looksAt)(request, response);
  };
}

describe("a job that is missing in two answers", () => {
  // finds mutant first-404-is-gone
  test.each([...gateways, ["the queue's own 404", jobNotFound] as const])(
    "is followed to its result, after %s",
    async (_, step) => {
      missOnce(step);
      const { all: results } = await collect(batch(10, { journal: folder.at("batch.jsonl") }));
      expect(results.map(({ job, error }) => job?.output ?? error).toSorted()).toEqual(countTo(10));
      expect(server.submitted).toHaveLength(10);
    },
  );

  test("is not submitted again by the next run, idempotent or not", async () => {
    const journal = folder.at("batch.jsonl");
    await leave(10, { journal });
    missOnce(jobNotFound);
    const { all: results } = await collect(batch(10, { journal, idempotent: true }));
    expect(results.flatMap(({ job }) => job?.output ?? []).toSorted()).toEqual(countTo(10));
    expect(server.submitted).toHaveLength(10);
  });
});

// finds mutant one-look
test.each(["status", "cancel"] as const)(
  "a %s of a job that was submitted looks twice before it is missing",
  async (call) => {
    const queue = server.client().queue("e");
    const { id } = await queue.run({ input: 0 });
    server.steps[call] = inTurn(jobNotFound, json({ id, status: "CANCELLED" }));
    expect(await queue[call](id)).toMatchObject({ id, status: "CANCELLED" });
  },
);

test("a job that stays missing is named by the end of the batch, and the next run with the journal follows it again", async () => {
  const journal = folder.at("batch.jsonl");
  server.steps.status = jobNotFound;
  const { all, error } = await collect(batch(1, { journal }));
  expect([all, error]).toMatchObject([[], { count: 1, inputs: [{ index: 0, id: "0" }] }]);
  expect(error).toMatchObject({ cause: expect.any(NotFoundError) });
  server.steps = {};
  server.finish(0);
  expect((await collect(batch(1, { journal }))).all.map(({ job }) => job?.output)).toEqual([0]);
  expect(server.submitted).toEqual([0]);
});

// finds mutant gateway-404-is-gone
test.each(gateways)("a job whose cancel is answered by %s is named as one that may run on", async (_, step) => {
  const { orphans, onOrphan } = orphansOf();
  server.steps.cancel = step;
  await leave(3, { onOrphan });
  expect(orphans.map(({ id }) => id).toSorted()).toEqual(["0", "1", "2"]);
  for (const { error } of orphans) expect(error).toBeInstanceOf(ConnectionError);
});
