import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Own } from "../../cli/verify/command";
import type { Answer } from "../../cli/verify/verdict";
import type { Asked } from "../../cli/verify/wire";
import { redact } from "../../common/redact";
import { patterns } from "./patterns";
import { type Exchange, RECORDING_FILE, type Recording } from "./recording";
import { type Heard, Redaction } from "./redaction";

/**
 * `mkdir -p`. Node's own `recursive` never ends below a folder that answers ENOENT although it exists, such as /proc: it
 * creates the parent again and again.
 */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder);
}

/** Keeps the calls and answers of trials, and writes them without the account's data. */
export class Recorder {
  readonly #heard: Heard[] = [];

  private constructor(
    /** The path of the recording. */
    readonly file: string,
    private readonly own: Own,
  ) {}

  /** @throws Error when the folder can't be written to, or already has a recording */
  static async open(folder: string, own: Own): Promise<Recorder> {
    const file = join(folder, RECORDING_FILE);
    try {
      await makeFolder(folder);
      // Tried, because permissions are not enough: root may write to /proc, which accepts no entries.
      await rmdir(await mkdtemp(join(folder, ".try-")));
    } catch {
      throw new Error(`${folder} can't be written to. Name another folder.`);
    }
    if (existsSync(file)) throw new Error(`${file} is there already. Name another folder.`);
    return new Recorder(file, own);
  }

  hear(fact: string): (asked: Asked, answer: Answer) => void {
    return (asked, answer) => void this.#heard.push({ fact, asked, answer });
  }

  /**
   * @returns the number of exchanges; undefined, and nothing is written, where nothing was heard
   * @throws Error when an exchange still contains data of the account; then nothing is written
   */
  async write(version: string): Promise<number | undefined> {
    if (this.#heard.length === 0) return undefined;
    const redaction = new Redaction(this.own);
    const exchanges = redaction.exchanges(this.#heard);
    const leak = exchanges.flatMap((each) => leaksIn(each, this.own, redaction.replaced()))[0];
    if (leak !== undefined)
      throw new Error(
        `Nothing was recorded: ${leak} could not be taken out. Please say so in an issue, without the value.`,
      );
    const recording: Recording = { version, exchanges };
    await writeFile(this.file, `${JSON.stringify(recording, null, 2)}\n`, { flag: "wx" });
    return exchanges.length;
  }
}

/**
 * Names the kinds of private data that an exchange still contains, without showing a value.
 *
 * @param replaced texts that must no longer occur, in any form that `redact` knows
 */
export function leaksIn(exchange: Exchange, { apiKey }: Own, replaced: readonly string[]): string[] {
  const text = JSON.stringify(exchange);
  const found = [
    ...(redact(text, [apiKey]) === text ? [] : ["the API key"]),
    ...(redact(text, replaced) === text ? [] : ["a secret, an id or an address"]),
    ...patterns.filter(({ form }) => text.search(form) !== -1).map(({ what }) => what),
  ];
  return found.map((what) => `${what} in a call of ${redact(exchange.fact, [apiKey])}`);
}
