import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, ownMark } from "../../common/isRunning";
import { parseJson } from "../../common/json";
import { abortable, withDeadline } from "../calls/cancellation";
import { UsageError } from "../errors";
import { JournalError } from "./errors";
import type { JournalEntry, JournalStore } from "./journalTypes";
import { checkRange } from "./limits";

/** A Postgres client outside any transaction: a `Pool` or `Client` of pg, or an adapter of a few lines to any other. */
export interface Sql {
  /** Sends one statement with its parameters, all of them texts or numbers. */
  query(text: string, values: unknown[]): PromiseLike<{ rows: unknown[] }>;
}

export interface TableJournalOptions {
  /**
   * How long a run keeps the chunk after its last sign of life, which it gives three times as often. Milliseconds, 100 to a day. A
   * statement without an answer is sent again after a third of it, over another connection of a pool, and for all of it where a
   * restart of the database has ended it. Default 15000.
   */
  leaseMs?: number | undefined;
}

/** How far the chunks of a batch are, over all workers. */
export interface TableProgress {
  /** Chunks that were begun. */
  chunks: number;
  /** Chunks that a run has at the moment. */
  held: number;
  /** Inputs whose result was delivered, errors included. */
  delivered: number;
  /** Inputs with a job whose result was not delivered. */
  running: number;
  /** Inputs whose submission has no answer yet: under way, or lost. */
  unanswered: number;
}

/**
 * A journal of `runMany` in Postgres, for batches on several machines: one row for each input, in tables that it creates. Each
 * chunk of inputs has a journal of its own. Its name stands for its inputs: the same name, the same inputs.
 *
 * A run takes the chunk with a row that expires. Every note is written only while that row is still the run's own. So a pool, a
 * proxy of connections, a killed worker and a restart of the database are all the same to it, which isn't so with advisory locks:
 * they belong to a session. A second run waits until the row expires, and is refused when the first one renews it.
 *
 * @param chunk the name of the chunk, such as `pictures/17`
 * @throws UsageError for a `leaseMs` that is not in its range
 * @example
 * for await (const { index, job } of queue.runMany(inputs, { journal: tableJournal(pool, "pictures/17") }))
 *   console.log(index, job?.output);
 */
export function tableJournal(sql: Sql, chunk: string, { leaseMs = 15_000 }: TableJournalOptions = {}): TableJournal {
  checkRange("leaseMs", leaseMs, LEASE);
  return new TableJournal(sql, chunk, leaseMs);
}

/**
 * Progress over all chunks whose names begin with `prefix`.
 *
 * @example
 * console.log(await tableProgress(pool, "pictures/"));
 */
export async function tableProgress(sql: Sql, prefix = ""): Promise<TableProgress> {
  await migrated(() => sql.query(MIGRATE, []));
  const { rows } = await sql.query(PROGRESS, [prefix]);
  return rows[0] as TableProgress;
}

const VERSION = 1;
const LEASE = { least: 100, most: 24 * 60 * 60_000 };
/** Of a lease: between two signs of life, and for the answer to a statement. */
const PART = 1 / 3;
/** Before a statement is sent again. */
const FIRST_PAUSE_MS = 50;

/**
 * One statement, for clients that send only one; so it is a transaction. Roles that may not create tables find them there. The
 * commit fails in a transaction of the caller, whose rollback would undo notes of jobs that run, and whose lock others wait for.
 */
const ALONE = "commit;";

const MIGRATE = `do $$ declare stored integer; begin
  ${ALONE}
  if to_regclass('computecloud_journal') is null then
    perform pg_advisory_xact_lock(hashtext('computecloud_journal'));
  end if;
  -- Not to_regclass again: it remembers that there was none before the wait for the lock.
  if not exists (select from pg_class where relname = 'computecloud_journal' and pg_table_is_visible(oid)) then
    create table computecloud_journal (version integer not null);
    insert into computecloud_journal values (${VERSION});
    create table computecloud_chunks (id integer generated always as identity primary key, name text not null unique,
      endpoint text, token text, holder text, expires timestamptz);
    create table computecloud_inputs (chunk integer not null references computecloud_chunks on delete cascade,
      index integer not null, event text not null, digest text, job text, at float8, primary key (chunk, index)
    ) with (fillfactor = 70);
  end if;
  select version into stored from computecloud_journal;
  if stored > ${VERSION} then
    raise exception 'a later version of pulumi-computecloud has made these tables: update the package' using errcode = '0A000';
  end if;
end $$`;

