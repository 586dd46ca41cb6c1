import { TooLargeError } from "../errors";

/** One server-sent event. */
export interface ServerEvent {
  id: string | undefined;
  data: string;
}

/**
 * The events of a stream, as soon as they are complete. Events that end in the same chunk are yielded together, because a
 * yield costs more than parsing an event. Each character is read once, however the bytes are split into chunks.
 *
 * An event that the stream's end cuts off is dropped. A lone CR does not end a line, unlike in the standard.
 *
 * @throws TooLargeError for an event that has more than `mostLength` characters before it ends
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  mostLength = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly ServerEvent[]> {
  const decoder = new TextDecoder();
  /** The unfinished line, in pieces. */
  let pieces: string[] = [];
  let unended = 0;
  let event: { id: string | undefined; data: string[] } = { id: undefined, data: [] };
  let held = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const events: ServerEvent[] = [];
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const ending = text.slice(from, end);
      const ended = pieces.length === 0 ? ending : pieces.join("") + ending;
      const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
      pieces = [];
      unended = 0;
      from = end + 1;
      if (line !== "") {
        const id = fieldValue("id", line);
        const data = id === undefined ? fieldValue("data", line) : undefined;
        if (id !== undefined) event.id = id;
        if (data !== undefined) {
          event.data.push(data);
          held += data.length;
        }
        continue;
      }
      if (event.data.length > 0) events.push({ id: event.id, data: event.data.join("\n") });
      event = { id: undefined, data: [] };
      held = 0;
    }
    if (events.length > 0) yield events;
    if (from < text.length) pieces.push(text.slice(from));
    unended += text.length - from;
    if (held + unended > mostLength) throw tooLarge(mostLength);
  }
}

/** The value of a line of this field; undefined for other lines. A name without a colon has an empty value. */
function fieldValue(field: string, line: string): string | undefined {
  if (!line.startsWith(field)) return undefined;
  const { length } = field;
  if (line.length === length) return "";
  if (line[length] !== ":") return undefined;
  return line.slice(line[length + 1] === " " ? length + 2 : length + 1);
}

function tooLarge(limit: number): TooLargeError {
  const message = `An event of the stream has more than ${limit} characters. Raise limits.eventLength of the client.`;
  return new TooLargeError(message, { limit });
}
