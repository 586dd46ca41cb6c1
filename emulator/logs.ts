import { EventEmitter } from "node:events";
import type { Clock } from "./clock";

export interface LogLine {
  readonly source: "container" | "system";
  readonly line: string;
  /** When it was written, ms since the epoch by the emulator's clock. Unique within a container's log. */
  readonly ts: number;
}

/** The most lines that one request may ask for. */
const KEPT_LINES = 5000;
/** How long lines outlive their container. */
const KEPT_AFTER_END_MS = 10 * 60_000;

/** The logs of containers, by the id of their pod or worker. */
export class Logs {
  private readonly books = new Map<string, LogLine[]>();
  /** Each line of a container is an event. */
  private readonly written = new EventEmitter().setMaxListeners(0);

  constructor(private readonly clock: Clock) {}

  write(id: string, source: LogLine["source"], line: string): void {
    const book = this.books.get(id) ?? [];
    this.books.set(id, book);
    const written = { source, line, ts: Math.max(this.clock.now(), (book.at(-1)?.ts ?? 0) + 1) };
    book.push(written);
    if (book.length > KEPT_LINES) book.shift();
    this.written.emit(`line ${id}`, written);
  }

  /** The lines so far, oldest first. */
  lines(id: string): readonly LogLine[] {
    return this.books.get(id) ?? [];
  }

  /** Calls `read` for every line from now on, until the returned function is called. */
  follow(id: string, read: (line: LogLine) => void): () => void {
    this.written.on(`line ${id}`, read);
    return () => void this.written.off(`line ${id}`, read);
  }

  /** Deletes the lines of a deleted container after a while. */
  end(id: string): void {
    this.clock.after(KEPT_AFTER_END_MS, () => this.books.delete(id));
  }
}
