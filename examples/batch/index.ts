/*
 * A batch on many machines: pg-boss hands out chunks of inputs, and the journal of each chunk is in the same database.
 *
 *   export DATABASE_URL=postgres://… ENDPOINT_ID=4kqwe7f0 PUBLIC_URL=https://example.com WEBHOOK_SECRET=…
 *   npx ts-node index.ts fill 100000    # once
 *   npx ts-node index.ts receive        # on two machines that PUBLIC_URL leads to, on port 8080 or PORT
 *   npx ts-node index.ts work           # on each machine; a supervisor restarts these two
 *   npx ts-node index.ts progress
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { PgBoss } from "pg-boss";
import { createQueue, isSignedWebhook, readWebhook, signedWebhook } from "pulumi-computecloud/client";
import { type Sql, tableJournal, tableProgress } from "pulumi-computecloud/postgres";

const { DATABASE_URL = "", ENDPOINT_ID: endpointId = "", BATCH = "pictures", MACHINES = "20" } = process.env;
const { PUBLIC_URL = "", WEBHOOK_SECRET: secret = "", PORT = "8080" } = process.env;
const CHUNK = Number(process.env.CHUNK ?? 1_000);
/** For each job, in one run of its chunk. */
const TIMEOUT_MS = Number(process.env.TIMEOUT_MS ?? 15 * 60_000);

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
const store = (n: number, output: unknown, error?: string) =>
  sql.query(STORE, [n, JSON.stringify(output ?? null), error ?? null]);

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
      timeoutMs: TIMEOUT_MS,
      signal: AbortSignal.any([job.signal, leaving.signal]),
      request: (input, index) => ({
        input,
        webhook: signedWebhook(new URL(`/done?n=${from + index}`, PUBLIC_URL).href, secret),
      }),
    });
    // It is final. A worker that was killed here gets it again.
    for await (const { index, job, error } of batch) await store(from + index, job?.output, error?.message);
    // An error, as of a refused key, comes after all that is final: pg-boss tries the chunk again.
  });
  await stopped();
  leaving.abort(); // jobs run on, for the next worker of their chunk
  await boss.stop();
  await queue.close();
}

/** Stores outputs that the service posts. A worker that is killed before it learns the id of its job has no other way to it. */
async function receive(): Promise<void> {
  const server = createServer(async (request, response) => response.writeHead(await statusOf(request)).end());
  server.listen(Number(PORT));
  await stopped();
  server.close();
  await boss.stop();
}

async function statusOf(request: IncomingMessage): Promise<number> {
  try {
    if (!isSignedWebhook(request.url ?? "", secret)) return 403;
    const n = Number(new URL(request.url ?? "", PUBLIC_URL).searchParams.get("n"));
    const job = await readWebhook(await text(request));
    if (job.status === "COMPLETED" && job.output !== undefined) await store(n, job.output);
    return 200;
  } catch (error) {
    console.error(String(error));
    return 500; // the service posts it again
  }
}

const stopped = () => Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);

async function main([command, inputs]: string[]): Promise<void> {
  await boss.start();
  if (command === "work") return await work();
  if (command === "receive") return await receive();
  if (command === "fill") await fill(Number(inputs));
  else console.log(await tableProgress(sql, `${BATCH}/`));
  await boss.stop();
}

void main(process.argv.slice(2));