const EXPIRES = "clock_timestamp() + $1 * interval '1 millisecond'";

const TAKE = `insert into computecloud_chunks as c (name, token, holder, expires) values ($2, $3, $4, ${EXPIRES})
  on conflict (name) do update set token = excluded.token, holder = excluded.holder, expires = excluded.expires
  where c.token is null or c.expires < clock_timestamp() or c.token in (excluded.token, $5)
  returning id, endpoint`;

const HOLDER = "select token, holder, expires::text from computecloud_chunks where name = $1 and token is not null";

const RENEW = `update computecloud_chunks set expires = ${EXPIRES} where id = $2 and starts_with(token, $3)`;

const RELEASE = "update computecloud_chunks set token = null where id = $1 and starts_with(token, $2)";

const BEGIN = "update computecloud_chunks set endpoint = $3 where id = $1 and starts_with(token, $2) returning id";

const write = (holder: string) => `with holder as (${holder}),
  written as (
    insert into computecloud_inputs as i (chunk, index, event, digest, job, at)
    select holder.id, r.index, r.event, r.digest, r.id, r.at
    from holder, jsonb_to_recordset($3::text::jsonb) as r (index integer, event text, digest text, id text, at float8)
    on conflict (chunk, index) do update set
      event = excluded.event,
      digest = coalesce(excluded.digest, i.digest),
      job = case when excluded.event in ('submitting', 'refused') then null else coalesce(excluded.job, i.job) end,
      at = coalesce(excluded.at, i.at)
  )
  select id from holder`;

/** The lock on the chunk's row makes another run wait that takes it over: it then reads what is written here. */
const WRITE = write("select id from computecloud_chunks where id = $1 and token = $2 for share");

/** For a write whose connection broke. The database may still get to that one, later than to the next: it finds another token. */
const WRITE_AGAIN = write(
  "update computecloud_chunks set token = $4 where id = $1 and token = any(string_to_array($2, ' ')) returning id",
);

/** A lock, which a standby refuses. It may lack the latest notes, and a job without its note is submitted again. */
// mutant read-from-a-standby: ""
const ON_PRIMARY = "for share";

const READ = `select index, event, digest, job as id, at from computecloud_inputs
  where chunk = (select id from computecloud_chunks where id = $1 ${ON_PRIMARY}) and index > $2
  order by index limit 10000`;

const RECEIVED = `with noted as (update computecloud_inputs i set event = 'submitted', job = $3, at = $4
    from computecloud_chunks c where c.id = i.chunk and c.name = $1 and i.index = $2 and i.event = 'submitting')
  select i.index from computecloud_inputs i join computecloud_chunks c on c.id = i.chunk where c.name = $1 and i.index = $2`;

const FIND = `select job from computecloud_inputs i join computecloud_chunks c on c.id = i.chunk
  where c.name = $1 and i.index = $2 and job is not null`;

const PROGRESS = `with chunks as (select id, expires > clock_timestamp() and token is not null as held
    from computecloud_chunks where starts_with(name, $1)),
  inputs as (select event from computecloud_inputs join chunks on chunks.id = chunk)
  select (select count(*) from chunks)::float8 as chunks, (select count(*) from chunks where held)::float8 as held,
    count(*) filter (where event = 'delivered')::float8 as delivered,
    count(*) filter (where event in ('submitted', 'delivering'))::float8 as running,
    count(*) filter (where event = 'submitting')::float8 as unanswered
  from inputs`;

type Opened = Extract<JournalEntry, { event: "opened" }>;

/** The state of an input: its last entry, and what the earlier ones have told. */
interface Row {
  readonly index: number;
  readonly event: Extract<JournalEntry, { index: number }>["event"];
  readonly digest?: string | null;
  readonly id?: string | null;
  readonly at?: number | null;
}

/** A run that has the chunk. */
interface Lease {
  /** The run's. Those of its writes begin with it. */
  readonly token: string;
  /** What the chunk's row may have as its token now: several while a write is sent again. */
  tokens: readonly string[];
  readonly id: number;
  endpoint: string | null;
  readonly renewal: NodeJS.Timeout;
  /** What the next write writes, the last state of each input. */
  pending: Map<number, Row>;
  write: Promise<void>;
  /** The next write, which takes all that is pending when it begins. */
  nextWrite?: Promise<void> | undefined;
  /** When the write under way, or the one that failed, began. */
  writingSince?: number | undefined;
}

