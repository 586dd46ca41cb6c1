/*
 * @long: kills in real time. examples/batch on many processes with one Postgres: workers, the two receivers of posts and the database
 * are killed at random moments, keys are refused, and jobs take longer than a run waits for them. The emulator keeps the documented
 * limits, and counts the runs of each input.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, Server } from "node:net";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { Pool } from "pg";
import { createClient } from "../../client";
import { startEmulator } from "../../emulator";
import { Control } from "../../tools/run/control";
import { checkout } from "../../tools/run/environment";
import { freePort } from "../../tools/run/freePort";
import { Postgres } from "../../tools/run/postgres";
import { sized } from "../harness/size";
import { until } from "../harness/until";

const IMAGE = "bench/count:1";
/** What a run waits for a job, and what each 400th takes. */
const TIMEOUT_MS = 15_000;
const SLOW_MS = 20_000;
/** Keys are refused so many times for each kill of a worker, in three calls one after the other. */
const REFUSALS = 0.5;

const KEPT = "select n from results where error is null and output = to_jsonb(n)";
/** A batch through all of that, to the end: each input has its row, no job runs, and each that ran has its output kept. */
async function troubledBatch(inputs: number, workers: number, kills: number, restarts: number) {
  const runs = new Uint8Array(inputs);
  let ran = 0;
  const handler = async ({ prompt }: { prompt: string }, job: { sleep(ms: number): Promise<void> }) => {
    const n = Number(prompt.split(" ").at(-1));
    runs[n] = (runs[n] ?? 0) + 1;
    ran += 1;
    if (n % 400 === 200) await job.sleep(SLOW_MS);
    return n;
  };
  const settings = { rateLimitExempt: false, quotas: { minute: 1e6, hour: 1e7, day: 1e8 }, requestLogSize: 1e7 };
  const emulator = await startEmulator({ settings, handlers: { [IMAGE]: handler } });
  const control = new Control(emulator);
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
  const ports = [await freePort(), await freePort(), await freePort()] as const;
  const balancer = balance(ports[1], ports[2]).listen(ports[0], "127.0.0.1");
  const env = {
    ...process.env,
    DATABASE_URL: postgres.url,
    ENDPOINT_ID: id,
    MACHINES: String(workers),
    CHUNK: String(Math.ceil(inputs / workers / 5)),
    TIMEOUT_MS: String(TIMEOUT_MS),
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    WEBHOOK_SECRET: "a long text",
    COMPUTECLOUD_API_KEY: emulator.apiKey,
    COMPUTECLOUD_SERVERLESS_URL: emulator.serverlessUrl,
  };
  const program = join(checkout, "examples", "batch", "index.ts");
  const start = (args: string[], port = ports[0]): ChildProcess => {
    const options = ["-r", "ts-node/register/transpile-only", program, ...args];
    return spawn(process.execPath, options, { env: { ...env, PORT: String(port) }, stdio: "ignore" });
  };
  const machines: ChildProcess[] = [];
  let isOver = false;
  /** Starts it again whenever it ends, as the supervisor of a machine does. */
  const supervise = (at: number) => {
    const machine = at < workers ? start(["work"]) : start(["receive"], ports[at - workers + 1]);
    machines[at] = machine.once("exit", () => isOver || supervise(at));
  };
  const rowsOf = (text: string): Promise<Record<string, number>[]> =>
    pool.query(text).then(
      ({ rows }) => rows,
      () => [],
    );
  const killed = { workers: 0, receivers: 0, database: 0, keys: 0 };
  const kill = (at: number) => machines[at]?.kill("SIGKILL");
  const refuse = (operation: string) => control.fault({ match: { operation, times: 3 }, act: { status: 401 } });
  const troubles: [count: number, what: keyof typeof killed, trouble: () => unknown][] = [
    [kills, "workers", () => kill(Math.floor(Math.random() * workers))],
    [restarts, "receivers", () => kill(workers + (killed.receivers % 2))],
    [restarts, "database", () => postgres.kill().then(() => postgres.start())],
    [kills * REFUSALS, "keys", () => refuse(killed.keys % 2 === 0 ? "run" : "status")],
  ];
  /** Each at the progress, in runs, at which it comes. */
  const plan = troubles
    .flatMap(([count, what, trouble]) =>
      Array.from({ length: count }, () => ({ at: Math.random() * inputs * 0.95, what, trouble })),
    )
    .toSorted((a, b) => a.at - b.at);

  try {
    await once(start(["fill", String(inputs)]), "close");
    for (let at = 0; at < workers + 2; at += 1) supervise(at);
    for (const { at, what, trouble } of plan) {
      await until(() => ran >= at);
      await trouble();
      killed[what] += 1;
    }
    const queue = client.queue(id);
    const inputsThatRan = () => runs.filter((times) => times > 0).length;
    await until(async () => {
      const [{ count = 0 } = {}] = await rowsOf("select count(*)::int from results");
      if (count < inputs) return false;
      const { jobs } = await queue.health();
      return jobs.inQueue + jobs.inProgress === 0 && (await rowsOf(KEPT)).length === inputsThatRan();
    });
    const named = (await rowsOf("select n from results where error is not null")).length;
    return { killed, ran: inputsThatRan(), twice: runs.filter((times) => times > 1).length, named };
  } finally {
    isOver = true;
    for (const machine of machines) machine.kill("SIGKILL");
    balancer.close();
    await pool.end();
    await postgres[Symbol.asyncDispose]();
    await client.close();
    await emulator.stop();
  }
}

/** Leads each connection to one of the two receivers, to the other one where it does not listen. */
function balance(one: number, other: number): Server {
  return new Server((socket) => {
    const [first, second] = Math.random() < 0.5 ? [one, other] : [other, one];
    const lead = (port: number, refused: () => void) => {
      const receiver = connect(port, "127.0.0.1").once("error", refused);
      receiver.once("connect", () => {
        receiver.off("error", refused).on("error", () => socket.destroy());
        socket
          .on("error", () => receiver.destroy())
          .pipe(receiver)
          .pipe(socket);
      });
    };
    lead(first, () => lead(second, () => socket.destroy()));
  });
}

async function keepsAll(): Promise<void> {
  const inputs = sized(10_000, 1_000);
  const { killed, ran, twice, named } = await troubledBatch(inputs, 4, inputs / 100, 2);
  expect(killed).toEqual({ workers: inputs / 100, receivers: 2, database: 2, keys: inputs / 200 });
  expect({ twice, named }).toEqual({ twice: 0, named: inputs - ran });
}

test(
  "examples/batch keeps each paid output, and pays none twice, through kills, refusals and time-outs",
  keepsAll,
  // biome-ignore lint/plugin: pg-boss hands out the chunk of a killed worker after 30 s of real time
  600_000,
);
