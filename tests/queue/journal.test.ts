import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import {
  AuthenticationError,
  type JournalEntry,
  JournalError,
  type JournalStore,
  type Orphan,
  type Queue,
  ResultExpiredError,
  SubmissionLostError,
} from "../../client";
import { ownMark } from "../../common/isRunning";
import { checkout } from "../../tools/run/checkout";
import { collect } from "../harness/collect";
import { folderForEach } from "../harness/folder";
import { serverForEach } from "../harness/forEach";
import { countTo, JobServer } from "../harness/jobServer";
import { json, silence } from "../harness/script";
import { until } from "../harness/until";

// Batches that go on where an earlier run was killed, or ended: processes of their own before a server in this one.

const server = serverForEach(new JobServer());
const folder = folderForEach();
let journal: string;
const running: Batch[] = [];

beforeEach(() => {
  journal = folder.at("batch.jsonl");
});
afterEach(async () => {
  for (const batch of running.splice(0)) await batch.kill();
});

interface Line {
  index: number;
  output?: number;
  error?: string;
  again?: true;
  message?: string;
  jobIds?: string[];
}

/** A batch that a process of its own runs. */
class Batch {
  readonly lines: Line[] = [];
  readonly #child;
  readonly ended: Promise<unknown>;

  /** @param most the size in bytes to which its files may grow: the system then fails writes, as on a full disk */
  constructor(env: Record<string, string>, most?: number) {
    const limit = most === undefined ? "" : `trap "" XFSZ; ulimit -f ${most / 512}; `;
    const program = join(__dirname, "batchProgram.cjs");
    this.#child = spawn("sh", ["-c", `${limit}exec "$0" "$1"`, process.execPath, program], {
      env: { ...process.env, ADDRESS: server.address, JOURNAL: journal, ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface(this.#child.stdout).on("line", (line) => this.lines.push(JSON.parse(line)));
    this.ended = once(this.#child, "close");
    running.push(this);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}

function isolated<T>(load: () => T): T {
  const loaded: T[] = [];
  jest.isolateModules(() => void loaded.push(load()));
  const [only] = loaded;
  if (only === undefined) throw new Error("nothing was loaded");
  return only;
}

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
const queueOf = (id = "e"): Queue => server.client({ clock: undefined }).queue(id);

describe("one run at a time in this process", () => {
  const busy = async () => {
    await until(() => server.submitted.length === 5);
    return refusalOf(queueOf().runMany(countTo(5), { journal }));
  };

  // finds mutant threads-twice
  test("keeps out a batch of another thread, which the error names, until the program says that it has ended", async () => {
    const env = { ...process.env, ADDRESS: server.address, JOURNAL: journal, INPUTS: "5" };
    const worker = new Worker(join(__dirname, "batchProgram.cjs"), { env, stdout: true });
    expect(await busy()).toContain(`in use by process ${process.pid}, thread ${worker.threadId}, on `);
    await worker.terminate();
    expect(await busy()).toContain("If its thread has ended without closing it, pass takeOver: true.");
    server.finish(...countTo(5));
    expect((await collect(queueOf().runMany(countTo(5), { journal, takeOver: true }))).all).toHaveLength(5);
    expect(server.submitted).toHaveLength(5);
  });

  test("keeps out a batch of another copy of the package, until it has ended", async () => {
    const first = collect(queueOf().runMany(countTo(5), { journal }));
    await until(() => server.submitted.length === 5);
    const copy = isolated(() => jest.requireActual<typeof import("../../client")>("../../client"));
    const addresses = { baseUrl: server.address, serverlessUrl: server.address, graphqlUrl: server.address };
    const client = copy.createClient({ apiKey: "a-key", ...addresses });
    const second = () => collect(client.queue("e").runMany(countTo(6), { journal }));
    expect((await second()).error).toMatchObject({ message: expect.stringContaining("is in use by process") });
    server.finish(...countTo(6));
    await first;
    server.finishAtOnce();
    expect(await second()).toMatchObject({ all: [{ index: 5 }], error: undefined });
    await client.close();
    expect(server.submitted).toHaveLength(6);
  });
});

describe("a batch that is killed", () => {
  test("goes on where it was: no input is submitted twice, no result delivered twice", async () => {
    const first = new Batch({ INPUTS: "60" });
    await until(() => {
      server.finish(...server.submitted.filter((n) => n < 25));
      return first.lines.length >= 20 && server.submitted.length > 30;
    });
    await first.kill();

    const second = new Batch({ INPUTS: "60" });
    await until(() => {
      server.finish(...server.submitted);
      return second.lines.length + first.lines.length >= 60;
    });
    await second.ended;
    expect(new Set(server.submitted).size).toBe(server.submitted.length);
    const delivered = [...first.lines, ...second.lines].filter(({ again }) => again === undefined);
    expect(sorted(delivered.map(({ index }) => index))).toEqual(countTo(60));
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
      server.steps.run = (request, response) =>
        server.take(request, response, (body) => (server.submitted.at(-1) === 3 ? silence : json(body)));
      const first = new Batch({ INPUTS: "6", IDEMPOTENT: String(idempotent) });
      await until(() => {
        server.finish(0, 1, 2, 4, 5);
        return first.lines.length === 5 && server.submitted.includes(3);
      });
      await first.kill();

      server.steps = {};
      const second = new Batch({ INPUTS: "6", IDEMPOTENT: String(idempotent) });
      await until(() => {
        server.finish(...server.submitted);
        return second.lines.some(({ index }) => index === 3);
      });
      await second.ended;
      expect(server.submitted.filter((n) => n === 3)).toHaveLength(idempotent ? 2 : 1);
      const of3 = second.lines.find(({ index }) => index === 3);
      expect(of3).toEqual(idempotent ? { index: 3, output: 3 } : { index: 3, error: "SubmissionLostError" });
    },
  );

  test("while a result is worked on gets that one again, marked, and no other", async () => {
    const first = new Batch({ INPUTS: "4", STAY_AT: "3" });
    await until(() => {
      server.finish(...server.submitted);
      return first.lines.length === 3;
    });
    await first.kill();

    const second = new Batch({ INPUTS: "4" });
    await second.ended;
    const again = first.lines.at(-1)?.index;
    expect(second.lines.filter((line) => line.again).map(({ index }) => index)).toEqual([again]);
    expect(sorted([...first.lines.slice(0, 2), ...second.lines].map(({ index }) => index))).toEqual(countTo(4));
    expect(sorted(server.submitted)).toEqual(countTo(4));
  });

  test("and whose last line was cut off goes on", async () => {
    await collect(finished(queueOf().runMany(countTo(3), { journal })));
    const text = readFileSync(journal, "utf8");
    writeFileSync(journal, text.slice(0, text.lastIndexOf('{"event":"closed"') + 20));
    const { all, error } = await collect(finished(queueOf().runMany(countTo(5), { journal })));
    expect(error).toBeUndefined();
    expect(sorted(all.map(({ index }) => index))).toEqual([3, 4]);
    // What was cut stays where it was, and the next run reads over it too.
    const third = await collect(finished(queueOf().runMany(countTo(5), { journal })));
    expect(third).toEqual({ all: [], error: undefined });
    expect(server.submitted).toHaveLength(5);
  });
});

/** Has each job finish as soon as it was submitted. */
function finished<T>(batch: T): T {
  server.finishAtOnce();
  return batch;
}

/** The words with which a journal ends a batch. */
async function refusalOf(batch: Parameters<typeof collect>[0]): Promise<string> {
  const { error } = await collect(batch);
  expect(error).toBeInstanceOf(JournalError);
  return String(error);
}

describe("a journal", () => {
  test("belongs to one run at a time, in this process and among processes", async () => {
    const other = new Batch({ INPUTS: "2" });
    await until(() => server.submitted.length === 2);
    const inUse = await refusalOf(queueOf().runMany(countTo(2), { journal }));
    expect(inUse).toMatch(/is in use by process \d+ on .+\. Wait until/);
    await other.kill();

    const mine = queueOf().runMany(countTo(2), { journal });
    server.finish(0, 1);
    await mine.next();
    await refusalOf(queueOf().runMany(countTo(2), { journal }));
    await mine.return();
    const { all, error: none } = await collect(queueOf().runMany(countTo(2), { journal }));
    expect(none).toBeUndefined();
    expect(all.length).toBeGreaterThan(0);
    expect(server.submitted).toHaveLength(2);
  });

  test("of other inputs, of another endpoint or of something else is refused, and the file left as it is", async () => {
    await collect(finished(queueOf().runMany([1, 2], { journal })));
    const other = await refusalOf(queueOf().runMany([1, 3], { journal }));
    expect(other).toContain("Input 1 is not the one that the journal has");
    expect(await refusalOf(queueOf("f").runMany([1, 2], { journal }))).toContain("for endpoint e, not for f");
    const inputs = folder.at("inputs.jsonl");
    writeFileSync(inputs, '{"prompt":"hi"}\n');
    const noJournal = await refusalOf(queueOf().runMany(["a"], { journal: inputs }));
    expect(noJournal).toContain("is a file, but not a journal");
    expect(readFileSync(inputs, "utf8")).toBe('{"prompt":"hi"}\n');
    expect(server.submitted).toHaveLength(2);
  });

  test("is for its owner, and holds neither inputs nor outputs", async () => {
    server.jobs.set("7", "COMPLETED");
    server.steps.run = json({ id: "7", status: "IN_QUEUE" });
    const { all } = await collect(queueOf().runMany(["a secret prompt"], { journal }));
    expect(all[0]?.job?.id).toBe("7");
    expect(statSync(journal).mode & 0o077).toBe(0);
    expect(readFileSync(journal, "utf8")).not.toContain("secret");
  });

  // finds mutant journal-unread
  test("that is left early leaves the jobs to the next run, and names them", async () => {
    const orphans: Orphan[] = [];
    const options = { journal, onOrphan: (orphan: Orphan) => orphans.push(orphan) };
    server.steps.run = (request, response) =>
      server.take(request, response, (body) => {
        server.finish(0);
        return json(body);
      });
    for await (const { index } of queueOf().runMany(countTo(4), options)) {
      expect(index).toBe(0);
      await until(() => server.submitted.length === 4);
      break;
    }
    expect(orphans.map(({ id }) => id).toSorted()).toEqual(["1", "2", "3"]);
    expect(server.running).toEqual(["1", "2", "3"]);

    server.finish(1, 2, 3);
    const { all } = await collect(queueOf().runMany(countTo(4), { journal }));
    expect(all.map(({ index, job, again }) => [index, job?.output, again]).toSorted()).toEqual([
      [0, 0, true],
      [1, 1, undefined],
      [2, 2, undefined],
      [3, 3, undefined],
    ]);
    expect(server.submitted).toHaveLength(4);
  });

  test("has inputs that were refused submitted by the next run", async () => {
    server.steps.run = json({ error: "bad key" }, 401);
    const { error } = await collect(queueOf().runMany(countTo(3), { journal }));
    expect(error).toBeInstanceOf(AuthenticationError);
    const { all } = await collect(finished(queueOf().runMany(countTo(3), { journal })));
    expect(all.map(({ job }) => job?.output)).toHaveLength(3);
    expect(sorted(server.submitted)).toEqual(countTo(3));
  });

  test("has a job whose result is gone told of, or submitted again where that does no harm", async () => {
    const entries = (at: number): JournalEntry[] => [
      { event: "batch", version: 2, endpointId: "e" },
      { event: "submitting", index: 0, digest: "5feceb66" },
      { event: "submitted", index: 0, id: "gone", at },
    ];
    const hour = 3_600_000;
    const told = await collect(queueOf().runMany([0], { journal: new Kept(entries(Date.now() - hour)) }));
    expect(told.all[0]?.error).toBeInstanceOf(ResultExpiredError);
    expect(server.submitted).toEqual([]);
    const again = { journal: new Kept(entries(Date.now() - hour)), idempotent: true };
    const { all } = await collect(finished(queueOf().runMany([0], again)));
    expect(all[0]?.job?.output).toBe(0);
    expect(server.submitted).toEqual([0]);
  });

  test("on a full disk ends the batch with the ids of its jobs, and goes on when there is room", async () => {
    const first = new Batch({ INPUTS: "50", CONCURRENCY: "50" }, 8 * 512);
    await first.ended;
    const { error, message, jobIds } = first.lines.at(-1) ?? ({} as Partial<Line>);
    expect([error, message]).toEqual([
      "JournalError",
      expect.stringMatching(/The journal can't be written \(E\w+: .* of its jobs may run on/),
    ]);
    expect(jobIds?.toSorted()).toEqual(server.running.toSorted());
    expect(server.running.length).toBeGreaterThan(10);
    const written = readFileSync(journal, "utf8").trimEnd().split("\n");
    expect(written.map((line) => typeof JSON.parse(line))).not.toContain("string");

    const second = new Batch({ INPUTS: "50", CONCURRENCY: "50" });
    await until(() => {
      server.finish(...server.submitted);
      return second.lines.length === 50;
    });
    await second.ended;
    expect(new Set(server.submitted).size).toBe(server.submitted.length);
  }, 60_000);

  test("keeps nothing of a line of which a full disk takes a part", () => {
    // 300 bytes a line: no limit in blocks of 512 falls between two of them.
    const program = `
      const { LineFile } = require("./dist/common/lineFile");
      LineFile.open(process.argv[1]).then((file) => { for (;;) file.append({ fill: "x".repeat(288) }); })
        .catch(({ code }) => console.log(code));`;
    const limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" -e "$1" "$2"';
    const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, program, journal], { cwd: checkout });
    expect(stdout.toString().trim()).toBe("EFBIG");
    const { size } = statSync(journal);
    expect(size).toBeGreaterThan(0);
    expect(size % 300).toBe(0);
  });

  test("that is a folder, or in none, says so", async () => {
    for (const journal of [folder.path, folder.at("none", "batch.jsonl")]) {
      const refusal = await refusalOf(queueOf().runMany(countTo(2), { journal }));
      expect(refusal).toMatch(/can't be opened as a journal: E.* Pass the path of a file/);
    }
  });

  test("of a dead run whose process id another process has goes on at once", async () => {
    await collect(finished(queueOf().runMany(countTo(2), { journal })));
    const text = readFileSync(journal, "utf8");
    const mark = { ...ownMark(), process: process.ppid };
    const [{ started }] = [JSON.parse(text.split("\n")[0] ?? "")];
    const onLinux = process.platform === "linux";
    if (onLinux) expect(started).toMatch(/^\d+$/);
    writeFileSync(journal, `${text}${JSON.stringify({ event: "opened", token: "dead", ...mark, started: "1" })}\n`);
    const { error } = await collect(finished(queueOf().runMany(countTo(3), { journal })));
    if (onLinux) expect(error).toBeUndefined();
    expect(server.submitted).toHaveLength(onLinux ? 3 : 2);
  });

  test("with a damaged line that is not the last of a run is refused, and the line named", async () => {
    await collect(finished(queueOf().runMany(countTo(3), { journal })));
    const lines = readFileSync(journal, "utf8").split("\n");
    for (const [at, damage] of [
      [4, '{"event":"submi'],
      [5, '{"event":"submitted","index":"x"}'],
    ] as const) {
      writeFileSync(journal, lines.toSpliced(at - 1, 1, damage).join("\n"));
      const refusal = await refusalOf(finished(queueOf().runMany(countTo(3), { journal })));
      expect(refusal).toContain(`Line ${at} of the journal is damaged`);
    }
    expect(server.submitted).toHaveLength(3);
  });

  test("knows the job's input, whatever the row is that it is made of", async () => {
    const rows = [new Map([["n", 7n]]), new Map([["n", 8n]])];
    const request = (row: Map<string, bigint>) => ({ input: Number(row.get("n")) });
    const { all } = await collect(finished(queueOf().runMany(rows, { journal, request })));
    expect(all).toHaveLength(2);
    expect(await collect(queueOf().runMany(rows, { journal, request }))).toEqual({ all: [], error: undefined });
    const other = (row: Map<string, bigint>) => ({ input: Number(row.get("n")) + 1 });
    const refusal = await refusalOf(queueOf().runMany(rows, { journal, request: other }));
    expect(refusal).toContain("Input 0 is not the one that the journal has");
    expect(server.submitted).toEqual([7, 8]);
  });

  test("of a later version asks for an update", async () => {
    const later = [{ event: "batch", version: 3, endpointId: "e" }] as unknown[] as JournalEntry[];
    const refusal = await refusalOf(queueOf().runMany([0], { journal: new Kept(later) }));
    expect(refusal).toContain("Update this package");
  });

  describe("in a store of one's own", () => {
    test("may be read asynchronously", async () => {
      const kept = new Kept();
      const journal = { entries: async () => [...kept.entries()], append: (entry: JournalEntry) => kept.append(entry) };
      expect((await collect(finished(queueOf().runMany(countTo(3), { journal })))).all).toHaveLength(3);
      expect(await collect(queueOf().runMany(countTo(3), { journal }))).toEqual({ all: [], error: undefined });
    });

    test("keeps runs elsewhere out by itself, so that one which did not close it has ended", async () => {
      const { host, ...mark } = ownMark();
      const kept = new Kept([{ event: "opened", token: "dead", ...mark, host: "another-machine" }]);
      const { error } = await collect(finished(queueOf().runMany(countTo(3), { journal: kept })));
      expect(error).toBeUndefined();
      expect(server.submitted).toEqual([0, 1, 2]);
    });
  });

  const [boot = "", space = ""] = (ownMark().machine ?? "").split(" ");
  test.each([
    ["on another machine", { host: "another-machine" }, boot !== ""],
    ["in another container of this machine", { machine: `${boot} pid:[1]` }, boot !== ""],
    ["of an earlier boot, which has ended", { machine: `an-earlier-boot ${space}` }, false],
  ])("in a file that a run did not close: %s", async (_, where, isRefused) => {
    await collect(finished(queueOf().runMany(countTo(2), { journal })));
    const left = { event: "opened", token: "left", ...ownMark(), ...where };
    writeFileSync(
      journal,
      `${readFileSync(journal, "utf8")}{"event":"alive","token":"old"}\n${JSON.stringify(left)}\n`,
    );
    if (isRefused) {
      const refusal = await refusalOf(queueOf().runMany(countTo(3), { journal }));
      expect(refusal).toContain("a file is for one machine. Continue there or, if it has ended, pass takeOver: true.");
      expect(server.submitted).toHaveLength(2);
    }
    const { error } = await collect(finished(queueOf().runMany(countTo(3), { journal, takeOver: isRefused })));
    expect(error).toBeUndefined();
    expect(server.submitted).toHaveLength(3);
  });

  test("that can't be written ends the batch before anything else is submitted", async () => {
    const store = new Kept();
    store.room = 3;
    const orphans: Orphan[] = [];
    const onOrphan = (orphan: Orphan) => orphans.push(orphan);
    const options = { journal: store, concurrency: 1, onOrphan };
    const { error } = await collect(finished(queueOf().runMany(countTo(9), options)));
    expect(error).toBeInstanceOf(JournalError);
    expect(error).toMatchObject({ cause: { message: "no room" } });
    expect(server.submitted).toEqual([0]);
    expect(orphans.map(({ id }) => id)).toEqual(["0"]);
  });
});

/** A store of one's own. */
class Kept implements JournalStore {
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

test("a lost answer counts as delivered once it was told", async () => {
  const store = new Kept([
    { event: "batch", version: 2, endpointId: "e" },
    { event: "submitting", index: 0, digest: "5feceb66" },
  ]);
  const { all } = await collect(queueOf().runMany([0], { journal: store }));
  expect(all[0]?.error).toBeInstanceOf(SubmissionLostError);
  expect((await collect(queueOf().runMany([0], { journal: store }))).all).toEqual([]);
  expect(server.submitted).toEqual([]);
});
