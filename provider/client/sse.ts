import { TooLargeError } from "./errors";

/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined;
  data: string;
}

/**
 * Events of a stream, each as soon as it is complete. Every character is looked at once, however the bytes arrive.
 *
 * @throws TooLargeError for an event that has more than `mostLength` characters before it ends
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  mostLength = Number.POSITIVE_INFINITY,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  /** The line that has not ended yet, in pieces. */
  let pieces: string[] = [];
  let unended = 0;
  let event: { id: string | undefined; data: string[] } = { id: undefined, data: [] };
  let held = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      pieces.push(text.slice(from, end));
      const line = pieces.join("").replace(/\r$/, "");
      pieces = [];
      unended = 0;
      from = end + 1;
      if (line !== "") {
        const { name, value } = fieldOf(line);
        if (name === "id") event.id = value;
        if (name === "data") {
          event.data.push(value);
          held += value.length;
        }
        continue;
      }
      if (event.data.length > 0) yield { id: event.id, data: event.data.join("\n") };
      event = { id: undefined, data: [] };
      held = 0;
    }
    pieces.push(text.slice(from));
    unended += text.length - from;
    if (held + unended > mostLength) throw tooLarge(mostLength);
  }
}

function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1) };
}

function tooLarge(limit: number): TooLargeError {
  const message = `An event of the stream has more than ${limit} characters. Raise limits.eventLength of the client.`;
  return new TooLargeError(message, { limit });
}
