import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, jest, test } from "@jest/globals";
import { ownMark } from "../../common/isRunning";
import { checkout } from "../../tools/run/environment";
import { collect, countTo } from "../harness/jobServer";
import { json } from "../harness/script";
import { until } from "../harness/until";
import { Batch, finished, folder, journal, type Line, queueOf, refusalOf, server, sorted } from "./journals";

// What only a journal in a file has to see to: its lines, its disk, its owner, and the runs of its machine.

function isolated<T>(load: () => T): T {
  const loaded: T[] = [];
  jest.isolateModules(() => void loaded.push(load()));
  const [only] = loaded;
  if (only === undefined) throw new Error("nothing was loaded");
  return only;
}

describe("one run at a time in this process", () => {
  /** A batch that is not refused waits for jobs that nobody finishes: it ends by its signal. */
  const busy = async () => {
    await until(() => server.submitted.length === 5);
    return refusalOf(queueOf().runMany(countTo(5), { journal, signal: AbortSignal.timeout(10_000) }));
  };

  // finds mutant threads-twice
  test("keeps out a batch of another thread, which the error names, until the program says that it has ended", async () => {
    const env = { ...process.env, ADDRESS: server.address, JOURNAL: journal, INPUTS: "5" };
    const worker = new Worker(join(__dirname, "batchProgram.cjs"), { env, stdout: true });
    const { threadId } = worker;
    const refusal = await busy().finally(() => worker.terminate());
    expect(refusal).toContain(`in use by process ${process.pid}, thread ${threadId}, on `);
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

describe("a file", () => {
  test("whose last line a kill cut off goes on", async () => {
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

  test("is for its owner, and holds neither inputs nor outputs", async () => {
    server.jobs.set("7", "COMPLETED");
    server.steps.run = json({ id: "7", status: "IN_QUEUE" });
    const { all } = await collect(queueOf().runMany(["a secret prompt"], { journal }));
    expect(all[0]?.job?.id).toBe("7");
    expect(statSync(journal).mode & 0o077).toBe(0);
    expect(readFileSync(journal, "utf8")).not.toContain("secret");
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
    await second.finish();
    expect(new Set(server.submitted).size).toBe(server.submitted.length);
  });

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

  test("that is another one, a folder, a pipe, a device, or in none, says so, and is left as it is", async () => {
    const inputs = folder.at("inputs.jsonl");
    writeFileSync(inputs, '{"prompt":"hi"}\n');
    expect(await refusalOf(queueOf().runMany(["a"], { journal: inputs }))).toContain("is a file, but not a journal");
    expect(readFileSync(inputs, "utf8")).toBe('{"prompt":"hi"}\n');
    spawnSync("mkfifo", [folder.at("pipe")]);
    for (const journal of [folder.path, folder.at("pipe"), "/dev/null", folder.at("none", "batch.jsonl")]) {
      const refusal = await refusalOf(queueOf().runMany(countTo(2), { journal }));
      expect(refusal).toMatch(/can't be opened as a journal: (E|it is a pipe).* Pass the path of a file/);
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

  const [boot = "", space = ""] = (ownMark().machine ?? "").split(" ");
  test.each([
    ["on another machine", { host: "another-machine" }, boot !== ""],
    ["in another container of this machine", { machine: `${boot} pid:[1]` }, boot !== ""],
    ["of an earlier boot, which has ended", { machine: `an-earlier-boot ${space}` }, false],
  ])("in a file that a run did not close: %s", async (_, where, isRefused) => {
    await collect(finished(queueOf().runMany(countTo(2), { journal })));
    const left = { event: "opened", token: "left", ...ownMark(), ...where };
    writeFileSync(journal, `${readFileSync(journal, "utf8")}${JSON.stringify(left)}\n`);
    if (isRefused) {
      const refusal = await refusalOf(queueOf().runMany(countTo(3), { journal }));
      expect(refusal).toContain("a file is for one machine. Continue there or, if it has ended, pass takeOver: true.");
      expect(server.submitted).toHaveLength(2);
    }
    const { error } = await collect(finished(queueOf().runMany(countTo(3), { journal, takeOver: isRefused })));
    expect(error).toBeUndefined();
    expect(server.submitted).toHaveLength(3);
  });
});
