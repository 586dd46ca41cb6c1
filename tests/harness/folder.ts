import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { ownMark } from "../../common/isRunning";

/** A folder that is there while its tests run, and empty before them. */
export class Folder {
  path = "";

  /** @param parent the folder that it is in */
  constructor(private readonly parent = tmpdir()) {}

  /** The path of what is in it. */
  at(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  begin(): void {
    mkdirSync(this.parent, { recursive: true });
    this.path = mkdtempSync(join(this.parent, "test-"));
  }

  /** Another one in its place, as on another machine. */
  renew(): void {
    this.end();
    this.begin();
  }

  end(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const folderBetween = (begin: typeof beforeAll, end: typeof afterAll) => (parent?: string) => {
  const folder = new Folder(parent);
  begin(() => folder.begin());
  end(() => folder.end());
  return folder;
};
export const folderForEach = folderBetween(beforeEach, afterEach);
export const folderForAll = folderBetween(beforeAll, afterAll);

/** No process has this id. */
export const ENDED = 2 ** 30;

/** Writes entries to a ledger as a process has left them: by default one that was killed. */
export function leave(
  folder: string,
  entries: readonly object[],
  {
    run = "none",
    ...mark
  }: { run?: string; process?: number | undefined; started?: string | undefined; host?: string; at?: number } = {},
): string {
  const written = entries.map(
    (each) =>
      `${JSON.stringify({ ...ownMark(), process: ENDED, started: undefined, at: Date.now(), ...mark, ...each })}\n`,
  );
  const file = join(folder, `${run}.left-${randomUUID()}.${Date.now()}.jsonl`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, written.join(""));
  return file;
}
