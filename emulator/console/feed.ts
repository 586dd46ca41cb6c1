import { Readable } from "node:stream";

/** A reader that is so many bytes behind is disconnected. It reconnects and gets the whole state. */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

/** One page's open connection, as server-sent events. */
export class Feed {
  readonly stream: Readable;

  constructor() {
    this.stream = new Readable({ read: () => {} });
    // So that pages reconnect soon after a restart of the emulator.
    this.stream.push("retry: 1000\n\n");
  }

  send(event: string, data: unknown): void {
    this.sendText(frame(event, data));
  }

  /** Sends a text of `frame`, which many feeds can share. */
  sendText(text: string): void {
    if (this.stream.destroyed) return;
    if (this.stream.readableLength > MOST_UNREAD_BYTES) this.stream.destroy();
    else this.stream.push(text);
  }
}

export const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
