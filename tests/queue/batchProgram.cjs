/* A batch as a process of its own, which a test kills: prints each result as a line of JSON. */
"use strict";
const { once } = require("node:events");
const { Pool } = require("pg");
const { createClient } = require("../../dist/client");
const { tableJournal } = require("../../dist/client/queue/journalTable");

const { ADDRESS = "", JOURNAL = "", DATABASE, INPUTS = "0", CONCURRENCY = "10", IDEMPOTENT, STAY_AT } = process.env;

async function main() {
  const addresses = { baseUrl: ADDRESS, serverlessUrl: ADDRESS, graphqlUrl: ADDRESS };
  const client = createClient({ apiKey: "key", ...addresses });
  const pool = DATABASE === undefined ? undefined : new Pool({ connectionString: DATABASE }).on("error", () => {});
  const inputs = Array.from({ length: Number(INPUTS) }, (_, n) => n);
  const batch = client
    .queue("e")
    .runMany(inputs, {
      concurrency: Number(CONCURRENCY),
      journal: pool === undefined ? JOURNAL : tableJournal(pool, JOURNAL),
      idempotent: IDEMPOTENT === "true",
    });
  let results = 0;
  for await (const { index, job, error, again } of batch) {
    console.log(
      JSON.stringify({ index, output: job?.output, error: error instanceof Error ? error.name : error, again }),
    );
    results += 1;
    // Until it is killed.
    if (String(results) === STAY_AT) await once(process.stdin.resume(), "end");
  }
  await client.close();
  await pool?.end();
}

main().catch(({ name: error, message, jobIds }) => console.log(JSON.stringify({ error, message, jobIds })));
