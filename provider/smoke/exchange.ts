import { type CallOptions, type Client, ComputeCloudError, isUntouched, readEvents } from "../../client";
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

/** What a request goes to. */
export interface Server {
  readonly kind: "queue" | "loadBalancer" | "pod" | "url";
  /** As messages name it: `endpoint 4kqwe7f0`. */
  readonly name: string;
  readonly endpointId?: string | undefined;
  /** Stands before paths; without a slash at its end. */
  readonly base: string;
}

/** An answer to its end, and how long it took, in milliseconds. */
export interface Received extends Answer {
  header(name: string): string | undefined;
  /** Whether it is the service's own, and certainly no server has seen the request. */
  readonly isUnseen: boolean;
  /** Absent for an empty body. */
  readonly firstByteMs: number | undefined;
  readonly totalMs: number;
  /** Of an event stream. */
  readonly events: readonly TimedEvent[];
}

interface TimedEvent {
  readonly data: string;
  readonly atMs: number;
}

/**
 * Sends a request once and reads its answer to the end, whatever its status. No redirect is followed.
 *
 * @throws ComputeCloudError where there is no answer, or none to its end; RangeError for a body of more than 30 MB
 */
export async function exchange(
  client: Client,
  { kind, name, endpointId = name, base }: Server,
  { url, ...request }: HttpRequest,
  limits: CallOptions,
): Promise<Received> {
  const began = performance.now();
  const { href, origin } = new URL(url);
  const root = href.startsWith(`${base}/`) ? base : origin;
  const door = kind === "loadBalancer" ? "balancer" : kind === "queue" ? "queue" : "server";
  const server = client.endpoint(endpointId, { url: root, door });
  let response: Response;
  try {
    response = await server.fetch(href.slice(root.length), { ...request, ...limits, attempts: 1 });
  } catch (error) {
    if (!(error instanceof ComputeCloudError) || error.status === undefined) throw error;
    const { status, headers, detail: text = "" } = error;
    const header = (name: string) => headers?.[name]?.toString();
    const times = { firstByteMs: undefined, totalMs: performance.now() - began, events: [] };
    return { status, header, contentType: header("content-type"), text, ...times, isUnseen: isUntouched(error) };
  }
  const header = (name: string) => response.headers.get(name) ?? undefined;
  const decoder = new TextDecoder();
  const events: TimedEvent[] = [];
  let [text, bytes] = ["", 0];
  let firstByteMs: number | undefined;
  const chunks = async function* () {
    for await (const chunk of response.body ?? []) {
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
  text += decoder.decode();
  return { status: response.status, header, contentType, text, firstByteMs, totalMs, events, isUnseen: false };
}
