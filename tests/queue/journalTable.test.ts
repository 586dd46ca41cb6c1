import { beforeEach, expect, test } from "@jest/globals";
import { Pool } from "pg";
import { type JournalEntry, JournalError, SubmissionLostError } from "../../client";
import { type Sql, type TableJournal, tableJournal, tableProgress } from "../../client/queue/journalTable";
import { ownMark } from "../../common/isRunning";
import { databaseForAll } from "../harness/database";
import { collect, countTo, orphansOf } from "../harness/jobServer";
import { json, reset } from "../harness/script";
import { soon, until } from "../harness/until";
import { journal as chunk, finished, queueOf, server } from "./journals";

// What only a journal in a table has to see to: runs of other machines, a database that goes, and posts of webhooks.

const database = databaseForAll();
let pool: Pool;
let table: TableJournal;

beforeEach(() => {
  ({ pool } = database);
  table = tableJournal(pool, chunk);
});

/** The chunk's journal by what a connection makes of each statement. */
const journalOver = (query: Sql["query"], options?: { leaseMs: number }) => tableJournal({ query }, chunk, options);

/** A run on another machine that has the chunk. */
async function elsewhere(leaseMs: number, mark: object = { host: "another-machine" }): Promise<TableJournal> {
  const other = tableJournal(pool, chunk, { leaseMs });
  await other.append({ event: "opened", token: "other", ...ownMark(), ...mark });
  return other;
}

test("a run waits until the lease of one elsewhere that is silent has expired", async () => {
  await elsewhere(300);
  // It is alive, and only its machine is not this one: nothing renews the row any more.
  await pool.query("update computecloud_chunks set token = 'silent' where name = $1", [chunk]);
  const { all, error } = await collect(finished(queueOf().runMany(countTo(2), { journal: table })));
  expect([all.length, error]).toEqual([2, undefined]);
});

// finds mutant host-is-the-machine
test.each([
  ["another name", { host: "another-machine" }],
  ["the same name", { machine: "another-boot pid:[1]" }],
  ["the same name that tells no more", { machine: undefined, process: 0 }],
])("a run is refused once one on a machine with %s renews its lease", async (_, mark) => {
  // Alone, this test is the one that loads the client, which no shorter lease outlasts.
  const other = await elsewhere(3_000, mark);
  const { error } = await collect(finished(queueOf().runMany(countTo(2), { journal: table })));
  expect(String(error)).toMatch(/is in use by process \d+ on [\w-]+\. Wait until/);
  expect(server.submitted).toEqual([]);
  await other.append({ event: "closed", token: "other" });
});

test("takeOver takes the chunk at once, and the run that had it can't write, so it sends nothing", async () => {
  const other = await elsewhere(60_000);
  const { all } = await collect(finished(queueOf().runMany(countTo(2), { journal: table, takeOver: true })));
  expect(all).toHaveLength(2);
  const note: JournalEntry = { event: "submitting", index: 2, digest: "00000000" };
  await expect(other.append(note)).rejects.toThrow("Another run has taken over chunk");
  await expect(other.append(note)).rejects.toBeInstanceOf(JournalError);
  expect((await tableProgress(pool, chunk)).unanswered).toBe(0);
});

test("a restart of the database is waited for", async () => {
  const results: number[] = [];
  for await (const { index } of finished(queueOf().runMany(countTo(30), { journal: table, concurrency: 3 }))) {
    results.push(index);
    if (results.length !== 10) continue;
    await database.postgres.kill();
    setImmediate(() => void database.postgres.start());
  }
  expect(results.toSorted((a, b) => a - b)).toEqual(countTo(30));
  expect(new Set(server.submitted).size).toBe(30);
  expect(await collect(queueOf().runMany(countTo(30), { journal: table }))).toEqual({ all: [], error: undefined });
});

