import { lineOf } from "./output";

/** The current progress, on stderr: one changing line on a terminal, elsewhere a line for each change. */
export class Progress {
  readonly #stream = process.stderr;
  #last = "";

  constructor(private readonly quiet: boolean) {}

  /** @param stage without a terminal, a line is written only when the stage changes */
  show(stage: string, detail: string): void {
    const line = lineOf(`${stage} ${detail}`);
    if (this.#stream.isTTY) this.#stream.write(`\r\x1b[K${line}`);
    else if (!this.quiet && stage !== this.#last) this.#stream.write(`${lineOf(stage)}\n`);
    this.#last = stage;
  }

  end(): void {
    if (this.#stream.isTTY && this.#last !== "") this.#stream.write("\r\x1b[K");
  }
}
