import { readEvents } from "../../client";
import type { Answer } from "./answerExpectation";

/** As much as the service passes on. */
const LARGEST_BODY = 30 * 1024 ** 2;

export type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An answer whose body is on its way. */
export interface OpenAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends a request once and returns its answer, whatever its status. It follows no redirects. */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<OpenAnswer>;

/** An answer to its end, and how long it took, in milliseconds. */
export interface Received extends Answer {
  readonly header: OpenAnswer["header"];
  /** Absent for an empty body. */
  readonly firstByteMs: number | undefined;
  readonly totalMs: number;
  /** Of an event stream. */
  readonly events: readonly TimedEvent[];
}

export interface TimedEvent {
  readonly data: string;
  readonly atMs: number;
}

/**
 * Sends a request and reads its answer to the end.
 *
 * @throws what `send` and the body throw; RangeError for a body of more than 30 MB
 */
export async function exchange(send: Send, request: HttpRequest, signal: AbortSignal): Promise<Received> {
  const began = performance.now();
  const { status, header, body } = await send(request, signal);
  const decoder = new TextDecoder();
  const events: TimedEvent[] = [];
  let [text, bytes] = ["", 0];
  let firstByteMs: number | undefined;
  const chunks = async function* () {
    for await (const chunk of body) {
      if (chunk.length > 0) firstByteMs ??= performance.now() - began;
      bytes += chunk.length;
      if (bytes > LARGEST_BODY) throw new RangeError("the answer has more than 30 MB");
      text += decoder.decode(chunk, { stream: true });
      yield chunk;
    }
  };
  const contentType = header("content-type");
  if (contentType?.startsWith("text/event-stream")) {
    for await (const batch of readEvents(chunks())) {
      const atMs = performance.now() - began;
      events.push(...batch.map(({ data }) => ({ data, atMs })));
    }
  } else for await (const _ of chunks());
  const totalMs = performance.now() - began;
  return { status, header, contentType, text: text + decoder.decode(), firstByteMs, totalMs, events };
}
