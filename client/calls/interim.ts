import type { Socket } from "node:net";

const CONTINUE = Buffer.from("HTTP/1.1 100");
const END = "\r\n\r\n";

/**
 * Skips an unrequested 100 (Continue), as HTTP demands. undici, 8.12 too, destroys the socket of a 100 ("bad response"), so a
 * submission would be lost whose answer is on its way (tests/client/edges). It skips any other interim answer. So each 100
 * between a request and its answer is rewritten to a 102, which has the same length.
 *
 * A 100 whose first line is split over two chunks is not recognized.
 */
export function passOverContinue(socket: Socket): void {
  const { read, write } = socket;
  let isAnswering = false;
  Object.assign(socket, {
    write(...given: unknown[]): boolean {
      isAnswering = false;
      return Reflect.apply(write, socket, given);
    },
    read(size?: number): unknown {
      const chunk: unknown = Reflect.apply(read, socket, [size]);
      if (!isAnswering && Buffer.isBuffer(chunk)) isAnswering = !isInterim(chunk);
      return chunk;
    },
  });
}

/** Whether the chunk holds only 100 answers. Rewrites each of them to a 102, in place. */
function isInterim(chunk: Buffer): boolean {
  for (let from = 0; from < chunk.length; ) {
    if (!chunk.subarray(from, from + CONTINUE.length).equals(CONTINUE)) return false;
    chunk.write("2", from + CONTINUE.length - 1);
    const end = chunk.indexOf(END, from);
    if (end < 0) break;
    from = end + END.length;
  }
  return true;
}
