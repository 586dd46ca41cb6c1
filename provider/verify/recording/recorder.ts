import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { redact } from "../../client/text/redact";
import type { Answer } from "../verdict";
import type { Asked } from "../wire";
import { patterns } from "./patterns";
import { type Exchange, RECORDING_FILE, type Recording } from "./recording";
import { type Heard, type Own, Redaction } from "./redaction";

/**
 * As `mkdir` with `recursive`. That never ends below a folder that answers ENOENT although it exists, such as /proc: Node
 * then makes the parent again and again.
 */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder);
}

/** Keeps what trials ask and are answered, and writes it without what is the account's. */
export class Recorder {
  readonly #heard: Heard[] = [];

  private constructor(
    /** Where the recording will be. */
    readonly file: string,
    private readonly own: Own,
  ) {}

  /** @throws Error when the folder can't be written to, or has a recording already */
  static async open(folder: string, own: Own): Promise<Recorder> {
    const file = join(folder, RECORDING_FILE);
    try {
      await makeFolder(folder);
      // Permissions tell too little: root may write to /proc, which takes no entries.
      await rmdir(await mkdtemp(join(folder, ".try-")));
    } catch {
      throw new Error(`${folder} can't be written to. Name another folder for --record.`);
    }
    if (existsSync(file)) throw new Error(`${file} is there already. Name another folder for --record.`);
    return new Recorder(file, own);
  }

  hear(fact: string): (asked: Asked, answer: Answer) => void {
    return (asked, answer) => void this.#heard.push({ fact, asked, answer });
  }

  /**
   * @returns how many exchanges there are
   * @throws Error when something of the account's is left in one: nothing is written
   */
  async write(version: string): Promise<number> {
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
 * What is still in an exchange that should not be. No value is shown.
 *
 * @param replaced what must not be found any more, in any form
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
