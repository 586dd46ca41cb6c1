import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { parseJson } from "./json";

const CHUNK_BYTES = 256 * 1024;
const FIRST_LINE_BYTES = 1024;
const LINE_END = 0x0a;

/** One line of a file. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Its JSON; undefined for a damaged line. */
  readonly value: unknown;
}

/**
 * A file of lines of JSON that are only appended. A kill may leave the last line half written: what is appended next begins on
 * a line of its own. A failed write, as by a full disk, leaves nothing behind.
 */
export class LineFile {
  readonly #handle: FileHandle;
  readonly #decoder = new TextDecoder();
  #readTo = 0;
  #lines = 0;
  #rest = "";
  /** Whether the last line is half written. */
  #isCut: boolean;
  /** The latest sync to disk that has begun. */
  #sync: Promise<void> = Promise.resolve();
  /** The next sync, which covers all lines that are appended before it begins. */
  #nextSync: Promise<void> | undefined;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
    const { size } = fstatSync(handle.fd);
    this.#isCut = size > 0 && this.#bytes(size - 1, 1)[0] !== LINE_END;
  }

  /** Opens the file, or creates it for its owner alone. @throws the system's error, or one for a pipe or a device */
  static async open(path: string): Promise<LineFile> {
    const handle = await open(path, "a+", 0o600);
    if (fstatSync(handle.fd).isFile()) return new LineFile(handle);
    await handle.close();
    throw new Error("it is a pipe or a device, which keeps nothing");
  }

  /** The first line, as far as it is there, or its first 1024 bytes. */
  get beginning(): string {
    return this.#bytes(0, FIRST_LINE_BYTES).toString("utf8").split("\n", 1)[0] ?? "";
  }

  /** The lines since the last call, from all writers, in groups. A last line without an end waits for it. */
  async *read(): AsyncGenerator<readonly Line[], void, undefined> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.#handle.read(chunk, 0, CHUNK_BYTES, this.#readTo);
      if (bytesRead === 0) return;
      this.#readTo += bytesRead;
      const text = this.#decoder.decode(chunk.subarray(0, bytesRead), { stream: true });
      const texts = (this.#rest + text).split("\n");
      this.#rest = texts.pop() ?? "";
      yield texts.map((text) => ({ number: ++this.#lines, value: parseJson(text) }));
    }
  }

  /** Appends a line. It survives the process, and after `synced` a power loss too. @throws the system's error */
  append(value: object): void {
    const line = Buffer.from(`${this.#isCut ? "\n" : ""}${JSON.stringify(value)}\n`);
    const { fd } = this.#handle;
    let written = 0;
    try {
      while (written < line.length) written += writeSync(fd, line, written);
    } catch (error) {
      if (written > 0) ftruncateSync(fd, fstatSync(fd).size - written);
      throw error;
    }
    this.#isCut = false;
  }

  /** Lines that are appended during a sync share the next one. */
  synced(): Promise<void> {
    this.#nextSync ??= this.#sync
      .catch(() => {})
      .then(() => {
        this.#nextSync = undefined;
        this.#sync = this.#handle.datasync();
        return this.#sync;
      });
    return this.#nextSync;
  }

  async close(): Promise<void> {
    await this.#nextSync?.catch(() => {});
    await this.#sync.catch(() => {});
    await this.#handle.close();
  }

  #bytes(from: number, most: number): Buffer {
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(this.#handle.fd, bytes, 0, most, from));
  }
}