test("a chunk is taken at once where the answer to that was lost", async () => {
  let isLost = false;
  const losing: Sql["query"] = async (text, values) => {
    const answer = await pool.query(text, values);
    if (isLost || !text.startsWith("insert into computecloud_chunks")) return answer;
    isLost = true;
    throw new Error("Connection terminated unexpectedly");
  };
  const journal = journalOver(losing, { leaseMs: 3_600_000 });
  const { all } = await collect(finished(queueOf().runMany([0], { journal })));
  expect([all.length, isLost]).toEqual([1, true]);
});

// finds mutant late-write-counts
test("a write whose connection broke undoes nothing when the database gets to it late", async () => {
  const late: (() => Promise<unknown>)[] = [];
  const journal = journalOver((text, values) => {
    if (late.length === 2 || !text.startsWith("with holder")) return pool.query(text, values);
    late.push(() => pool.query(text, values));
    return Promise.reject(new Error("Query read timeout"));
  });
  const run = finished(queueOf().runMany([0], { journal }));
  const { value } = await run.next();
  for (const write of late) await write();
  expect(await table.find(0)).toBe(value?.job?.id);
  expect(await run.next()).toMatchObject({ done: true });
  expect(await tableProgress(pool, chunk)).toMatchObject({ held: 0, delivered: 1 });
});

// finds mutant read-from-a-standby
test("a standby that connections lead to during a fail-over is not read, and its refusals are waited for", async () => {
  await collect(finished(queueOf().runMany([0], { journal: table })));
  const standby = new Pool({ connectionString: database.postgres.url, options: "-c default_transaction_read_only=on" });
  const met = new Set<string>();
  const answered: string[] = [];
  const journal = journalOver(async (text, values) => {
    if (met.has(text) || text.includes("token = null")) return pool.query(text, values);
    met.add(text);
    const answer = await standby.query(text, values);
    answered.push(text.split(" ", 1)[0] ?? "");
    return answer;
  });
  const { all, error } = await collect(finished(queueOf().runMany([0, 1], { journal })));
  await standby.end();
  expect([all.map(({ index }) => index), error]).toEqual([[1], undefined]);
  expect(server.submitted).toEqual([0, 1]);
  // The tables are there already.
  expect(answered).toEqual(["do"]);
});

test("an error of SQL ends the batch at once, and the same object journals the next run", async () => {
  let isBroken = true;
  const journal = journalOver((text, values) => {
    const isToFail = isBroken && text.startsWith("with holder");
    return pool.query(isToFail ? text.replace("computecloud_inputs", "no_such_table") : text, values);
  });
  const { error } = await collect(queueOf().runMany([0], { journal }));
  expect(String(error)).toContain(`The journal can't be written (relation "no_such_table" does not exist)`);
  expect(server.submitted).toEqual([]);
  isBroken = false;
  expect(await collect(finished(queueOf().runMany([0], { journal })))).toMatchObject({ all: [{}], error: undefined });
});

/** A connection that never answers, as one that a firewall has forgotten. */
const silence = () => new Promise<never>(() => {});

test("a statement that is not answered is sent again, and a run whose writes stay silent renews nothing and ends", async () => {
  const renewals: number[] = [];
  let silent = 0;
  const query: Sql["query"] = (text, values) => {
    if (text.startsWith("update computecloud_chunks set expires")) renewals.push(silent);
    if (!text.startsWith("with holder") || silent === 0) return pool.query(text, values);
    silent += 1;
    return silent === 2 || silent >= 6 ? silence() : pool.query(text, values);
  };
  const journal = journalOver(query, { leaseMs: 1_200 });
  await journal.append({ event: "opened", token: "mine", ...ownMark() });
  silent = 1;
  await journal.append({ event: "submitting", index: 0, digest: "5feceb66" });
  expect(silent).toBe(3);
  silent = 6;
  const note: JournalEntry = { event: "submitting", index: 1, digest: "6b86b273" };
  await expect(soon(journal.append(note))).rejects.toThrow("has not answered in time");
  // One at most began before the write was that old.
  expect(renewals.filter((during) => during >= 6).length).toBeLessThanOrEqual(1);
  await until(async () => (await tableProgress(pool, chunk)).held === 0);
  await journal.append({ event: "closed", token: "mine" });
});

