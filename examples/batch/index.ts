/*
 * A batch on many machines: pg-boss hands out chunks of inputs, and the journal of each chunk is in the same database.
 *
 *   export DATABASE_URL=postgres://… ENDPOINT_ID=4kqwe7f0
 *   npx ts-node index.ts fill 100000    # once
 *   npx ts-node index.ts work           # on each machine, restarted by its supervisor
 *   npx ts-node index.ts progress
 */
import { once } from "node:events";
import { PgBoss } from "pg-boss";
import { createQueue } from "pulumi-computecloud/client";
import { type Sql, tableJournal, tableProgress } from "pulumi-computecloud/postgres";

const { DATABASE_URL = "", ENDPOINT_ID: endpointId = "", BATCH = "pictures", MACHINES = "20" } = process.env;
const CHUNK = Number(process.env.CHUNK ?? 1_000);

interface Chunk {
  readonly from: number;
  readonly to: number;
}

const boss = new PgBoss(DATABASE_URL);
boss.on("error", (error) => console.error(error.message)); // without this an error ends the process
const sql: Sql = { query: (text, values) => boss.getDb().executeSql(text, values) };

/** What a job gets. The same number stands for the same input, on every machine and in every run. */
const inputOf = (n: number) => ({ prompt: `picture ${n}` });

/** A result that comes again may be an output in place of an error, but no error takes the place of an output. */
const STORE = `insert into results values ($1, $2, $3)
  on conflict (n) do update set output = excluded.output, error = excluded.error where results.error is not null`;

async function fill(inputs: number): Promise<void> {
  await sql.query("create table if not exists results (n integer primary key, output jsonb, error text)", []);
  // A chunk whose worker sends no heartbeat, or whose run failed, goes to another one, for as long as it takes.
  await boss.createQueue(BATCH, { heartbeatSeconds: 30, expireInSeconds: 86_400, retryLimit: 10_000, retryDelay: 5 });
  const chunks = Array.from({ length: Math.ceil(inputs / CHUNK) }, (_, n): Chunk => {
    return { from: n * CHUNK, to: Math.min((n + 1) * CHUNK, inputs) };
  });
  await boss.insert(
    BATCH,
    chunks.map((data) => ({ data })),
  );
}

async function work(): Promise<void> {
  const queue = createQueue({ endpointId, queueLimits: { share: 1 / Number(MACHINES) } });
  const leaving = new AbortController();
  await boss.work<Chunk>(BATCH, async ([job]) => {
    if (job === undefined) return;
    const { from, to } = job.data;
    const inputs = Array.from({ length: to - from }, (_, index) => inputOf(from + index));
    const batch = queue.runMany(inputs, {
      journal: tableJournal(sql, `${BATCH}/${from}`),
      takeOver: true, // pg-boss has given up the worker before
      concurrency: 50,
      signal: AbortSignal.any([job.signal, leaving.signal]),
    });
    for await (const { index, job, error } of batch) {
      // It is final. A worker that was killed here gets it again.
      await sql.query(STORE, [from + index, JSON.stringify(job?.output ?? null), error?.message ?? null]);
    }
    // An error, as of a refused key, comes after all that is final: pg-boss tries the chunk again.
  });
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  leaving.abort(); // jobs run on, for the next worker of their chunk
  await boss.stop();
  await queue.close();
}

async function main([command, inputs]: string[]): Promise<void> {
  await boss.start();
  if (command === "work") return await work();
  if (command === "fill") await fill(Number(inputs));
  else console.log(await tableProgress(sql, `${BATCH}/`));
  await boss.stop();
}

void main(process.argv.slice(2));
