import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Identified } from "./collection";
import { Lock } from "./lock";

/** The file is not a data file, or was edited by hand. It is not changed. */
export class DataFileFormatError extends Error {
  override readonly name = "DataFileFormatError";

  constructor(
    readonly file: string,
    /** From 1. */
    readonly line: number,
  ) {
    super(`${file} is not a data file of the emulator (line ${line}): start with another --data file`);
  }
}

/** The path leads through another user's symbolic link, or through a loop of links. */
export class DataFileLinkError extends Error {
  override readonly name = "DataFileLinkError";

  constructor(readonly file: string) {
    super(`${file} is another user's link, or a link that leads nowhere: start with another --data file`);
  }
}

/** The path leads to a folder, a pipe or a device. */
export class DataFileKindError extends Error {
  override readonly name = "DataFileKindError";

  constructor(readonly file: string) {
    super(`${file} is not a regular file, so nothing can be saved in it: start with another --data file`);
  }
}

export interface Entry {
  readonly collection: string;
  readonly id: string;
  /** Absent when the record was deleted. */
  readonly record?: Identified;
}

/** The first line of every data file, so that no other file is mistaken for one. */
const HEADER = JSON.stringify({ format: "computecloud-emulator", version: 1 });

const MOST_LINKS = 20;
/** The user and root. On systems without user ids, every file belongs to 0. */
const TRUSTED_OWNERS = [process.getuid?.() ?? 0, 0];

/** Compacting writes all live records, so it waits until most of the file is obsolete. */
const COMPACT_AT_BYTES = 4 * 1024 * 1024;

/**
 * An append-only log of changes, one JSON line each. A change is written before the call that made it is answered, so a crash
 * of the emulator loses at most the current line. A power loss may lose more, because appends are not synced. The file is
 * compacted when it has grown to several times its live records.
 */
export class Journal {
  private descriptor = -1;
  private bytes = 0;
  private compactAt = 0;

  /** @param live every record as it is now, for rewriting the file. */
  private constructor(
    private readonly file: string,
    private readonly lock: Lock,
    private readonly live: () => Iterable<Entry>,
  ) {}

  /** Locks the file, passes its entries to `load`, which returns whether they are usable, and appends to it from now on. */
  static open(named: string, load: (entry: Entry) => boolean, live: () => Iterable<Entry>): Journal {
    const file = followOwnLinks(named);
    const lock = Lock.take(file);
    try {
      for (const { entry, line } of readEntries(file)) if (!load(entry)) throw new DataFileFormatError(file, line);
      const journal = new Journal(file, lock, live);
      journal.compact();
      return journal;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  append(entry: Entry): void {
    try {
      this.bytes += writeWhole(this.descriptor, JSON.stringify(entry));
    } catch (error) {
      // The next line would be joined to a part of this one.
      ftruncateSync(this.descriptor, this.bytes);
      throw error;
    }
    if (this.bytes > this.compactAt) this.compact();
  }

  close(): void {
    closeSync(this.descriptor);
    this.lock.release();
  }

  private compact(): void {
    // An unpredictable name and exclusive creation, so that nobody can make us write to a file or link placed there before.
    const next = `${this.file}.${randomUUID()}`;
    const descriptor = openSync(next, "ax", 0o600);
    let bytes = 0;
    try {
      bytes += writeWhole(descriptor, HEADER);
      for (const entry of this.live()) bytes += writeWhole(descriptor, JSON.stringify(entry));
      fsyncSync(descriptor);
      // The descriptor follows the rename, so appending simply goes on.
      renameSync(next, this.file);
    } catch (error) {
      closeSync(descriptor);
      rmSync(next, { force: true });
      throw error;
    }
    if (this.descriptor !== -1) closeSync(this.descriptor);
    this.descriptor = descriptor;
    this.bytes = bytes;
    this.compactAt = Math.max(COMPACT_AT_BYTES, 4 * bytes);
  }
}

/** A disk that is nearly full takes a part without an error. */
function writeWhole(descriptor: number, line: string): number {
  const bytes = Buffer.from(`${line}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
  return written;
}

function* readEntries(file: string): Generator<{ entry: Entry; line: number }> {
  const stat = statSync(file, { throwIfNoEntry: false });
  // Opening a pipe would block until somebody writes to it.
  if (stat?.isFile() === false) throw new DataFileKindError(file);
  const text = stat === undefined ? "" : readFileSync(file, "utf8");
  if (text === "") return;
  const lines = text.split("\n");
  if (lines[0] !== HEADER) throw new DataFileFormatError(file, 1);
  // A last line without its newline is a write that a crash cut off.
  for (let index = 1; index < lines.length - 1; index += 1) {
    const line = index + 1;
    yield { entry: parseEntry(file, lines[index] ?? "", line), line };
  }
}

function parseEntry(file: string, line: string, number: number): Entry {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    throw new DataFileFormatError(file, number);
  }
}

/**
 * The file behind a path, which may not exist yet. The user's own symbolic links are followed, so that they are not replaced.
 * Links of other users are refused.
 */
function followOwnLinks(named: string, linksLeft = MOST_LINKS): string {
  const file = join(realpathSync(dirname(resolve(named))), basename(named));
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return file;
  if (linksLeft === 0 || !TRUSTED_OWNERS.includes(stat.uid)) throw new DataFileLinkError(file);
  return followOwnLinks(resolve(dirname(file), readlinkSync(file)), linksLeft - 1);
}
