import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** No process has this id. */
const ENDED = 2 ** 30;
let files = 0;

/** Writes entries to a ledger as a process has left them: by default one that was killed. */
export function leave(
  folder: string,
  entries: readonly object[],
  {
    run = "none",
    ...mark
  }: { run?: string; process?: number | undefined; started?: string | undefined; host?: string; at?: number } = {},
): string {
  const written = entries.map((each) => `${JSON.stringify({ process: ENDED, at: Date.now(), ...mark, ...each })}\n`);
  files += 1;
  const file = join(folder, `${run}.left-${files}.${Date.now()}.jsonl`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, written.join(""));
  return file;
}
