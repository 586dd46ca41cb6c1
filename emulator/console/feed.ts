import { Readable } from "node:stream";

/** A reader that is so many bytes behind is disconnected. It reconnects and gets the whole state. */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/** One page's open connection, as server-sent events. */
export function openFeed(): Readable {
  const feed = new Readable({ read: () => {} });
  // So that pages reconnect soon after a restart of the emulator.
  feed.push("retry: 1000\n\n");
  return feed;
}

/** Sends a text of `frame`, which many feeds can share. */
export function send(feed: Readable, text: string): void {
  if (feed.destroyed) return;
  if (feed.readableLength > MOST_UNREAD_BYTES) feed.destroy();
  else feed.push(text);
}

export const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
