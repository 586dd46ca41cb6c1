import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { Identified } from "./collection";

/** Another emulator has the file. */
export class DataFileInUseError extends Error {
  override readonly name = "DataFileInUseError";

  constructor(
    readonly file: string,
    readonly pid: number,
  ) {
    super(`${file} is in use by the emulator with process id ${pid}: stop it, or start with another --data file`);
  }
}

/** The file holds something else, or was edited by hand. It is left as it is. */
export class DataFileFormatError extends Error {
  override readonly name = "DataFileFormatError";

  constructor(
    readonly file: string,
    /** From 1. */
    readonly line: number,
  ) {
    super(`${file} is no data file of the emulator (line ${line}): start with another --data file`);
  }
}

export interface Entry {
  readonly collection: string;
  readonly id: string;
  /** Absent when the record was deleted. */
  readonly record?: Identified;
}

/** The first line of every data file, so that no other file is taken for one. */
const HEADER = JSON.stringify({ format: "computecloud-emulator", version: 1 });

/** Rewriting costs as much as the live records do, so it waits until most of the file is out of date. */
const COMPACT_AT_BYTES = 4 * 1024 * 1024;

/**
 * An append-only log of changes, one JSON line each. A write is in the operating system's hands before the call that
 * made it is answered, so a crash loses at most the line being written. The file is rewritten when it has grown to
 * several times what is live.
 */
export class Journal {
  private descriptor: number;
  private bytes: number;
  private compactAt: number;

  /** @param live every record as it is now, for rewriting the file. */
  private constructor(
    private readonly file: string,
    private readonly live: () => Iterable<Entry>,
  ) {
    this.descriptor = -1;
    this.bytes = 0;
    this.compactAt = 0;
  }

  /** Takes the file, hands its entries to `load`, and goes on appending to it. */
  static open(file: string, load: (entry: Entry) => void, live: () => Iterable<Entry>): Journal {
    lock(file);
    try {
      for (const entry of readEntries(file)) load(entry);
      const journal = new Journal(file, live);
      journal.compact();
      return journal;
    } catch (error) {
      unlock(file);
      throw error;
    }
  }

  append(entry: Entry): void {
    this.bytes += writeSync(this.descriptor, `${JSON.stringify(entry)}\n`);
    if (this.bytes > this.compactAt) this.compact();
  }

  close(): void {
    closeSync(this.descriptor);
    unlock(this.file);
  }

  private compact(): void {
    const next = `${this.file}.next`;
    const descriptor = openSync(next, "w");
    let bytes = writeSync(descriptor, `${HEADER}\n`);
    for (const entry of this.live()) bytes += writeSync(descriptor, `${JSON.stringify(entry)}\n`);
    fsyncSync(descriptor);
    if (this.descriptor !== -1) closeSync(this.descriptor);
    // The descriptor follows the rename, so appending simply goes on.
    renameSync(next, this.file);
    this.descriptor = descriptor;
    this.bytes = bytes;
    this.compactAt = Math.max(COMPACT_AT_BYTES, 4 * bytes);
  }
}

function* readEntries(file: string): Generator<Entry> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (text === "") return;
  const lines = text.split("\n");
  if (lines[0] !== HEADER) throw new DataFileFormatError(file, 1);
  // A last line without its newline is a write that a crash cut off.
  for (let index = 1; index < lines.length - 1; index += 1) yield parseEntry(file, lines[index] ?? "", index + 1);
}

function parseEntry(file: string, line: string, number: number): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    throw new DataFileFormatError(file, number);
  }
}

const lockFile = (file: string): string => `${file}.lock`;

const unlock = (file: string): void => rmSync(lockFile(file), { force: true });

function lock(file: string): void {
  const path = lockFile(file);
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}`, { flag: "wx" });
      return;
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw error;
    }
    const pid = Number(readFileSync(path, "utf8"));
    if (isAlive(pid)) throw new DataFileInUseError(file, pid);
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** By shape, since an error may come from another realm than ours (jest gives every test file its own). */
const isCode = (error: unknown, code: string): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === code;
