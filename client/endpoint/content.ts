import { isAnyArrayBuffer } from "node:util/types";
import { messageOf } from "../../common/messageOf";
import { abortable } from "../calls/cancellation";
import { TooLargeError, UsageError } from "../errors";

/** The service passes no larger request on. */
const MOST_BYTES = 30 * 1024 ** 2;
const BYTES = "application/octet-stream";

/** A request's body as it is sent, which may be more than once. */
export interface Content {
  readonly body: string | Uint8Array | undefined;
  /** Default: JSON. */
  readonly type?: string | undefined;
}

/**
 * What a body is sent as. A stream is read to its end first.
 *
 * @throws UsageError, TooLargeError; the signal's reason
 */
export async function contentOf(value: unknown, signal: AbortSignal | undefined): Promise<Content> {
  const content = await read(value, signal);
  const { body } = content;
  if (body !== undefined) checkSize(Buffer.byteLength(body));
  return content;
}

async function read(value: unknown, signal: AbortSignal | undefined): Promise<Content> {
  if (value === undefined || typeof value === "string") return { body: value };
  if (value instanceof Uint8Array) return { body: value, type: BYTES };
  if (ArrayBuffer.isView(value))
    return { body: new Uint8Array(value.buffer, value.byteOffset, value.byteLength), type: BYTES };
  if (isAnyArrayBuffer(value)) return { body: new Uint8Array(value), type: BYTES };
  if (value instanceof Blob || value instanceof FormData || value instanceof URLSearchParams) {
    if (value instanceof Blob) checkSize(value.size);
    const encoded = new Response(value);
    const type = encoded.headers.get("content-type") || BYTES;
    return { body: new Uint8Array(await encoded.arrayBuffer()), type };
  }
  if (isStream(value)) return { body: await bytesOf(value, signal), type: BYTES };
  return { body: jsonOf(value) };
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

async function bytesOf(stream: AsyncIterable<unknown>, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done === true) return Buffer.concat(parts);
      if (typeof value !== "string" && !(value instanceof Uint8Array))
        throw new UsageError("body: a stream must have texts or bytes.");
      const chunk = Buffer.from(value);
      bytes += chunk.length;
      checkSize(bytes);
      parts.push(chunk);
    }
  } catch (error) {
    // Not awaited: a stream that gives nothing may not end either.
    iterator.return?.().catch(() => {});
    throw error;
  }
}

function checkSize(bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  const message = `The request has ${bytes} bytes or more, and an endpoint takes ${MOST_BYTES}. Put large inputs into storage and send their address.`;
  throw new TooLargeError(message, { limit: MOST_BYTES });
}

function jsonOf(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    throw new UsageError(`body: it can't be written as JSON: ${messageOf(error)}.`);
  }
  throw new UsageError("body: it can't be written as JSON. Pass a text, bytes, or what JSON can hold.");
}
