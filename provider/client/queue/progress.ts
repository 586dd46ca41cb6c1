/** A chunk whose text is shorter than this comes in one piece: the service splits what is above 1 MB. */
const LEAST_SPLIT = 256 * 1024;

/** How much of a job's aggregated output its stream has brought. */
export class Progress {
  /** Of each chunk: the length of its text, 0 for what is not text. */
  readonly #lengths: number[] = [];

  get chunks(): number {
    return this.#lengths.length;
  }

  yielded(output: unknown): void {
    this.#lengths.push(typeof output === "string" ? output.length : 0);
  }

  /**
   * What the chunks so far lack of the aggregated output; undefined when they are not a beginning of it, or it is none.
   * A chunk that came in pieces goes on in one more piece.
   */
  missing(output: unknown): unknown[] | undefined {
    if (!Array.isArray(output)) return undefined;
    let next = 0;
    for (const [index, value] of output.entries()) {
      if (next === this.#lengths.length) return output.slice(index);
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      const came = this.#lengths[next] ?? 0;
      if (text.length < LEAST_SPLIT || came === 0 || came === text.length) {
        next += 1;
        continue;
      }
      let offset = 0;
      while (offset < text.length && next < this.#lengths.length) offset += this.#lengths[next++] ?? 0;
      if (offset > text.length) return undefined;
      if (offset < text.length) return [text.slice(offset), ...output.slice(index + 1)];
    }
    return next === this.#lengths.length ? [] : undefined;
  }
}
