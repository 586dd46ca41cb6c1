import { afterAll, beforeAll } from "@jest/globals";
import { Pool } from "pg";
import { Postgres } from "../../tools/run/postgres";

/** A Postgres for all tests of a file, and connections to it. */
export function databaseForAll(): { readonly postgres: Postgres; readonly pool: Pool } {
  const database = {} as { postgres: Postgres; pool: Pool };
  beforeAll(async () => {
    database.postgres = await Postgres.start();
    database.pool = new Pool({ connectionString: database.postgres.url }).on("error", () => {});
  });
  afterAll(async () => {
    await database.pool.end();
    await database.postgres[Symbol.asyncDispose]();
  });
  return database;
}
