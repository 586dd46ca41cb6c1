import { printableLine } from "../client/text/printable";

/** What goes on now, on stderr: one line that changes on a terminal, elsewhere a line for each change. */
export class Progress {
  readonly #stream = process.stderr;
  #last = "";

  constructor(private readonly quiet: boolean) {}

  /** @param stage what makes a line of its own where there is no terminal */
  show(stage: string, detail: string): void {
    const line = printableLine(`${stage} ${detail}`);
    if (this.#stream.isTTY) this.#stream.write(`\r\x1b[K${line}`);
    else if (!this.quiet && stage !== this.#last) this.#stream.write(`${printableLine(stage)}\n`);
    this.#last = stage;
  }

  end(): void {
    if (this.#stream.isTTY && this.#last !== "") this.#stream.write("\r\x1b[K");
  }
}
