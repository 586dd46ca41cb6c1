import { describe, expect, test } from "@jest/globals";
import {
  AuthenticationError,
  BatchUnfinishedError,
  type JournalEntry,
  JournalError,
  type JournalStore,
  ResultExpiredError,
  SubmissionLostError,
} from "../../client";
import { Journal } from "../../client/queue/journal";
import { tableJournal } from "../../client/queue/journalTable";
import { ownMark } from "../../common/isRunning";
import { databaseForAll } from "../harness/database";
import { collect, countTo, orphansOf } from "../harness/jobServer";
import { json, silence } from "../harness/script";
import { until } from "../harness/until";
import { Batch, finished, journal, queueOf, refusalOf, server, sorted } from "./journals";

const database = databaseForAll();

describe.each(["file", "table"])("in a %s", (place) => {
  const at = () => (place === "file" ? journal : tableJournal(database.pool, journal, { leaseMs: 3_000 }));
  const start = (env: Record<string, string>) =>
    new Batch({ ...env, ...(place === "table" && { DATABASE: database.postgres.url }) });

  describe("a batch that is killed", () => {
    test("goes on where it was: no input is submitted twice, no result delivered twice", async () => {
      const first = start({ INPUTS: "60" });
      await until(() => {
        server.finish(...server.submitted.filter((n) => n < 25));
        return first.lines.length >= 20 && server.submitted.length > 30;
      });
      await first.kill();

      const second = start({ INPUTS: "60" });
      await second.finish();
      expect(new Set(server.submitted).size).toBe(server.submitted.length);
      const all = [...first.lines, ...second.lines];
      expect(sorted([...new Set(all.map(({ index }) => index))])).toEqual(countTo(60));
      const delivered = all.filter(({ again }) => again === undefined);
      expect(new Set(delivered.map(({ index }) => index)).size).toBe(delivered.length);
      // The kill may have come between a submission and its answer.
      const lost = second.lines.filter(({ error }) => error !== undefined);
      expect(lost.filter(({ error }) => error !== "SubmissionLostError")).toEqual([]);
      expect(lost.length).toBeLessThanOrEqual(10);
      const unsent = countTo(60).filter((n) => !server.submitted.includes(n));
      expect(lost.map(({ index }) => index)).toEqual(expect.arrayContaining(unsent));
    });

    // finds mutant journal-unwritten
    test.each(["once, and says that its job may run", "again where that does no harm"])(
      "before the answer to a submission submits it %s",
      async (how) => {
        const idempotent = how.startsWith("again");
        server.steps.run = server.takes((body) => (server.submitted.at(-1) === 3 ? silence : json(body)));
        const first = start({ INPUTS: "6", IDEMPOTENT: String(idempotent) });
        await until(() => {
          server.finish(0, 1, 2, 4, 5);
          return first.lines.length === 5 && server.submitted.includes(3);
        });
        await first.kill();

        const second = start({ INPUTS: "6", IDEMPOTENT: String(idempotent) });
        await second.finish();
        expect(server.submitted.filter((n) => n === 3)).toHaveLength(idempotent ? 2 : 1);
        const of3 = second.lines.find(({ index }) => index === 3);
        expect(of3).toEqual(idempotent ? { index: 3, output: 3 } : { index: 3, error: "SubmissionLostError" });
      },
    );

    test("while a result is worked on gets that one again, marked, and no other", async () => {
      server.finishAtOnce();
      const first = start({ INPUTS: "4", STAY_AT: "3" });
      await until(() => first.lines.length === 3);
      await first.kill();

      const second = start({ INPUTS: "4" });
      await second.ended;
      const again = first.lines.at(-1)?.index;
      expect(second.lines.filter((line) => line.again).map(({ index }) => index)).toEqual([again]);
      expect(sorted([...first.lines.slice(0, 2), ...second.lines].map(({ index }) => index))).toEqual(countTo(4));
      expect(sorted(server.submitted)).toEqual(countTo(4));
    });
  });

  describe("a journal", () => {
    test("belongs to one run at a time, in this process and among processes", async () => {
      const other = start({ INPUTS: "2" });
      await until(() => server.submitted.length === 2);
      const inUse = await refusalOf(queueOf().runMany(countTo(2), { journal: at() }));
      expect(inUse).toMatch(/is in use by process \d+ on .+\. Wait until/);
      await other.kill();

      const mine = queueOf().runMany(countTo(2), { journal: at() });
      server.finish(0, 1);
      await mine.next();
      await refusalOf(queueOf().runMany(countTo(2), { journal: at() }));
      await mine.return();
      const { all, error: none } = await collect(queueOf().runMany(countTo(2), { journal: at() }));
      expect(none).toBeUndefined();
      expect(all.length).toBeGreaterThan(0);
      expect(server.submitted).toHaveLength(2);
    });

    test("of other inputs, of another endpoint or of something else", async () => {
      await collect(finished(queueOf().runMany([1, 2], { journal: at() })));
      const other = await refusalOf(queueOf().runMany([1, 3], { journal: at() }));
      expect(other).toContain("Input 1 is not the one that the journal has");
      expect(await refusalOf(queueOf("f").runMany([1, 2], { journal: at() }))).toContain("for endpoint e, not for f");
      expect(server.submitted).toHaveLength(2);
    });

    // finds mutant journal-unread
    test("that is left early leaves the jobs to the next run, and names them", async () => {
      const { orphans, onOrphan } = orphansOf();
      server.finishAtOnce(0);
      for await (const { index } of queueOf().runMany(countTo(4), { journal: at(), onOrphan })) {
        expect(index).toBe(0);
        await until(() => server.submitted.length === 4);
        break;
      }
      expect(orphans.map(({ id }) => id).toSorted()).toEqual(["1", "2", "3"]);
      expect(server.running).toEqual(["1", "2", "3"]);

      server.finish(1, 2, 3);
      const { all } = await collect(queueOf().runMany(countTo(4), { journal: at() }));
      expect(all.map(({ index, job, again }) => [index, job?.output, again]).toSorted()).toEqual([
        [0, 0, true],
        [1, 1, undefined],
        [2, 2, undefined],
        [3, 3, undefined],
      ]);
      expect(server.submitted).toHaveLength(4);
    });

    // finds mutant unsettled-yielded
    test("yields what is final alone: a key that is refused in the middle takes no output", async () => {
      finished(undefined);
      const { run: answer } = server.steps;
      server.steps.run = (...exchange) =>
        (server.submitted.length < 3 ? answer : json({ error: "bad key" }, 401))?.(...exchange);
      const options = { journal: at(), concurrency: 1 };
      const first = await collect(queueOf().runMany(countTo(6), options));
      expect([first.all.length, first.error]).toEqual([3, expect.any(AuthenticationError)]);
      const { all } = await collect(finished(queueOf().runMany(countTo(6), { ...options, journal: at() })));
      expect(sorted([...first.all, ...all].map(({ job }) => Number(job?.output)))).toEqual(countTo(6));
      expect(sorted(server.submitted)).toEqual(countTo(6));
    });

    test("ends a batch whose jobs were given up in an error that names them, and the next run has their outputs", async () => {
      server.finishAtOnce(0);
      const inputs = [0, 1, 2, Number.NaN];
      const { all, error } = await collect(queueOf().runMany(inputs, { journal: at(), timeoutMs: 1_000 }));
      expect(all.map(({ job }) => job?.output)).toEqual([0]);
      const named = error instanceof BatchUnfinishedError ? error.inputs : [];
      expect(named.map(({ index, id, error }) => [index, id, error.name]).toSorted()).toEqual([
        [1, "1", "JobWaitError"],
        [2, "2", "JobWaitError"],
        [3, undefined, "UsageError"],
      ]);
      expect(String(error)).toContain("no final result for 3 of its inputs: 3, ");
      server.finish(1, 2);
      const next = await collect(finished(queueOf().runMany([0, 1, 2, 3], { journal: at() })));
      expect(next).toMatchObject({ all: [{}, {}, {}], error: undefined });
      expect(sorted(next.all.map(({ job }) => Number(job?.output)))).toEqual([1, 2, 3]);
      expect(server.submitted).toEqual([0, 1, 2, 3]);
    });

    test("knows the job's input, whatever the row is that it is made of", async () => {
      const rows = [new Map([["n", 7n]]), new Map([["n", 8n]])];
      const request = (row: Map<string, bigint>) => ({ input: Number(row.get("n")) });
      const { all } = await collect(finished(queueOf().runMany(rows, { journal: at(), request })));
      expect(all).toHaveLength(2);
      expect(await collect(queueOf().runMany(rows, { journal: at(), request }))).toEqual({ all: [], error: undefined });
      const other = (row: Map<string, bigint>) => ({ input: Number(row.get("n")) + 1 });
      const refusal = await refusalOf(queueOf().runMany(rows, { journal: at(), request: other }));
      expect(refusal).toContain("Input 0 is not the one that the journal has");
      expect(server.submitted).toEqual([7, 8]);
    });
  });
});

