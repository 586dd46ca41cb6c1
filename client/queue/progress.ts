/** A chunk with a shorter text comes in one piece: the service splits only chunks above 1 MB. */
const LEAST_SPLIT = 256 * 1024;

/** How much of a job's aggregated output its stream has delivered. */
export class Progress {
  /** The length of each chunk's text; 0 for a chunk that is not text. */
  readonly #lengths: number[] = [];

  get chunks(): number {
    return this.#lengths.length;
  }

  yielded(output: unknown): void {
    this.#lengths.push(typeof output === "string" ? output.length : 0);
  }

  /**
   * The rest of the aggregated output, after the chunks so far. Undefined if they are not its beginning, or if the output is
   * not a list. The rest of a chunk that came in pieces is one more piece. Only lengths are compared, not contents.
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