test.each(["signal", "close", "timeoutMs"])(
  "a run ends by %s although the database is silent, or another has its chunk",
  async (how) => {
    const other = await elsewhere(3_600_000);
    let isSilent = false;
    const sql: Sql = { query: (text, values) => (isSilent ? silence() : pool.query(text, values)) };
    for (const [journal, hasChunk] of [
      [table, false],
      [tableJournal(sql, `${chunk}/2`, { leaseMs: 3_000 }), true],
    ] as const) {
      const abort = new AbortController();
      const client = server.client({ clock: undefined });
      const batch = client.queue("e").runMany(countTo(30), {
        ...{ journal, concurrency: 2, signal: abort.signal },
        ...(how === "timeoutMs" && { timeoutMs: 1_000 }),
        request: (input) => {
          isSilent = hasChunk && input === 1;
          return { input };
        },
      });
      const ended = soon(collect(hasChunk ? finished(batch) : batch));
      await (hasChunk ? until(() => isSilent) : new Promise(setImmediate));
      if (how === "signal") abort.abort(new RangeError("enough"));
      if (how === "close") await soon(client.close());
      const { error } = await ended;
      expect(String(error)).toMatch(/enough|closed|timeoutMs|no final result|not answered in time/);
    }
    await other.append({ event: "closed", token: "other" });
  },
);

test("a query that throws is one that rejects, also between the statements of a run", async () => {
  let thrown = 0;
  const throwing: Sql["query"] = (text, values) => {
    thrown += 1;
    if (thrown % 2 === 1) throw new Error("Connection terminated unexpectedly");
    return pool.query(text, values);
  };
  const journal = journalOver(throwing, { leaseMs: 300 });
  await journal.append({ event: "opened", token: "mine", ...ownMark() });
  const before = thrown;
  await until(() => thrown > before + 2);
  await journal.append({ event: "closed", token: "mine" }).catch(() => {});
});

test.each([Number.NaN, -1, 0, 99, 1e9, Infinity])("a lease of %s ms is refused", (leaseMs) => {
  expect(() => tableJournal(pool, chunk, { leaseMs })).toThrow(
    `leaseMs is ${leaseMs}; it takes 100 to 86400000 milliseconds.`,
  );
});

test("a client inside a transaction is refused, and nobody waits for it", async () => {
  const client = await pool.connect();
  await client.query("begin");
  const { error } = await collect(queueOf().runMany([0], { journal: tableJournal(client, chunk) }));
  expect(String(error)).toContain("This client is inside a transaction");
  await expect(tableProgress(client, chunk)).rejects.toThrow("inside a transaction");
  expect((await collect(finished(queueOf().runMany([0], { journal: table })))).all).toHaveLength(1);
  await client.query("rollback");
  client.release();
  expect(server.submitted).toEqual([0]);
});

test("received notes the job of an input that the chunk has, and nothing else", async () => {
  await table.append({ event: "opened", token: "mine", ...ownMark() });
  await table.append({ event: "submitting", index: 0, digest: "5feceb66" });
  expect(await table.received(1, { id: "a" })).toBe(false);
  expect([await table.received(0, { id: "a" }), await table.received(0, { id: "b" })]).toEqual([true, true]);
  expect(await table.find(0)).toBe("a");
  for (const [index, id] of [
    [0, ""],
    [-1, "a"],
    [Number.NaN, "a"],
  ] as const)
    await expect(table.received(index, { id })).rejects.toThrow(`received(${index}, { id: ${id} })`);
  await table.append({ event: "closed", token: "mine" });
});

