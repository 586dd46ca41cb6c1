import type { Clock } from "./clock";

export interface LogLine {
  readonly source: "container" | "system";
  readonly line: string;
  /** When it was written, ms since the epoch on the emulator's clock; no two lines of one container share it. */
  readonly ts: number;
}

/** As many as one request may ask for. */
const KEPT_LINES = 5000;
/** How long lines outlive their container. */
const KEPT_AFTER_END_MS = 10 * 60_000;

/** What containers print, by the id of their pod or worker. */
export class Logs {
  private readonly books = new Map<string, LogLine[]>();
  private readonly readers = new Map<string, Set<(line: LogLine) => void>>();

  constructor(private readonly clock: Clock) {}

  write(id: string, source: LogLine["source"], line: string): void {
    const book = this.books.get(id) ?? [];
    this.books.set(id, book);
    const written = { source, line, ts: Math.max(this.clock.now(), (book.at(-1)?.ts ?? 0) + 1) };
    book.push(written);
    if (book.length > KEPT_LINES) book.shift();
    for (const read of this.readers.get(id) ?? []) read(written);
  }

  /** What was written so far, oldest first. */
  lines(id: string): readonly LogLine[] {
    return this.books.get(id) ?? [];
  }

  /** Calls `read` for every line from now on, until the function that is returned is called. */
  follow(id: string, read: (line: LogLine) => void): () => void {
    const readers = this.readers.get(id) ?? new Set();
    this.readers.set(id, readers.add(read));
    return () => {
      readers.delete(read);
      if (readers.size === 0) this.readers.delete(id);
    };
  }

  /** Forgets the lines of a container that is gone, after a while. */
  end(id: string): void {
    this.clock.after(KEPT_AFTER_END_MS, () => this.books.delete(id));
  }
}
