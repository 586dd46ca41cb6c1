import { randomUUID } from "node:crypto";
import type { Service } from "../service";

/** Largest piece of a stream, bytes of JSON. */
const PIECE_BYTES = 1024 * 1024;

/** Keeps what a handler yielded until it is fetched; what is too large for one piece becomes several pieces of text. */
export function addToStream({ store, holds }: Service, jobId: string, output: unknown): void {
  for (const piece of pieces(output)) store.chunks.put({ id: randomUUID(), jobId, output: piece });
  holds.changed(jobId);
}

/** Takes what was yielded since the last time. */
export function drainStream({ store }: Service, jobId: string): { output: unknown }[] {
  const chunks = store.chunks.by("job", jobId);
  for (const { id } of chunks) store.chunks.delete(id);
  return chunks.map(({ output }) => ({ output }));
}

function pieces(output: unknown): unknown[] {
  const json = JSON.stringify(output) ?? "null";
  if (Buffer.byteLength(json) <= PIECE_BYTES) return [output ?? null];
  const text = typeof output === "string" ? output : json;
  const middle = text.length >> 1;
  return [...pieces(text.slice(0, middle)), ...pieces(text.slice(middle))];
}
