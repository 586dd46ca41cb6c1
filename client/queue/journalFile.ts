import { type Line, LineFile } from "../../common/lineFile";
import { messageOf } from "../../common/messageOf";
import { JournalError } from "./errors";
import type { JournalEntry, JournalStore } from "./journalTypes";

/** What a journal and the run that keeps it there need of a file or of a store. */
export interface Rows {
  /** The rows since the last call, or all of them, in groups. */
  read(): AsyncIterable<readonly Line[]>;
  append(entry: JournalEntry, signal: AbortSignal | undefined): Promise<void>;
  close(): Promise<void>;
}

/** The first line of each journal begins like this. Other files must not be written to. */
const BEGINNING = '{"event":"opened",';

/** @throws JournalError for a path that can't be opened, or is another file */
export async function journalFile(path: string): Promise<Rows> {
  const file = await LineFile.open(path).catch((error: unknown) => {
    throw new JournalError(
      `${path} can't be opened as a journal: ${messageOf(error)}. Pass the path of a file.`,
      error,
    );
  });
  const { beginning } = file;
  // The very first line may be cut, too.
  if (!beginning.startsWith(BEGINNING) && !BEGINNING.startsWith(beginning)) {
    await file.close();
    throw new JournalError(`${path} is a file, but not a journal. Pass another path.`);
  }
  return {
    read: () => file.read(),
    async append(entry) {
      file.append(entry);
      // A written line survives the process. The start of a submission must also survive a power loss, so it is synced.
      if (entry.event === "submitting") await file.synced();
    },
    close: () => file.close(),
  };
}

/** The caller closes its own store. */
export function journalStore(store: JournalStore): Rows {
  return {
    async *read() {
      let number = 0;
      for await (const value of await store.entries()) yield [{ number: ++number, value }];
    },
    async append(entry, signal) {
      await store.append(entry, signal);
    },
    async close() {},
  };
}
