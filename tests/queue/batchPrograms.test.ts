import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { tableProgress } from "../../client/queue/journalTable";
import { checkout, scratch } from "../../tools/run/environment";
import { freePort } from "../../tools/run/freePort";
import { blocksOf } from "../docs/pages";
import { databaseForAll } from "../harness/database";
import { folderForAll } from "../harness/folder";
import { countTo } from "../harness/jobServer";
import { placeForAll } from "../harness/place";
import { until } from "../harness/until";

// The programs of examples/batch and of the pages on batches, as they stand. `troubledBatch.test.ts` kills them.

const place = placeForAll();
const database = databaseForAll();
let env: NodeJS.ProcessEnv;
const folder = folderForAll(scratch);
let running: ChildProcess[] = [];

beforeEach(async () => {
  const { endpointId } = await place.queue("echo");
  const port = String(await freePort());
  const { apiKey, serverlessUrl } = place.emulator;
  const queue = { COMPUTECLOUD_API_KEY: apiKey, COMPUTECLOUD_SERVERLESS_URL: serverlessUrl, ENDPOINT_ID: endpointId };
  const receiver = { PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: port, WEBHOOK_SECRET: "a long text" };
  env = { ...process.env, ...queue, ...receiver, DATABASE_URL: database.postgres.url, MACHINES: "2", CHUNK: "10" };
});
afterEach(async () => {
  for (const program of running) program.kill("SIGKILL");
  running = [];
  await place.reset();
  // The example's chunks have the names of the page's.
  await database.pool.query(
    "drop table if exists results, computecloud_inputs, computecloud_chunks, computecloud_journal",
  );
});

function start(program: string, ...args: string[]) {
  const options = ["-r", "ts-node/register/transpile-only", program, ...args];
  const child = spawn(process.execPath, options, { env, cwd: folder.path, stdio: ["ignore", "pipe", "ignore"] });
  running.push(child);
  return child;
}

/** A page's program, with the endpoint's id and the receiver's address in place of its own. */
function programOf(page: string, block: number): string {
  const program = folder.at(`${page}-${block}.ts`);
  const code = blocksOf(`docs/${page}.md`, "ts")[block]?.code ?? "";
  const replaced = code
    .replaceAll("4kqwe7f0", env.ENDPOINT_ID ?? "")
    .replaceAll("https://example.com", env.PUBLIC_URL ?? "");
  writeFileSync(program, replaced);
  return program;
}

/** A key that is refused in the middle, and an answer that brings the id of a job is lost. */
async function trouble(): Promise<void> {
  await place.fault({ operation: "run", nth: 4, times: 3 }, { status: 401 });
  await place.fault({ operation: "status", nth: 6, times: 3 }, { status: 401 });
  await place.fault({ operation: "run", nth: 9 }, { drop: "after" });
}

const outputs = async () =>
  (await database.pool.query("select n from results where output is not null and error is null")).rows;
const prompts = (count: number) => countTo(count).map((n) => `{"prompt":"picture ${n}"}`);
const submitted = async () => ((await place.state()).jobs ?? []).map((job) => JSON.stringify(job.input)).toSorted();

test("examples/batch has each output once, over two workers, a refused key and a lost answer, and SIGTERM ends it", async () => {
  const program = join(checkout, "examples/batch/index.ts");
  expect(await once(start(program, "fill", "60"), "close")).toEqual([0, null]);
  await trouble();
  const programs = ["receive", "work", "work"].map((command) => start(program, command));
  await until(async () => (await outputs()).length === 60);
  // A result is stored before its note says so.
  await until(async () => (await tableProgress(database.pool, "pictures/")).delivered === 60);
  const progress = await tableProgress(database.pool, "pictures/");
  expect(progress).toMatchObject({ chunks: 6, delivered: 60, running: 0, unanswered: 0 });
  const ended = Promise.all(programs.map((worker) => once(worker, "close")));
  for (const worker of programs) worker.kill("SIGTERM");
  expect(await ended).toEqual(programs.map(() => [0, null]));
  expect(await submitted()).toEqual(prompts(60).toSorted());
});

test("the programs of the page on machines have each output once, whenever the key is refused or an answer is lost", async () => {
  for (const { code } of blocksOf("docs/batches-on-machines.md", "sql")) await database.pool.query(code);
  await trouble();
  start(programOf("batches-on-machines", 1));
  const codes: unknown[] = [];
  while (codes.at(-1) !== 0)
    codes.push((await once(start(programOf("batches-on-machines", 0), "0", "20"), "close"))[0]);
  expect(codes.length).toBeGreaterThan(1);
  await until(async () => (await outputs()).length === 20);
  expect(await submitted()).toEqual(prompts(20).toSorted());
  const progress = start(programOf("batches-on-machines", 2));
  expect(await text(progress.stdout)).toBe("20 delivered, 0 running, 0 without an answer; 0 of 1 chunks held\n");
});

test.each(blocksOf("docs/batches.md", "ts").map(({ line }, block) => [line, block]))(
  "the block of batches.md at line %i runs as it stands, and prints what it got",
  async (_, block) => {
    const program = start(programOf("batches", block));
    const ended = once(program, "close");
    expect(await text(program.stdout)).toMatch(/picture|prompt|minutes|url|n: 1/);
    expect(await ended).toEqual([0, null]);
  },
);
