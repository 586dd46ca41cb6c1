import type { EventSourceMessage } from "eventsource-parser";
import { TooLargeError } from "../errors";

/** One server-sent event. */
export type ServerEvent = Pick<EventSourceMessage, "id" | "data">;

/**
 * The events of a stream, as soon as they are complete. Events that end in the same chunk are yielded together, because a
 * yield costs more than parsing an event. An event that the stream's end cuts off is dropped.
 *
 * @throws TooLargeError for an event that has more than `mostLength` characters before it ends
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  mostLength = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly ServerEvent[]> {
  const { createParser } = require("eventsource-parser") as typeof import("eventsource-parser");
  const decoder = new TextDecoder();
  let events: ServerEvent[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: mostLength,
    onEvent: (event) => events.push(event),
    // The parser's other errors are fields that it ignores, as the standard says.
    onError: ({ type }) => {
      isTooLarge ||= type === "max-buffer-size-exceeded";
    },
  });
  let last = "";
  for await (const chunk of chunks) {
    last = decoder.decode(chunk, { stream: true });
    parser.feed(last);
    if (events.length > 0) yield events;
    events = [];
    if (isTooLarge) throw tooLarge(mostLength);
  }
  // A lone CR ends a line, too. The parser waits for the LF that might follow it.
  if (last.endsWith("\r")) parser.feed("\n");
  if (events.length > 0) yield events;
}

function tooLarge(limit: number): TooLargeError {
  const message = `An event of the stream has more than ${limit} characters. Raise limits.answerBytes of the client.`;
  return new TooLargeError(message, { limit });
}