test("progress counts over all chunks of a prefix", async () => {
  const run = queueOf().runMany(countTo(3), { journal: table, concurrency: 3 });
  server.finishAtOnce(0);
  await run.next();
  await collect(finished(queueOf().runMany([7, 8], { journal: tableJournal(pool, `${chunk}/2`) })));
  await until(() => server.submitted.length === 5);
  await until(async () => (await tableProgress(pool, chunk)).unanswered === 0);
  expect(await tableProgress(pool, chunk)).toEqual({ chunks: 2, held: 1, delivered: 2, running: 3, unanswered: 0 });
  const { error } = await collect(queueOf().runMany(countTo(3), { journal: table, takeOver: true }));
  expect(String(error)).toContain("is in use by another run of this program");
  await run.return();
  expect(await tableProgress(pool, chunk)).toMatchObject({ held: 0 });
});

test("tables are created once, by whoever comes first of many", async () => {
  for (const _ of countTo(5)) {
    await pool.query("drop table computecloud_inputs, computecloud_chunks, computecloud_journal");
    await Promise.all(countTo(8).map(() => tableProgress(pool, chunk)));
  }
  expect((await pool.query("select * from computecloud_journal")).rows).toHaveLength(1);
});

test("tables of a later version ask for an update", async () => {
  await pool.query("update computecloud_journal set version = 2");
  const { error } = await collect(queueOf().runMany([0], { journal: table }));
  await pool.query("update computecloud_journal set version = 1");
  expect(String(error)).toContain("update the package");
});

test("a job whose answer was lost is found by its webhook's post", async () => {
  server.steps.run = server.takes((body) => {
    if (server.submitted.at(-1) !== 1) return json(body);
    // The service has the job, and its post comes after the answer was lost.
    setImmediate(() => {
      server.finish(0, 1);
      void tableJournal(pool, chunk).received(1, { id: "1" });
    });
    return reset;
  });
  const { all } = await collect(queueOf().runMany([0, 1], { journal: table, findLost: table.find.bind(table) }));
  expect(all.map(({ index, job, error }) => [index, job?.output, error]).toSorted()).toEqual([
    [0, 0, undefined],
    [1, 1, undefined],
  ]);
  expect(server.submitted).toHaveLength(2);
});

test("a job that an earlier run submitted is looked for, and what can't be found stays a SubmissionLostError", async () => {
  const patient = server.client().queue("e");
  const run = (options: object) => collect(patient.runMany([0, 1], { journal: table, concurrency: 1, ...options }));
  await table.append({ event: "opened", token: "dead", ...ownMark(), process: 0 });
  await table.append({ event: "batch", version: 2, endpointId: "e" });
  await table.append({ event: "submitting", index: 0, digest: "5feceb66" });
  await table.append({ event: "submitting", index: 1, digest: "6b86b273" });
  await table.append({ event: "closed", token: "dead" });
  server.jobs.set("0", "COMPLETED");
  const { all } = await run({ timeoutMs: 60_000, findLost: (index: number) => (index === 0 ? "0" : undefined) });
  expect(all.find(({ index }) => index === 0)?.job?.output).toBe(0);
  expect(all.find(({ index }) => index === 1)?.error).toBeInstanceOf(SubmissionLostError);
  expect(server.submitted).toEqual([]);
});

test("a run that is left while it looks for a job names the input, and the next one looks again", async () => {
  const abort = new AbortController();
  const { orphans, onOrphan } = orphansOf();
  server.steps.run = server.takes(() => reset);
  const options = {
    journal: table,
    findLost: () => {
      setImmediate(() => abort.abort());
      return silence();
    },
    onOrphan,
  };
  await soon(collect(queueOf().runMany([5], { ...options, signal: abort.signal })));
  expect(orphans).toEqual([{ index: 0, id: undefined, error: expect.any(SubmissionLostError) }]);
  server.finish(5);
  const { all } = await collect(queueOf().runMany([5], { journal: table, findLost: () => "5" }));
  expect(all).toMatchObject([{ index: 0, job: { output: 5 } }]);
});