/** A journal of one chunk of a batch. Any process may call `received` and `find`. */
export class TableJournal implements JournalStore {
  readonly #sql: Sql;
  readonly #chunk: string;
  readonly #leaseMs: number;
  #lease: Lease | undefined;

  /** @internal */
  constructor(sql: Sql, chunk: string, leaseMs: number) {
    this.#sql = sql;
    this.#chunk = chunk;
    this.#leaseMs = leaseMs;
  }

  /** Nothing before the chunk was taken, because another run may still write. */
  async *entries(): AsyncGenerator<JournalEntry, void, undefined> {
    const lease = this.#lease;
    if (lease === undefined) return;
    if (lease.endpoint !== null) yield { event: "batch", version: 2, endpointId: lease.endpoint };
    for (let after: number | undefined = -1; after !== undefined; ) {
      const rows: Row[] = await this.#query(READ, [lease.id, after]);
      for (const row of rows) yield* entriesOf(row);
      after = rows.at(-1)?.index;
    }
  }

  async append(entry: JournalEntry, signal?: AbortSignal): Promise<void> {
    if (entry.event === "opened") return await this.#take(entry, signal);
    const lease = this.#lease;
    if (entry.event === "closed") {
      if (lease?.token === entry.token) await this.#release(lease);
      return;
    }
    if (lease === undefined) throw new JournalError(`Chunk ${this.#chunk} is not open.`);
    if (entry.event === "batch") {
      lease.endpoint = entry.endpointId;
      return this.#throwIfLost(await this.#query(BEGIN, [lease.id, lease.token, entry.endpointId]));
    }
    lease.pending.set(entry.index, { ...lease.pending.get(entry.index), ...entry });
    lease.nextWrite ??= lease.write.then(() => this.#writePending(lease));
    const written = lease.nextWrite;
    // The next result is handed out after a write that has this one, too.
    if (entry.event === "delivered") written.catch(() => {});
    else await written;
  }

  /**
   * Notes the job of an input, as the receiver of its webhook's post knows it. Of use where the submission's answer was lost.
   *
   * @returns whether the chunk has this input, as it does once the submission is about to be sent
   * @throws UsageError for what is no position or no id
   */
  async received(index: number, { id }: { id: string }): Promise<boolean> {
    if (!(Number.isInteger(index) && index >= 0 && typeof id === "string" && id !== ""))
      throw new UsageError(
        `received(${index}, { id: ${id} }): pass the input's position, from 0, and the id of its job.`,
      );
    return (await this.#query(RECEIVED, [this.#chunk, index, id, Date.now()])).length > 0;
  }

  /** The id of an input's job, for `findLost`; undefined while it is not known. */
  async find(index: number): Promise<string | undefined> {
    const [row] = await this.#query<{ job: string }>(FIND, [this.#chunk, index]);
    return row?.job;
  }

  async #take({ takeOver = false, ...run }: Opened, signal: AbortSignal | undefined): Promise<void> {
    const { token } = run;
    // Notes of both would be written under the lease of one.
    if (this.#lease !== undefined)
      throw new JournalError(`Chunk ${this.#chunk} is in use by another run of this program.`);
    await migrated(() => this.#query(MIGRATE, [], signal));
    /** The other run's row, when it was first seen. */
    let seen: Holder | undefined;
    for (let ended = ""; ; ) {
      const values = [this.#leaseMs, this.#chunk, token, JSON.stringify(run), ended];
      const [taken] = await this.#query<Pick<Lease, "id" | "endpoint">>(TAKE, values, signal);
      if (taken !== undefined) {
        const renewal = setInterval(() => this.#renew(), this.#leaseMs * PART).unref();
        this.#lease = { ...taken, token, tokens: [token], renewal, pending: new Map(), write: Promise.resolve() };
        return;
      }
      const [holder] = await this.#query<Holder>(HOLDER, [this.#chunk], signal);
      if (holder === undefined) continue;
      seen ??= holder;
      if (holder.token !== seen.token || holder.expires !== seen.expires) throw inUse(this.#chunk, holder);
      if (takeOver || hasEnded(holder)) ended = holder.token;
      else await sleep(Math.min(this.#leaseMs / 10, 1_000), undefined, signal && { signal });
    }
  }

  /** A run that can't write does not keep others out. */
  #renew(): void {
    const { id, token, writingSince = Infinity } = this.#lease ?? {};
    if (performance.now() - writingSince > this.#leaseMs * PART) return;
    this.#send(RENEW, [this.#leaseMs, id, token]).catch(() => {});
  }

  async #release(lease: Lease): Promise<void> {
    clearInterval(lease.renewal);
    await (lease.nextWrite ?? lease.write).catch(() => {});
    this.#lease = undefined;
    // Once: where the database is down, the row expires.
    await this.#send(RELEASE, [lease.id, lease.token]);
  }

  async #writePending(lease: Lease): Promise<void> {
    lease.write = lease.nextWrite ?? lease.write;
    lease.nextWrite = undefined;
    const rows = JSON.stringify([...lease.pending.values()]);
    lease.pending = new Map();
    lease.writingSince = performance.now();
    const holders = await this.#repeated((isFirst) => {
      const held = lease.tokens.join(" ");
      // mutant late-write-counts: true
      if (isFirst && lease.tokens.length === 1) return [WRITE, [lease.id, held, rows]];
      const next = `${lease.tokens.at(-1)}+`;
      lease.tokens = [...lease.tokens, next];
      return [WRITE_AGAIN, [lease.id, held, rows, next]];
    });
    lease.tokens = lease.tokens.slice(-1);
    this.#throwIfLost(holders);
    lease.writingSince = undefined;
  }

  #throwIfLost(holders: readonly unknown[]): void {
    if (holders.length > 0) return;
    throw new JournalError(
      `Another run has taken over chunk ${this.#chunk}, because this one gave no sign of life for its lease. It goes on there.`,
    );
  }

  #query<T>(text: string, values: unknown[], signal?: AbortSignal): Promise<T[]> {
    return this.#repeated<T>(() => [text, values], signal);
  }

  /** Each statement does no harm when it runs twice, so it is sent again when its connection broke, or is silent. */
  async #repeated<T>(statement: (isFirst: boolean) => Statement, signal?: AbortSignal): Promise<T[]> {
    const until = performance.now() + this.#leaseMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      try {
        const { rows } = await this.#send(...statement(pauseMs === FIRST_PAUSE_MS), until - performance.now(), signal);
        return rows as T[];
      } catch (error) {
        if (isLasting(error) || signal?.aborted || performance.now() + pauseMs > until) throw error;
      }
      await sleep(pauseMs, undefined, signal && { signal });
    }
  }

  /** A connection may be dead without a word. */
  #send(text: string, values: unknown[], leftMs = Infinity, signal?: AbortSignal): Promise<{ rows: unknown[] }> {
    const ms = Math.min(this.#leaseMs * PART, leftMs);
    return withDeadline(ms, signal, unanswered, (either) =>
      abortable((async () => this.#sql.query(text, values))(), either),
    );
  }
}

type Statement = [text: string, values: unknown[]];

const unanswered = () => new Error("the database has not answered in time");

/** @throws JournalError inside a transaction of the caller */
async function migrated(migrate: () => PromiseLike<unknown>): Promise<void> {
  try {
    await migrate();
  } catch (error) {
    // Where the commit failed, and the caller has not ended the transaction since.
    if (!["2D000", "25P02"].includes(codeOf(error))) throw error;
    throw new JournalError(
      "This client is inside a transaction, and a rollback would have its jobs run again. Pass a pool, or a client of its own.",
      error,
    );
  }
}

interface Holder {
  readonly token: string;
  readonly holder: string;
  readonly expires: string;
}

/** Whether a run has ended as far as one can see here. The host's name does not tell: containers of many machines share one. */
function hasEnded({ holder }: Holder): boolean {
  const { machine, process, started } = parseJson(holder) as Opened;
  // mutant host-is-the-machine: true
  return machine !== undefined && machine === ownMark().machine && !isRunning(process, started);
}

function inUse(chunk: string, { holder }: Holder): JournalError {
  const run = parseJson(holder) as Opened;
  return new JournalError(
    `Chunk ${chunk} is in use by process ${run.process} on ${run.host}. Wait until that run is over, or pass another chunk.`,
  );
}

/**
 * A state of SQL other than those that pass: no connection, a standby during a fail-over, no memory or place, a conflict, a
 * restart, a system's error.
 */
function isLasting(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9][0-9A-Z]{4}$/.test(code) && !/^(08|25006|40|53|55|57|58)/.test(code);
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** The entries that lead to the state of an input. */
function* entriesOf({ index, event, digest, id, at }: Row): Generator<JournalEntry, void, undefined> {
  if (event === "refused") return;
  if (typeof digest === "string") yield { event: "submitting", index, digest };
  if (typeof id === "string") yield { event: "submitted", index, id, at: at ?? 0 };
  if (event === "delivering" || event === "delivered") yield { event, index };
}
