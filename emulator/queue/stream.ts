import { randomUUID } from "node:crypto";
import type { Service } from "../service";

/** Largest piece of a stream, bytes of JSON. */
const PIECE_BYTES = 1024 * 1024;

/** Stores a yielded value until it is fetched. A value too large for one piece becomes several pieces of text. */
export function addToStream({ store, holds, settings }: Service, jobId: string, output: unknown): void {
  const job = store.jobs.get(jobId);
  let index = job?.streamed ?? 0;
  for (const piece of pieces(output)) store.chunks.put({ id: randomUUID(), jobId, output: piece, index: index++ });
  if (job !== undefined && settings.streamMetrics) store.jobs.put({ ...job, streamed: index });
  holds.changed(jobId);
}

/** Returns and removes the pieces since the last call. */
export function drainStream({ store, settings }: Service, jobId: string): { output: unknown; metrics?: unknown }[] {
  const chunks = store.chunks.by("job", jobId);
  for (const { id } of chunks) store.chunks.delete(id);
  return chunks.map(({ output, index }) => ({ ...(settings.streamMetrics && { metrics: metricsOf(index) }), output }));
}

/** Metrics in the form of the service's own text workers, with made-up values. */
const metricsOf = (index: number) => ({
  input_tokens: 0,
  output_tokens: 1,
  pending: 0,
  running: 1,
  scenario: "stream",
  stream_index: index,
  swapped: 0,
});

function pieces(output: unknown): unknown[] {
  const json = JSON.stringify(output) ?? "null";
  if (Buffer.byteLength(json) <= PIECE_BYTES) return [output ?? null];
  const text = typeof output === "string" ? output : json;
  const middle = text.length >> 1;
  return [...pieces(text.slice(0, middle)), ...pieces(text.slice(middle))];
}