describe("a store of one's own", () => {
  test("a lost answer counts as delivered once it was told", async () => {
    const store = new MemoryStore([
      { event: "batch", version: 2, endpointId: "e" },
      { event: "submitting", index: 0, digest: "5feceb66" },
    ]);
    const { all } = await collect(queueOf().runMany([0], { journal: store }));
    expect(all[0]?.error).toBeInstanceOf(SubmissionLostError);
    expect((await collect(queueOf().runMany([0], { journal: store }))).all).toEqual([]);
    expect(server.submitted).toEqual([]);
  });

  test("has a job whose result is gone told of, or submitted again where that does no harm", async () => {
    const entries = (at: number): JournalEntry[] => [
      { event: "batch", version: 2, endpointId: "e" },
      { event: "submitting", index: 0, digest: "5feceb66" },
      { event: "submitted", index: 0, id: "gone", at },
    ];
    const hour = 3_600_000;
    const expired = await collect(queueOf().runMany([0], { journal: new MemoryStore(entries(Date.now() - hour)) }));
    expect(expired.all[0]?.error).toBeInstanceOf(ResultExpiredError);
    expect(server.submitted).toEqual([]);
    const again = { journal: new MemoryStore(entries(Date.now() - hour)), idempotent: true };
    const { all } = await collect(finished(queueOf().runMany([0], again)));
    expect(all[0]?.job?.output).toBe(0);
    expect(server.submitted).toEqual([0]);
  });

  test("of a later version asks for an update", async () => {
    const later = [{ event: "batch", version: 3, endpointId: "e" }] as unknown[] as JournalEntry[];
    const refusal = await refusalOf(queueOf().runMany([0], { journal: new MemoryStore(later) }));
    expect(refusal).toContain("Update this package");
  });

  test("may be read asynchronously", async () => {
    const store = new MemoryStore();
    const journal = { entries: async () => [...store.entries()], append: (entry: JournalEntry) => store.append(entry) };
    expect((await collect(finished(queueOf().runMany(countTo(3), { journal })))).all).toHaveLength(3);
    expect(await collect(queueOf().runMany(countTo(3), { journal }))).toEqual({ all: [], error: undefined });
  });

  test("keeps runs elsewhere out by itself, so that one which did not close it has ended", async () => {
    const { host, ...mark } = ownMark();
    const store = new MemoryStore([{ event: "opened", token: "dead", ...mark, host: "another-machine" }]);
    const { error } = await collect(finished(queueOf().runMany(countTo(3), { journal: store })));
    expect(error).toBeUndefined();
    expect(server.submitted).toEqual([0, 1, 2]);
  });

  test("that can't be written ends the batch before anything else is submitted", async () => {
    const store = new MemoryStore();
    store.room = 3;
    const { orphans, onOrphan } = orphansOf();
    const options = { journal: store, concurrency: 1, onOrphan };
    const { error } = await collect(finished(queueOf().runMany(countTo(9), options)));
    expect(error).toBeInstanceOf(JournalError);
    expect(error).toMatchObject({ cause: { message: "no room" } });
    expect(server.submitted).toEqual([0]);
    expect(orphans.map(({ id }) => id)).toEqual(["0"]);
  });
});

test("nothing is written that could not be read again", async () => {
  const store = new MemoryStore();
  const { signal } = new AbortController();
  const options = { takeOver: false, timeoutMs: undefined, waitSignal: signal, signal };
  const journal = await Journal.open(store, "e", options);
  const before = [...store.entries()];
  await expect(journal.append({ event: "submitted", index: 0, id: "", at: 1 })).rejects.toThrow(
    'could not be read with {"event":"submitted","index":0,"id":"","at":1}',
  );
  expect([...store.entries()]).toEqual(before);
  await journal.close();
});

class MemoryStore implements JournalStore {
  room = Number.POSITIVE_INFINITY;
  #texts: string[];

  constructor(entries: JournalEntry[] = []) {
    this.#texts = entries.map((entry) => JSON.stringify(entry));
  }

  *entries() {
    for (const text of this.#texts) yield JSON.parse(text);
  }

  async append(entry: JournalEntry): Promise<void> {
    if (this.#texts.length >= this.room) throw new Error("no room");
    this.#texts.push(JSON.stringify(entry));
  }
}
