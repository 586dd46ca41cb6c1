/*
 * examples/batch on many processes with one Postgres: workers and the database are killed, and each input is answered once or
 * named. The emulator keeps the documented limits, counts the runs of each input, and answers at once.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { createClient } from "../../dist/client";
import { startEmulator } from "../../emulator";
import { Control } from "../run/control";
import { checkout } from "../run/environment";
import { Postgres } from "../run/postgres";
import type { BenchOptions } from "./options";

const IMAGE = "bench/count:1";
const FIGURES = `select (select count(*)::int from results where error is null) as answered,
  (select count(*)::int from results where error is not null) as named,
  (select count(*)::int from computecloud_inputs) as rows,
  pg_total_relation_size('computecloud_inputs')::int as bytes`;

export async function batch({ batch: { inputs, workers, kills, restarts } }: BenchOptions): Promise<void> {
  const runs = new Uint8Array(inputs);
  let ended = 0;
  const count = ({ prompt }: { prompt: string }) => {
    const n = Number(prompt.split(" ").at(-1));
    runs[n] = (runs[n] ?? 0) + 1;
    ended += 1;
    return n;
  };
  const settings = { rateLimitExempt: false, quotas: { minute: 1e6, hour: 1e7, day: 1e8 }, requestLogSize: 1e7 };
  const emulator = await startEmulator({ settings, handlers: { [IMAGE]: count } });
  const client = createClient(emulator);
  const { id } = await client.serverless.create({
    name: "batch",
    type: "QUEUE",
    image: IMAGE,
    gpu: { pools: ["ADA_24"] },
    scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
    workers: { min: 20, max: 20 },
  });
  const postgres = await Postgres.start();
  const pool = new Pool({ connectionString: postgres.url }).on("error", () => {});
  const env = {
    ...process.env,
    DATABASE_URL: postgres.url,
    ENDPOINT_ID: id,
    MACHINES: String(workers),
    COMPUTECLOUD_API_KEY: emulator.apiKey,
    COMPUTECLOUD_SERVERLESS_URL: emulator.serverlessUrl,
  };
  const program = join(checkout, "examples", "batch", "index.ts");
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, ["-r", "ts-node/register/transpile-only", program, ...args], { env, stdio: "ignore" });
  const answered = async (): Promise<number> =>
    pool.query<{ count: number }>("select count(*)::int from results").then(
      ({ rows }) => rows[0]?.count ?? 0,
      () => 0,
    );

  try {
    const began = performance.now();
    await once(start("fill", String(inputs)), "close");
    const all: ChildProcess[] = [];
    let isOver = false;
    /** Starts it again whenever it ends, as the supervisor of a machine does. */
    const supervise = (at: number) => {
      all[at] = start("work").once("exit", () => isOver || supervise(at));
    };
    for (let at = 0; at < workers; at += 1) supervise(at);
    let [killed, restarted] = [0, 0];
    while ((await answered()) < inputs) {
      // At even steps of the progress, each time another worker.
      if (killed < kills && ended >= ((killed + 1) * inputs) / (kills + 1)) {
        all[killed % workers]?.kill("SIGKILL");
        killed += 1;
      }
      if (restarted < restarts && ended >= ((restarted + 1) * inputs) / (restarts + 1)) {
        await postgres.kill();
        await postgres.start();
        restarted += 1;
      }
      await sleep(200);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    isOver = true;
    for (const worker of all) worker.kill("SIGKILL");
    const { rows } = await pool.query<Record<"answered" | "named" | "rows" | "bytes", number>>(FIGURES);
    const calls = (await new Control(emulator).log()).filter((call) => call.interface === "queue");
    const twice = runs.filter((times) => times > 1).length;
    console.table({
      inputs,
      ...rows[0],
      "run twice": twice,
      "named, and never run": runs.filter((times) => times === 0).length,
      calls: calls.length,
      refused: calls.filter(({ status }) => status === 429).length,
      "workers killed": killed,
      "databases killed": restarted,
      seconds,
    });
    // The loop above ends when each input is answered or named.
    if (twice > 0) throw new Error(`${twice} inputs ran twice`);
  } finally {
    await pool.end();
    await postgres[Symbol.asyncDispose]();
    await client.close();
    await emulator.stop();
  }
}
