import type { Socket } from "node:net";

const CONTINUE = Buffer.from("HTTP/1.1 100");
const END = "\r\n\r\n";

/**
 * Passes over a 100 (Continue) that nobody asked for, as HTTP has it: undici takes it for a broken connection, but passes
 * over any other interim answer. So each 100 that comes between a request and its answer is read as a 102, which is as long.
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

/** Whether it holds nothing but answers of 100, which are 102 from then on. */
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
