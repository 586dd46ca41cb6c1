import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect } from "@jest/globals";
import { type JobResult, JournalError, type Queue } from "../../client";
import { folderForEach } from "../harness/folder";
import { collect, JobServer } from "../harness/jobServer";
import { serverForEach } from "../harness/script";

/* Batches that go on where an earlier run was killed, or ended: processes of their own before a server in this one. */

export const server = serverForEach(new JobServer());
export const folder = folderForEach();
/** The path of the journal's file, which is a name elsewhere. */
export let journal: string;
const running: Batch[] = [];

beforeEach(() => {
  journal = folder.at("batch.jsonl");
});
afterEach(async () => {
  for (const batch of running.splice(0)) await batch.kill();
});

export interface Line {
  index: number;
  output?: number;
  error?: string;
  again?: true;
  message?: string;
  jobIds?: string[];
}

/** A batch that a process of its own runs. */
export class Batch {
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

  /** Has every job finish, until it has ended. */
  async finish(): Promise<void> {
    server.finish(...server.submitted);
    server.finishAtOnce();
    await this.ended;
  }
}

export const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
export const queueOf = (id = "e"): Queue => server.client({ clock: undefined }).queue(id);

/** Has each job finish as soon as it was submitted. */
export function finished<T>(batch: T): T {
  server.finishAtOnce();
  return batch;
}

/** The words with which a journal ends a batch. */
export async function refusalOf(batch: AsyncIterable<JobResult>): Promise<string> {
  const { error } = await collect(batch);
  expect(error).toBeInstanceOf(JournalError);
  return String(error);
}
